//! The ring: every key that is in force, opened and parsed once. Replaced as a whole when the store has other keys.

use jiff::Timestamp;
use serde_json::json;

use super::{KeyError, RootKey, SealingKey, SignedToken, SigningKey};
use crate::model::{Algorithm, KeyPurpose, StoredKey};

/// Keys ready for use.
pub struct Ring {
    sealing: Vec<SealingKey>,
    signing: Vec<SigningKey>,
    jwks: String,
    stored: Vec<(KeyPurpose, u32)>,
}

impl Ring {
    /// Opens stored keys. Fails on the first that the root key does not open.
    pub fn open(root: &RootKey, stored: &[StoredKey]) -> Result<Self, KeyError> {
        let mut sealing = Vec::new();
        let mut signing = Vec::new();
        for key in stored {
            let secret = root.unwrap(&label(key.purpose, key.generation), &key.wrapped)?;
            match key.purpose {
                KeyPurpose::Seal => sealing.push(SealingKey::new(key.generation, key.active_from, &secret)?),
                KeyPurpose::Sign(algorithm) => {
                    signing.push(SigningKey::new(key.active_from, algorithm, &secret)?);
                }
            }
        }
        // The newest first: a client that takes the first fitting key takes the one in use soonest.
        let jwks = json!({ "keys": signing.iter().rev().map(SigningKey::jwk).collect::<Vec<_>>() }).to_string();
        let stored = stored.iter().map(|key| (key.purpose, key.generation)).collect();
        Ok(Self { sealing, signing, jwks, stored })
    }

    /// Was this ring made of exactly these keys?
    pub fn is_made_of(&self, stored: &[StoredKey]) -> bool {
        self.stored.iter().copied().eq(stored.iter().map(|key| (key.purpose, key.generation)))
    }

    /// The key that seals now.
    pub fn sealing(&self, now: Timestamp) -> Result<&SealingKey, KeyError> {
        current(&self.sealing, now, |key| key.active_from).ok_or(KeyError::NoKey(KeyPurpose::Seal))
    }

    /// The key that sealed under this number.
    pub fn sealing_by_generation(&self, generation: u32) -> Option<&SealingKey> {
        self.sealing.iter().find(|key| key.generation == generation)
    }

    /// When the key under this number was replaced, or is to be; `None` for the newest.
    pub fn sealing_replaced_at(&self, generation: u32) -> Option<Timestamp> {
        self.sealing.iter().find(|key| key.generation > generation).map(|key| key.active_from)
    }

    /// The key that signs now.
    pub fn signing(&self, algorithm: Algorithm, now: Timestamp) -> Result<&SigningKey, KeyError> {
        current(self.signing.iter().filter(|key| key.algorithm() == algorithm), now, |key| key.active_from)
            .ok_or(KeyError::NoKey(KeyPurpose::Sign(algorithm)))
    }

    /// The key under which texts of this kind begin with this head.
    pub(crate) fn signing_by_head(&self, kind: SignedToken, head: &str) -> Option<&SigningKey> {
        self.signing.iter().find(|key| key.head(kind) == head)
    }

    /// The published document.
    pub fn jwks(&self) -> &str {
        &self.jwks
    }
}

/// The last key whose time has come; before any has, the first.
fn current<'a, K: 'a>(
    keys: impl IntoIterator<Item = &'a K, IntoIter: DoubleEndedIterator + Clone>,
    now: Timestamp,
    active_from: impl Fn(&K) -> Timestamp,
) -> Option<&'a K> {
    let mut keys = keys.into_iter();
    keys.clone().rev().find(|key| active_from(key) <= now).or_else(|| keys.next())
}

/// Binds wrapped bytes to what they are, so that rows of the store cannot be swapped.
pub(super) fn label(purpose: KeyPurpose, generation: u32) -> String {
    format!("{} {generation}", purpose.as_str())
}
