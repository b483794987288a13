//! The columns of API keys that both engines write alike.

use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use valetkey_oauth::model::{ApiKey, ApiKeyId, ApiKeySecret, SecretDigest};
use valetkey_oauth::ports::StoreError;
use valetkey_oauth::protocol::Scope;

use crate::moment::from_column;

/// What a row holds beside its times. New members get a default, so that old rows stay readable.
#[derive(Serialize, Deserialize)]
struct Document {
    name: String,
    #[serde(default)]
    scope: Scope,
    #[serde(default)]
    networks: Vec<IpNet>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version_pin: Option<String>,
}

/// The times of a row: made, ends, taken back, used.
pub(crate) type Times = (i64, Option<i64>, Option<i64>, Option<i64>);

/// The document column of a key.
pub(crate) fn document(key: &ApiKey) -> Result<String, StoreError> {
    let document = Document {
        name: key.name.clone(),
        scope: key.scope.clone(),
        networks: key.networks.clone(),
        version_pin: key.version_pin.clone(),
    };
    serde_json::to_string(&document).map_err(|error| StoreError::Failed(error.to_string()))
}

/// A key from its columns.
pub(crate) fn key(id: Uuid, document: &str, times: Times, secrets: Vec<ApiKeySecret>) -> Result<ApiKey, StoreError> {
    let document: Document = serde_json::from_str(document)
        .map_err(|error| StoreError::Failed(format!("the document of API key {id} is unreadable: {error}")))?;
    let (created_at, expires_at, revoked_at, last_used_at) = times;
    Ok(ApiKey {
        id: ApiKeyId(id),
        name: document.name,
        scope: document.scope,
        networks: document.networks,
        version_pin: document.version_pin,
        created_at: from_column(created_at)?,
        expires_at: expires_at.map(from_column).transpose()?,
        revoked_at: revoked_at.map(from_column).transpose()?,
        last_used_at: last_used_at.map(from_column).transpose()?,
        secrets,
    })
}

/// A secret from its columns.
pub(crate) fn secret(digest: &[u8], created_at: i64, expires_at: Option<i64>) -> Result<ApiKeySecret, StoreError> {
    Ok(ApiKeySecret {
        digest: SecretDigest::from_bytes(digest)
            .ok_or_else(|| StoreError::Failed("the digest of an API key has a wrong length".to_owned()))?,
        created_at: from_column(created_at)?,
        expires_at: expires_at.map(from_column).transpose()?,
    })
}
