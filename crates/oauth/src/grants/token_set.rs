//! What the client gets, and the form in which it is kept for a retry.

use serde::{Deserialize, Serialize};

use crate::model::Secret;
use crate::protocol::Scope;

/// What the client gets.
#[derive(Debug)]
pub struct TokenSet {
    /// Opens the API.
    pub access_token: Secret,
    /// Seconds until it expires.
    pub expires_in: u64,
    /// What it allows.
    pub scope: Scope,
    /// Renews it; only with a session.
    pub refresh_token: Option<Secret>,
    /// Says who the user is; only with `openid`.
    pub id_token: Option<Secret>,
}

/// The same, as it is sealed away. It exists in the open only between two lines.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    access_token: String,
    expires_in: u64,
    scope: Scope,
    refresh_token: Option<String>,
    id_token: Option<String>,
}

impl TokenSet {
    pub(super) fn kept(&self) -> Kept {
        let text = |secret: &Option<Secret>| secret.as_ref().map(|secret| secret.expose().to_owned());
        Kept {
            access_token: self.access_token.expose().to_owned(),
            expires_in: self.expires_in,
            scope: self.scope.clone(),
            refresh_token: text(&self.refresh_token),
            id_token: text(&self.id_token),
        }
    }

    pub(super) fn from_kept(bytes: &[u8]) -> Option<Self> {
        let kept: Kept = serde_json::from_slice(bytes).ok()?;
        Some(Self {
            access_token: Secret::new(kept.access_token),
            expires_in: kept.expires_in,
            scope: kept.scope,
            refresh_token: kept.refresh_token.map(Secret::new),
            id_token: kept.id_token.map(Secret::new),
        })
    }
}
