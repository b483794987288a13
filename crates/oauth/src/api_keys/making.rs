//! Making keys, renewing them with an overlap, taking them back.

use std::time::Duration;

use ipnet::IpNet;
use jiff::Timestamp;

use crate::Authority;
use crate::model::{API_KEY_PREFIX, ApiKey, ApiKeyId, ApiKeySecret, Secret};
use crate::moment::later;
use crate::ports::{ApiKeyChange, StoreError};
use crate::protocol::Scope;

const LONGEST_NAME: usize = 200;
/// Each is looked at on every request.
const MOST_NETWORKS: usize = 64;

/// What a new key is for.
#[derive(Debug, Clone, Default)]
pub struct NewApiKey {
    /// What people call it.
    pub name: String,
    /// All it may do.
    pub scope: Scope,
    /// Where it may be used from; empty for anywhere.
    pub networks: Vec<IpNet>,
    /// The version of the API that its requests mean when they say none.
    pub version_pin: Option<String>,
    /// How long it works; without it, until it is taken back.
    pub lifetime: Option<Duration>,
}

/// A key with the secret that is shown once.
#[derive(Debug)]
pub struct Made {
    /// The key.
    pub key: ApiKey,
    /// What is presented.
    pub secret: Secret,
}

/// Why a key was not made or changed.
#[derive(Debug, thiserror::Error)]
pub enum ApiKeyError {
    /// Names are shown to people.
    #[error("an API key needs a name of 1 to 200 characters, without line breaks and other control characters")]
    BadName,
    /// A list that long is a firewall's work.
    #[error("an API key has at most 64 networks; name larger ones")]
    TooManyNetworks,
    /// A key that is dead when it is made is a mistake.
    #[error("an API key lives for at least a second")]
    NoLifetime,
    /// No such key.
    #[error("there is no API key {0}; `valetkey apikey list` shows those that exist")]
    Unknown(ApiKeyId),
    /// It was taken back.
    #[error("the API key {0} was revoked; make a new one with `valetkey apikey add`")]
    Revoked(ApiKeyId),
    /// Its time is over, and a new secret would not give it more.
    #[error("the API key {0} has expired; make a new one with `valetkey apikey add`")]
    Expired(ApiKeyId),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a key.
pub async fn make(authority: &Authority, new: NewApiKey) -> Result<Made, ApiKeyError> {
    let letters = new.name.chars().count();
    if new.name.trim().is_empty() || letters > LONGEST_NAME || new.name.chars().any(char::is_control) {
        return Err(ApiKeyError::BadName);
    }
    if new.networks.len() > MOST_NETWORKS {
        return Err(ApiKeyError::TooManyNetworks);
    }
    if new.lifetime.is_some_and(|lifetime| lifetime < Duration::from_secs(1)) {
        return Err(ApiKeyError::NoLifetime);
    }
    let now = authority.now();
    let secret = Secret::generate(API_KEY_PREFIX, &*authority.random);
    let key = ApiKey {
        id: ApiKeyId(authority.random.uuid()),
        name: new.name,
        scope: new.scope,
        networks: new.networks,
        version_pin: new.version_pin,
        created_at: now,
        expires_at: new.lifetime.map(|lifetime| later(now, lifetime)),
        revoked_at: None,
        last_used_at: None,
        secrets: vec![stored(&secret, now)],
    };
    authority.ports.api_keys.add_api_key(&key).await?;
    Ok(Made { key, secret })
}

/// Gives a key a new secret. What was presented before works on for `overlap`.
pub async fn rotate(authority: &Authority, id: ApiKeyId, overlap: Duration) -> Result<Secret, ApiKeyError> {
    let now = authority.now();
    let known = authority.ports.api_keys.list_api_keys().await?.into_iter().find(|key| key.id == id);
    if known.is_some_and(|key| key.expires_at.is_some_and(|end| end <= now)) {
        return Err(ApiKeyError::Expired(id));
    }
    let secret = Secret::generate(API_KEY_PREFIX, &*authority.random);
    let outcome = authority.ports.api_keys.rotate_api_key(id, &stored(&secret, now), later(now, overlap)).await?;
    done(id, outcome).map(|()| secret)
}

/// Takes a key back; it stays on record.
pub async fn revoke(authority: &Authority, id: ApiKeyId) -> Result<(), ApiKeyError> {
    done(id, authority.ports.api_keys.revoke_api_key(id, authority.now()).await?)
}

fn done(id: ApiKeyId, outcome: ApiKeyChange) -> Result<(), ApiKeyError> {
    match outcome {
        ApiKeyChange::Changed => Ok(()),
        ApiKeyChange::Revoked => Err(ApiKeyError::Revoked(id)),
        ApiKeyChange::Unknown => Err(ApiKeyError::Unknown(id)),
    }
}

fn stored(secret: &Secret, now: Timestamp) -> ApiKeySecret {
    ApiKeySecret { digest: secret.digest(), created_at: now, expires_at: None }
}
