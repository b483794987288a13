//! The port for browsers in which someone signed in.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{Delivery, SecretDigest, SessionId, SignIn, SignInId, UserId};

/// What became of a new sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInStart {
    /// Its cookie works.
    Begun,
    /// The password that was checked is no longer the user's, or the account is gone; nothing changed.
    PasswordChanged,
}

/// What became of a renewed sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInRenewal {
    /// The new cookie works, the old one does not.
    Renewed,
    /// The user has no such sign-in any more.
    Gone,
    /// The password that was checked is no longer the user's, or the account is gone; nothing changed.
    PasswordChanged,
}

/// A sign-in that ends, and what goes with it.
#[derive(Debug, Clone)]
pub struct Leaving {
    /// The sign-in.
    pub sign_in: SignInId,
    /// Sessions that end with it; each one's revocation is recorded.
    pub sessions: Vec<SessionId>,
    /// When the last access token of them has expired by itself.
    pub tokens_until: Timestamp,
    /// Messages to those who want to know.
    pub messages: Vec<Delivery>,
}

/// Stores sign-ins. A cookie is stored as a digest.
#[async_trait]
pub trait SignIns: Send + Sync {
    /// Begins one while the user still has the password hash that was checked. None that began with an older hash
    /// outlives [`change_password`](super::Users::change_password), however the two meet.
    async fn begin(&self, sign_in: &SignIn, proof: &str) -> Result<SignInStart, StoreError>;

    /// The sign-in behind a cookie, unless its time is over.
    async fn find_sign_in(&self, cookie: &SecretDigest, now: Timestamp) -> Result<Option<SignIn>, StoreError>;

    /// Notes that a browser was seen. An older moment changes nothing.
    async fn note_seen(&self, id: SignInId, at: Timestamp) -> Result<(), StoreError>;

    /// Notes that someone signed in again in the same browser, while the user still has the password hash that was
    /// checked: all is new but the id, the user and the beginning.
    async fn renew(&self, renewed: &SignIn, proof: &str) -> Result<SignInRenewal, StoreError>;

    /// Ends one and all that goes with it, in one step. Answers whether it was there; if not, nothing happens. Of two
    /// callers, exactly one ends it.
    async fn leave(&self, leaving: &Leaving) -> Result<bool, StoreError>;

    /// One of one user, unless its time is over.
    async fn sign_in_of(&self, user: UserId, id: SignInId, now: Timestamp) -> Result<Option<SignIn>, StoreError>;

    /// Those of one user, newest first, at most so many.
    async fn sign_ins_of(&self, user: UserId, now: Timestamp, most: u32) -> Result<Vec<SignIn>, StoreError>;
}
