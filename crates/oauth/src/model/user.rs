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

/// What stands in the place of a password hash where there is no password. No password has this hash.
pub const NO_PASSWORD: &str = "-";

/// In a profile: the issuer on whose word alone the e-mail address counts as verified. No claim, and told to nobody.
pub const VOUCHED_BY: &str = "email_vouched_by";

/// A person who can sign in.
#[derive(Debug, Clone)]
pub struct User {
    /// The subject identifier, never reused.
    pub id: UserId,
    /// What they type at sign-in; compared without regard to ASCII case.
    pub username: String,
    /// Argon2id in PHC form, or [`NO_PASSWORD`].
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
    /// Can they sign in with a password?
    pub fn has_password(&self) -> bool {
        self.password_hash != NO_PASSWORD
    }

    /// Did someone make sure that the e-mail address is theirs, on whose word this provider may act? What one provider
    /// says is no proof for another: whoever deceives the first would own what the second brings.
    pub fn has_verified_email_for(&self, issuer: &str) -> bool {
        let is_own = self.profile.get(VOUCHED_BY).is_none_or(|voucher| voucher == issuer);
        self.has_verified_email() && is_own
    }

    /// Has anyone verified their address?
    pub fn has_verified_email(&self) -> bool {
        let is_verified = self.profile.get("email_verified") == Some(&serde_json::Value::Bool(true));
        self.email.is_some() && is_verified
    }

    /// May they let an app do this? Whom they are is always theirs to tell.
    pub fn may_give(&self, name: &str) -> bool {
        OF_USERS.contains(&name) || self.scope.as_ref().is_none_or(|most| most.contains(name))
    }
}
