//! Addresses as lines show them. Most have four numbers, which need no formatter.

use std::fmt::Write;
use std::net::IpAddr;

/// Writes an address, the same as `Display` does.
pub(super) fn write_address(out: &mut String, address: IpAddr) {
    match address {
        IpAddr::V4(address) => {
            for (place, number) in address.octets().into_iter().enumerate() {
                if place > 0 {
                    out.push('.');
                }
                out.push_str(itoa::Buffer::new().format(number));
            }
        }
        // Writing to a text does not fail.
        IpAddr::V6(address) => drop(write!(out, "{address}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_looks_as_everywhere_else() {
        for text in ["127.0.0.1", "0.10.200.255", "::1", "2001:db8::7", "::ffff:10.0.0.1"] {
            let address: IpAddr = text.parse().unwrap();
            let mut line = String::new();

            write_address(&mut line, address);

            assert_eq!(line, address.to_string());
        }
    }
}
