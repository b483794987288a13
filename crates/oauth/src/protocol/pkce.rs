//! Proof Key for Code Exchange (RFC 7636): S256 alone; `plain` has no place here.

use aws_lc_rs::digest;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// `code_challenge`: base64url of the SHA-256 of a verifier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Challenge(String);

impl Challenge {
    /// Reads a challenge: 43 characters that encode 32 bytes.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == 32).then(|| Self(text.to_owned()))
    }

    /// The challenge of a verifier.
    pub fn of(verifier: &str) -> Self {
        Self(URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, verifier.as_bytes())))
    }

    /// The text of the parameter.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Does this verifier belong to the challenge?
    ///
    /// RFC 7636 §4.6 asks for equality; constant time is our own caution.
    pub fn is_met_by(&self, verifier: &str) -> bool {
        is_verifier(verifier) && Self::of(verifier).0.as_bytes().ct_eq(self.0.as_bytes()).into()
    }
}

/// 43 to 128 unreserved characters.
pub fn is_verifier(text: &str) -> bool {
    (43..=128).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    #[test]
    fn the_vector_of_rfc_7636_holds() {
        let challenge = Challenge::parse("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM").unwrap();

        assert!(challenge.is_met_by(VERIFIER));
        assert!(!challenge.is_met_by(&VERIFIER.replace('d', "e")));
    }

    #[test]
    fn a_verifier_has_43_to_128_unreserved_characters() {
        assert!(!is_verifier(&"a".repeat(42)));
        assert!(is_verifier(&"a".repeat(43)));
        assert!(is_verifier(&"~".repeat(128)));
        assert!(!is_verifier(&"a".repeat(129)));
        assert!(!is_verifier(&format!("{}+", "a".repeat(43))));
    }

    #[test]
    fn a_challenge_encodes_32_bytes() {
        for bad in ["", "short", VERIFIER.trim_end_matches('k'), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw+cM"] {
            assert_eq!(Challenge::parse(bad), None, "{bad}");
        }
    }
}
