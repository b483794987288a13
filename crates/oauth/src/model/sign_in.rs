//! Sign-ins: a browser in which someone proved who they are.

use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{SecretDigest, UserId};

/// Names a sign-in; `sid` in id_tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SignInId(pub Uuid);

impl fmt::Display for SignInId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A browser in which someone is signed in.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// Its name; stays when the cookie is renewed.
    pub id: SignInId,
    /// Who.
    pub user: UserId,
    /// Digest of the cookie.
    pub cookie: SecretDigest,
    /// When they last proved who they are.
    pub authenticated_at: Timestamp,
    /// How, as `amr` words.
    pub methods: Vec<String>,
    /// When it was last seen, to the nearest minutes.
    pub seen_at: Timestamp,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
    /// The address it came from.
    pub address: Option<String>,
    /// What the browser called itself.
    pub agent: Option<String>,
}
