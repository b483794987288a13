//! Secrets as settings: read from base64, wiped when dropped, and unable to print themselves.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use zeroize::Zeroizing;

use super::value::Value;

/// The key that wraps all stored keys.
#[derive(Clone, PartialEq, Eq)]
pub struct RootKey(Zeroizing<[u8; 32]>);

impl RootKey {
    /// The key itself, for the one who unwraps with it.
    #[must_use]
    pub fn expose(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for RootKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("RootKey(…)")
    }
}

impl Value for RootKey {
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let decoded = STANDARD.decode(text).or_else(|_| URL_SAFE_NO_PAD.decode(text)).map(Zeroizing::new);
        // What was found is not repeated: a mistyped key is still nearly the key.
        let wrong = || "is not 32 bytes in base64; make one with `openssl rand -base64 32`".to_owned();
        let bytes = decoded.map_err(|_| wrong())?;
        let key = <[u8; 32]>::try_from(bytes.as_slice()).map_err(|_| wrong())?;
        Ok(Self(Zeroizing::new(key)))
    }

    fn show(&self) -> String {
        "(hidden)".to_owned()
    }
}

/// What signs webhooks.
#[derive(Clone, PartialEq, Eq)]
pub struct WebhookSecret(Zeroizing<Vec<u8>>);

impl WebhookSecret {
    /// The secret itself, for the one who signs with it.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for WebhookSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("WebhookSecret(…)")
    }
}

impl Value for WebhookSecret {
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let decoded = STANDARD.decode(text.strip_prefix("whsec_").unwrap_or(text)).map(Zeroizing::new);
        match decoded {
            Ok(bytes) if (24..=64).contains(&bytes.len()) => Ok(Self(bytes)),
            _ => Err("is not 24 to 64 bytes in base64; make one with `openssl rand -base64 32`".to_owned()),
        }
    }

    fn show(&self) -> String {
        "(hidden)".to_owned()
    }
}

/// What this server proves itself with at another provider. Any text: the provider has chosen it.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderSecret(Zeroizing<String>);

impl ProviderSecret {
    /// The secret itself, for the one who proves something with it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for ProviderSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ProviderSecret(…)")
    }
}

impl Value for ProviderSecret {
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() { Err("is empty".to_owned()) } else { Ok(Self(Zeroizing::new(text.to_owned()))) }
    }

    fn show(&self) -> String {
        "(hidden)".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_key_never_prints_itself() {
        let text = STANDARD.encode([7; 32]);

        let key = RootKey::parse(&text).unwrap();

        assert_eq!(key.expose(), &[7; 32]);
        assert!(!format!("{key:?} {}", key.show()).contains(&text));
    }

    #[test]
    fn a_wrong_root_key_is_not_repeated_in_the_error() {
        let text = STANDARD.encode([7; 31]);

        let why = RootKey::parse(&text).unwrap_err();

        assert!(!why.contains(&text), "{why}");
    }

    #[test]
    fn a_webhook_secret_is_read_with_and_without_its_prefix_and_never_printed() {
        let text = STANDARD.encode([7; 24]);

        let [plain, prefixed] =
            [text.clone(), format!("whsec_{text}")].map(|text| WebhookSecret::parse(&text).unwrap());

        assert_eq!((plain.expose(), prefixed.expose()), (&[7; 24][..], &[7; 24][..]));
        assert!(!format!("{plain:?} {}", plain.show()).contains(&text[..8]));
        for wrong in ["", "whsec_", "secret", &STANDARD.encode([7; 23]), &STANDARD.encode([7; 65])] {
            let why = WebhookSecret::parse(wrong).unwrap_err();
            assert!(wrong.is_empty() || !why.contains(wrong), "{why}");
        }
    }
}
