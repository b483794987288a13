//! Sessions: one user's consent in use by one client. One row each; refresh tokens are generations of it.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::ClientId;
use crate::protocol::Scope;

/// Names a session. UUIDv7, so that new rows land beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(pub Uuid);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEnd {
    /// The client or its user signed out.
    Revoked,
    /// A refresh token came a second time, or too late.
    RefreshReused,
    /// An authorization code or a device code came a second time.
    CodeReplayed,
    /// Its user signed out, and it was to last no longer.
    SignedOut,
    /// An operator ended it.
    Operator,
}

impl SessionEnd {
    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Revoked => "revoked",
            Self::RefreshReused => "refresh_reused",
            Self::CodeReplayed => "code_replayed",
            Self::SignedOut => "signed_out",
            Self::Operator => "operator",
        }
    }

    /// Reads the word in the store.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Revoked, Self::RefreshReused, Self::CodeReplayed, Self::SignedOut, Self::Operator]
            .into_iter()
            .find(|end| end.as_str() == word)
    }
}

/// Is the session alive?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionState {
    /// Its tokens work.
    Active,
    /// None of its tokens works any more.
    Ended(SessionEnd),
}

/// Where a session began: shown to its user, who may not recognise it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SessionOrigin {
    /// The sign-in in whose browser consent was given; none for a device, which outlives that browser.
    pub sign_in: Option<Uuid>,
    /// The address it came from.
    pub address: Option<String>,
    /// What the browser called itself.
    pub agent: Option<String>,
}

/// What one user lets one client do, from the first code to the last refresh.
#[derive(Debug, Clone, PartialEq)]
pub struct Session {
    /// Its name; assigned with the code, so that a code is redeemed once.
    pub id: SessionId,
    /// The app.
    pub client: ClientId,
    /// The user's subject identifier.
    pub subject: String,
    /// What was consented to.
    pub scope: Scope,
    /// The resource it is for (RFC 8707), if one was named.
    pub resource: Option<String>,
    /// When the user signed in.
    pub authenticated_at: Timestamp,
    /// How the user signed in, as `amr` words.
    pub methods: Vec<String>,
    /// The refresh token that is good now.
    pub generation: u32,
    /// The key it is bound to, if any.
    pub key_binding: Option<String>,
    /// Claims asked for one by one (OpenID Connect Core §5.5), as JSON.
    pub claims: Option<String>,
    /// Where it began.
    pub origin: SessionOrigin,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last refreshed.
    pub used_at: Timestamp,
    /// When it ends whatever happens.
    pub expires_at: Timestamp,
    /// Alive or ended.
    pub state: SessionState,
}

impl Session {
    /// Does it still carry tokens?
    pub fn is_alive(&self, now: Timestamp) -> bool {
        self.state == SessionState::Active && now < self.expires_at
    }
}
