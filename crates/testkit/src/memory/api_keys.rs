//! API keys in memory.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{ApiKey, ApiKeyId, ApiKeySecret, SecretDigest};
use valetkey_oauth::ports::{ApiKeyChange, ApiKeys, StoreError};

use super::Memory;

#[async_trait]
impl ApiKeys for Memory {
    async fn add_api_key(&self, key: &ApiKey) -> Result<(), StoreError> {
        self.state().api_keys.push(key.clone());
        Ok(())
    }

    async fn find_api_key(&self, secret: &SecretDigest) -> Result<Option<Arc<ApiKey>>, StoreError> {
        let has = |key: &&ApiKey| key.secrets.iter().any(|known| known.digest.matches(secret));
        Ok(self.state().api_keys.iter().find(has).cloned().map(Arc::new))
    }

    async fn list_api_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        Ok(self.state().api_keys.clone())
    }

    async fn rotate_api_key(
        &self,
        id: ApiKeyId,
        secret: &ApiKeySecret,
        others_until: Timestamp,
    ) -> Result<ApiKeyChange, StoreError> {
        let mut state = self.state();
        let Some(key) = state.api_keys.iter_mut().find(|key| key.id == id) else { return Ok(ApiKeyChange::Unknown) };
        if key.revoked_at.is_some() {
            return Ok(ApiKeyChange::Revoked);
        }
        key.secrets.retain(|old| old.expires_at.is_none_or(|end| secret.created_at < end));
        for old in &mut key.secrets {
            old.expires_at = Some(old.expires_at.map_or(others_until, |end| end.min(others_until)));
        }
        key.secrets.push(secret.clone());
        Ok(ApiKeyChange::Changed)
    }

    async fn revoke_api_key(&self, id: ApiKeyId, at: Timestamp) -> Result<ApiKeyChange, StoreError> {
        let mut state = self.state();
        let Some(key) = state.api_keys.iter_mut().find(|key| key.id == id) else { return Ok(ApiKeyChange::Unknown) };
        if key.revoked_at.is_some() {
            return Ok(ApiKeyChange::Revoked);
        }
        key.revoked_at = Some(at);
        Ok(ApiKeyChange::Changed)
    }

    async fn note_api_key_uses(&self, uses: Vec<(ApiKeyId, Timestamp)>) -> Result<(), StoreError> {
        let mut state = self.state();
        for (id, at) in uses {
            if let Some(key) = state.api_keys.iter_mut().find(|key| key.id == id) {
                key.last_used_at = key.last_used_at.max(Some(at));
            }
        }
        Ok(())
    }
}
