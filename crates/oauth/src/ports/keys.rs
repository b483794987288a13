//! The port for wrapped keys.

use async_trait::async_trait;

use super::StoreError;
use crate::model::{KeyPurpose, StoredKey};

/// What became of a new key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyAddition {
    /// It is stored.
    Added,
    /// Another node made this generation first; its key is the one to use.
    GenerationTaken,
}

/// Stores wrapped keys.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Adds a key, unless its generation exists for its purpose. Of two callers, exactly one adds.
    async fn add_key(&self, key: &StoredKey) -> Result<KeyAddition, StoreError>;

    /// All keys, oldest generation first.
    async fn all_keys(&self) -> Result<Vec<StoredKey>, StoreError>;

    /// Removes a key whose last token has expired.
    async fn remove_key(&self, purpose: KeyPurpose, generation: u32) -> Result<(), StoreError>;
}
