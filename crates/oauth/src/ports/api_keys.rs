//! The port for API keys.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{ApiKey, ApiKeyId, ApiKeySecret, SecretDigest};

/// What became of a change to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiKeyChange {
    /// It is done.
    Changed,
    /// The key was taken back before; nothing changed.
    Revoked,
    /// No such key.
    Unknown,
}

/// Stores API keys.
#[async_trait]
pub trait ApiKeys: Send + Sync {
    /// Adds a key with its secrets.
    async fn add_api_key(&self, key: &ApiKey) -> Result<(), StoreError>;

    /// The key that has, or had, this secret.
    async fn find_api_key(&self, secret: &SecretDigest) -> Result<Option<Arc<ApiKey>>, StoreError>;

    /// All keys, oldest first.
    async fn list_api_keys(&self) -> Result<Vec<ApiKey>, StoreError>;

    /// Adds a secret and lets all earlier ones end at `others_until`, in one step.
    async fn rotate_api_key(
        &self,
        id: ApiKeyId,
        secret: &ApiKeySecret,
        others_until: Timestamp,
    ) -> Result<ApiKeyChange, StoreError>;

    /// Takes a key back.
    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<ApiKeyChange, StoreError>;

    /// Writes down when keys were used. A use that is older than the one on record changes nothing.
    async fn note_api_key_uses(&self, uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StoreError>;
}
