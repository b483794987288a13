//! Which addresses may be called. Anything that is not plainly public is refused, whatever it is called by.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// IPv4 networks that are not public (IANA's special-purpose registry).
const NOT_PUBLIC_V4: [Ipv4Net; 15] = [
    v4([0, 0, 0, 0], 8),       // this host
    v4([10, 0, 0, 0], 8),      // private
    v4([100, 64, 0, 0], 10),   // shared by carriers
    v4([127, 0, 0, 0], 8),     // loopback
    v4([169, 254, 0, 0], 16),  // link-local, and the metadata of clouds
    v4([172, 16, 0, 0], 12),   // private
    v4([192, 0, 0, 0], 24),    // protocol assignments
    v4([192, 0, 2, 0], 24),    // documentation
    v4([192, 88, 99, 0], 24),  // relays of 6to4
    v4([192, 168, 0, 0], 16),  // private
    v4([198, 18, 0, 0], 15),   // benchmarks
    v4([198, 51, 100, 0], 24), // documentation
    v4([203, 0, 113, 0], 24),  // documentation
    v4([224, 0, 0, 0], 4),     // multicast
    v4([240, 0, 0, 0], 4),     // reserved, and broadcast
];

/// Only here are public IPv6 addresses. Loopback, IPv4-mapped and -compatible addresses, NAT64, unique local, link-local,
/// site-local and multicast ones all lie outside.
const UNICAST_V6: Ipv6Net = v6([0x2000, 0, 0], 3);

/// Networks inside it that are not public, or that carry an IPv4 address which a relay would call.
const NOT_PUBLIC_V6: [Ipv6Net; 4] = [
    v6([0x2001, 0, 0], 23),     // protocol assignments, Teredo among them
    v6([0x2001, 0xdb8, 0], 32), // documentation
    v6([0x2002, 0, 0], 16),     // 6to4
    v6([0x3fff, 0, 0], 20),     // documentation
];

const fn v4(octets: [u8; 4], prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(octets[0], octets[1], octets[2], octets[3]), prefix)
}

const fn v6(head: [u16; 3], prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(head[0], head[1], head[2], 0, 0, 0, 0, 0), prefix)
}

/// What may be called.
#[derive(Debug)]
pub struct Reach(Vec<IpNet>);

impl Reach {
    /// Public addresses, and these networks.
    pub fn new(allow: &[IpNet]) -> Self {
        Self(allow.to_vec())
    }

    /// May this address be called over TLS?
    pub fn may_call(&self, address: IpAddr) -> bool {
        is_public(address) || self.is_allowed(address)
    }

    /// May it be called without TLS? Only where the operator said so.
    pub fn may_call_in_the_clear(&self, address: IpAddr) -> bool {
        self.is_allowed(address)
    }

    fn is_allowed(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !NOT_PUBLIC_V4.iter().any(|network| network.contains(&address)),
        IpAddr::V6(address) => {
            UNICAST_V6.contains(&address) && !NOT_PUBLIC_V6.iter().any(|network| network.contains(&address))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_may_be_called() {
        let reach = Reach::new(&[]);

        for text in ["1.1.1.1", "8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00::1"] {
            let address = text.parse().unwrap();
            assert!(reach.may_call(address), "{text}");
            assert!(!reach.may_call_in_the_clear(address), "{text}");
        }
    }

    #[test]
    fn everything_else_may_not() {
        let reach = Reach::new(&[]);

        let refused = [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "239.1.1.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::127.0.0.1",
            "::8.8.8.8",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:0:127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "100::1",
            "2001::1",
            "2001:0:4136:e378::1",
            "2001:2::1",
            "2001:10::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "2002:808:808::1",
            "3fff::1",
            "5f00::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "febf::1",
            "fec0::1",
            "ff02::1",
        ];
        for text in refused {
            assert!(!reach.may_call(text.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn what_an_operator_allows_may_be_called_also_in_the_clear_and_nothing_beside_it() {
        let reach = Reach::new(&["10.1.0.0/16".parse().unwrap(), "::1/128".parse().unwrap()]);

        for text in ["10.1.2.3", "::1"] {
            assert!(reach.may_call(text.parse().unwrap()) && reach.may_call_in_the_clear(text.parse().unwrap()));
        }
        for text in ["10.2.0.1", "127.0.0.1", "::ffff:10.1.2.3", "::2"] {
            assert!(!reach.may_call(text.parse().unwrap()), "{text}");
        }
    }
}
