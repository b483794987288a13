//! Addresses as lines show them. Most have four numbers, which need no formatter.

use std::fmt::Write;
use std::net::IpAddr;

/// The text of an address.
#[derive(Default)]
pub(super) struct Address(String);

impl Address {
    /// The same as `Display` writes.
    pub(super) fn write(&mut self, address: IpAddr) -> &str {
        self.0.reserve(39);
        match address {
            IpAddr::V4(address) => {
                for (place, number) in address.octets().into_iter().enumerate() {
                    if place > 0 {
                        self.0.push('.');
                    }
                    self.0.push_str(itoa::Buffer::new().format(number));
                }
            }
            // Writing to a text does not fail.
            IpAddr::V6(address) => drop(write!(self.0, "{address}")),
        }
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_looks_as_everywhere_else() {
        for text in ["127.0.0.1", "0.10.200.255", "::1", "2001:db8::7", "::ffff:10.0.0.1"] {
            let address: IpAddr = text.parse().unwrap();

            assert_eq!(Address::default().write(address), address.to_string());
        }
    }
}
