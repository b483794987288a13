//! API keys from memory.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{ApiKey, ApiKeyId, ApiKeySecret, SecretDigest};
use valetkey_oauth::ports::{ApiKeyChange, ApiKeys, StoreError};

use super::brief::Brief;

/// Remembers what another engine found, for half a second.
pub struct CachedApiKeys {
    engine: Arc<dyn ApiKeys>,
    /// Only keys that exist: a flood of guesses must not push them out.
    found: Brief<[u8; 32], Arc<ApiKey>>,
    /// Digests that nobody has: showing one again and again costs no question to the store.
    missing: Brief<[u8; 32], ()>,
}

impl CachedApiKeys {
    /// Stands before `engine`.
    pub fn new(engine: Arc<dyn ApiKeys>) -> Self {
        Self { engine, found: Brief::default(), missing: Brief::default() }
    }
}

#[async_trait]
impl ApiKeys for CachedApiKeys {
    async fn add_api_key(&self, key: &ApiKey) -> Result<(), StoreError> {
        let outcome = self.engine.add_api_key(key).await;
        self.missing.forget_all();
        outcome
    }

    async fn find_api_key(&self, secret: &SecretDigest) -> Result<Option<Arc<ApiKey>>, StoreError> {
        let digest = secret.as_bytes();
        if let Some(key) = self.found.get(digest) {
            return Ok(Some(key));
        }
        if self.missing.get(digest).is_some() {
            return Ok(None);
        }
        let key = self.engine.find_api_key(secret).await?;
        match &key {
            Some(key) => self.found.insert(*digest, key.clone()),
            None => self.missing.insert(*digest, ()),
        }
        Ok(key)
    }

    async fn list_api_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        self.engine.list_api_keys().await
    }

    async fn rotate_api_key(
        &self,
        id: ApiKeyId,
        secret: &ApiKeySecret,
        others_until: Timestamp,
    ) -> Result<ApiKeyChange, StoreError> {
        let outcome = self.engine.rotate_api_key(id, secret, others_until).await;
        self.found.forget_all();
        self.missing.forget_all();
        outcome
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<ApiKeyChange, StoreError> {
        let outcome = self.engine.revoke_api_key(id, at).await;
        self.found.forget_all();
        outcome
    }

    async fn note_api_key_uses(&self, uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StoreError> {
        self.engine.note_api_key_uses(uses).await
    }
}
