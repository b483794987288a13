//! Keys: the root key that wraps, the ring that seals and signs, and the rotation that replaces them without a restart.

mod head;
mod jwks;
mod ring;
mod root;
mod rotation;
mod sealing;
mod signing;

pub(crate) use head::SignedToken;
pub use jwks::Jwk;
pub use ring::Ring;
pub use root::RootKey;
pub use rotation::{Upkeep, keep_up, make_missing, rotate};
pub use sealing::{SealPurpose, SealingKey};
pub use signing::SigningKey;

use crate::model::KeyPurpose;

/// What can be wrong with keys.
#[derive(Debug, Clone, thiserror::Error)]
pub enum KeyError {
    /// The root key is not the one that wrapped the keys in the store.
    #[error("the root key does not open the keys in this store")]
    WrongRoot,
    /// A root key has 32 bytes.
    #[error("a root key is 32 bytes, written in base64")]
    MalformedRoot,
    /// No key is there for this purpose.
    #[error("no key for {}", .0.as_str())]
    NoKey(KeyPurpose),
    /// The crypto library refused.
    #[error("cryptography failed: {0}")]
    Crypto(&'static str),
}
