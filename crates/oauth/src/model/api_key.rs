//! API keys: what services inside the house show instead of a token, and what each may do.

use std::fmt;
use std::net::IpAddr;

use ipnet::IpNet;
use jiff::Timestamp;
use uuid::Uuid;

use super::SecretDigest;
use crate::protocol::Scope;

/// What every key begins with, so that it is known for one wherever it turns up.
pub const API_KEY_PREFIX: &str = "vk_ak_";

/// Names a key without revealing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ApiKeyId(pub Uuid);

impl ApiKeyId {
    /// Whom requests with this key come from, where clients are named. The colon keeps it apart from every client's id.
    pub fn caller(&self) -> String {
        format!("apikey:{self}")
    }
}

impl fmt::Display for ApiKeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A key of a service.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiKey {
    /// Its name on the command line and in the log.
    pub id: ApiKeyId,
    /// What people call it.
    pub name: String,
    /// All it may do.
    pub scope: Scope,
    /// Where it may be used from; empty for anywhere.
    pub networks: Vec<IpNet>,
    /// The version of the API that its requests mean when they say none: a number, or a day.
    pub version_pin: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working, whatever happens.
    pub expires_at: Option<Timestamp>,
    /// When it was taken back.
    pub revoked_at: Option<Timestamp>,
    /// When it was last used, give or take some seconds.
    pub last_used_at: Option<Timestamp>,
    /// What is presented: more than one while a rotation overlaps.
    pub secrets: Vec<ApiKeySecret>,
}

/// One secret of a key, as stored.
#[derive(Debug, Clone)]
pub struct ApiKeySecret {
    /// SHA-256 of it.
    pub digest: SecretDigest,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working; `None` while no rotation has set an end.
    pub expires_at: Option<Timestamp>,
}

impl PartialEq for ApiKeySecret {
    fn eq(&self, other: &Self) -> bool {
        self.digest.matches(&other.digest) && (self.created_at, self.expires_at) == (other.created_at, other.expires_at)
    }
}

/// What can be said of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApiKeyState {
    /// It works.
    Active,
    /// Its time is over.
    Expired,
    /// It was taken back.
    Revoked,
}

impl ApiKey {
    /// Whether it works now.
    pub fn state(&self, now: Timestamp) -> ApiKeyState {
        if self.revoked_at.is_some() {
            ApiKeyState::Revoked
        } else if self.expires_at.is_some_and(|end| end <= now) {
            ApiKeyState::Expired
        } else {
            ApiKeyState::Active
        }
    }

    /// Does this digest belong to a secret that is still good?
    pub fn accepts(&self, presented: &SecretDigest, now: Timestamp) -> bool {
        let is_good = |secret: &ApiKeySecret| secret.expires_at.is_none_or(|end| now < end);
        self.state(now) == ApiKeyState::Active
            && self
                .secrets
                .iter()
                .fold(false, |found, secret| found | (secret.digest.matches(presented) & is_good(secret)))
    }

    /// May it be used from there? Where nobody knows the address, only a key that may be used anywhere.
    pub fn may_come_from(&self, address: Option<IpAddr>) -> bool {
        self.networks.is_empty()
            || address.is_some_and(|address| {
                let address = address.to_canonical();
                self.networks.iter().any(|network| network.contains(&address))
            })
    }
}
