//! Users: the people whose resources are shared.

use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

use crate::protocol::{OF_USERS, Scope};

/// The stable subject identifier of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UserId(pub Uuid);

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A person who can sign in.
#[derive(Debug, Clone)]
pub struct User {
    /// The subject identifier, never reused.
    pub id: UserId,
    /// What they type at sign-in; compared without regard to ASCII case.
    pub username: String,
    /// Argon2id in PHC form.
    pub password_hash: String,
    /// Their address, if known.
    pub email: Option<String>,
    /// Their full name, if known.
    pub name: Option<String>,
    /// Other standard claims of OpenID Connect, by their names there.
    pub profile: serde_json::Map<String, serde_json::Value>,
    /// May they administer this server?
    pub admin: bool,
    /// What they may let apps do at most; none means whatever they like.
    pub scope: Option<Scope>,
    /// When the account was made.
    pub created_at: Timestamp,
}

impl User {
    /// May they let an app do this? Whom they are is always theirs to tell.
    pub fn may_give(&self, name: &str) -> bool {
        OF_USERS.contains(&name) || self.scope.as_ref().is_none_or(|most| most.contains(name))
    }
}
