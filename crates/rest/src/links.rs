//! The `Link` header (RFC 8288): where the neighbours of an answer are. Whatever goes in, one sound header comes out.
//!
//! ```
//! use valetkey_rest::links::LinkHeader;
//!
//! let mut links = LinkHeader::new();
//! links.push("/orders?cursor=abc", "next");
//! links.push("/docs/v2", "successor-version");
//!
//! assert_eq!(links.to_value().unwrap(), r#"</orders?cursor=abc>; rel="next", </docs/v2>; rel="successor-version""#);
//! ```

use std::fmt::Write as _;

use http::HeaderValue;

use crate::quoted::quoted;

#[cfg(test)]
mod tests;

/// Links on their way into a header.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkHeader {
    text: String,
}

impl LinkHeader {
    /// No links yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a link. What may not stand in a URI is percent-encoded; what stands there encoded stays.
    pub fn push(&mut self, target: &str, rel: &str) -> &mut Self {
        if !self.text.is_empty() {
            self.text.push_str(", ");
        }
        self.text.push('<');
        let mut rest = target;
        while let Some(at) = rest.bytes().position(|byte| !STANDS[usize::from(byte)]) {
            self.text.push_str(&rest[..at]);
            let letter = rest[at..].chars().next().map_or(1, char::len_utf8);
            for byte in rest[at..at + letter].bytes() {
                // Writing to a String does not fail.
                let _ = write!(self.text, "%{byte:02X}");
            }
            rest = &rest[at + letter..];
        }
        self.text.push_str(rest);
        self.text.push_str(">; rel=");
        self.text.push_str(&quoted(rel));
        self
    }

    /// Whether there is no link.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The value of the header; none without links.
    pub fn to_value(&self) -> Option<HeaderValue> {
        if self.is_empty() { None } else { HeaderValue::from_str(&self.text).ok() }
    }
}

/// May this byte stand in a URI between angle brackets? Links are long, and each byte is looked at.
const STANDS: [bool; 256] = {
    let mut stands = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        stands[byte as usize] = !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}');
        byte += 1;
    }
    stands
};
