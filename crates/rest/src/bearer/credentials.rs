//! The token in the `Authorization` header, taken out without a look at what it means.

use http::{HeaderMap, header};

/// Bytes of a token at most. A longer one is refused before anyone hashes it.
pub(super) const MAX_TOKEN: usize = 8 * 1024;

/// Why there is no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    /// No header, or credentials of a scheme that this service does not have.
    Missing,
    /// The scheme is right and the token cannot be one.
    Malformed,
    /// More than one header.
    Several,
}

/// The token of a request.
pub(super) fn token(headers: &HeaderMap) -> Result<&str, Flaw> {
    let mut lines = headers.get_all(header::AUTHORIZATION).iter();
    let line = lines.next().ok_or(Flaw::Missing)?;
    if lines.next().is_some() {
        return Err(Flaw::Several);
    }
    let bytes = line.as_bytes();
    let scheme = bytes.split(|byte| *byte == b' ').next().unwrap_or_default();
    if !scheme.eq_ignore_ascii_case(b"bearer") {
        return Err(Flaw::Missing);
    }
    let token = std::str::from_utf8(&bytes[scheme.len()..]).map_err(|_| Flaw::Malformed)?.trim_matches(' ');
    let sound = !token.is_empty() && token.len() <= MAX_TOKEN && is_b64token(token);
    if sound { Ok(token) } else { Err(Flaw::Malformed) }
}

/// RFC 6750 §2.1: letters, digits and `-._~+/`, then equals signs.
fn is_b64token(text: &str) -> bool {
    let word = text.trim_end_matches('=').as_bytes();
    // All of them, even after one that is not: that goes many at a time, and nearly every token is sound.
    !word.is_empty() && word.iter().fold(true, |is_sound, byte| is_sound & is_in_word(*byte))
}

/// `-./` and the digits stand beside each other.
fn is_in_word(byte: u8) -> bool {
    let is_letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    is_letter | (byte.wrapping_sub(b'-') < 13) | (byte == b'_') | (byte == b'~') | (byte == b'+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_letters_of_rfc_6750_and_no_other() {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/".contains(&byte);

        for byte in 0..=u8::MAX {
            assert_eq!(is_in_word(byte), allowed(byte), "{byte}");
        }
        assert!(is_b64token("a=="));
        assert!(!is_b64token("=="));
        assert!(!is_b64token("a=b"));
    }
}
