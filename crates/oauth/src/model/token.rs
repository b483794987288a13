//! Access tokens: what one says once it is opened. No table holds them.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Algorithm, Certificate, ClientId, SessionId};
use crate::protocol::Scope;

/// The `jti`: names one access token, so that it alone can be revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenId(pub Uuid);

impl fmt::Display for TokenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// How an access token looks from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessTokenFormat {
    /// Sealed: only this server can read it.
    Opaque,
    /// Signed (RFC 9068): anyone with the published keys can read and check it.
    Jwt(Algorithm),
}

/// What an access token says.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessToken {
    /// Its own name.
    pub id: TokenId,
    /// The session it belongs to; none when the client speaks for itself.
    pub session: Option<SessionId>,
    /// The app that holds it.
    pub client: ClientId,
    /// Whom it speaks for: a user, or the client itself.
    pub subject: String,
    /// What it allows.
    pub scope: Scope,
    /// The API it is meant for.
    pub audience: String,
    /// When it was made, to the millisecond; a JWT keeps the second.
    pub issued_at: Timestamp,
    /// When it stops working.
    pub expires_at: Timestamp,
    /// The API version its client pinned.
    pub version_pin: Option<String>,
    /// The certificate it is bound to, by its thumbprint.
    pub key_binding: Option<String>,
    /// When its user signed in; a JWT keeps the second.
    pub authenticated_at: Option<Timestamp>,
}

impl AccessToken {
    /// May whoever shows this certificate use it? A token that is bound to none is good for its bearer.
    pub fn is_held_by(&self, certificate: Option<&Certificate>, now: Timestamp) -> bool {
        let shown = certificate.filter(|certificate| certificate.holds_at(now));
        self.key_binding.as_ref().is_none_or(|bound| shown.is_some_and(|shown| shown.thumbprint == *bound))
    }
}
