//! The port for browsers in which someone signed in.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{SecretDigest, SignIn, SignInId, UserId};

/// What became of a renewed sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInRenewal {
    /// The new cookie works, the old one does not.
    Renewed,
    /// There is no such sign-in any more.
    Gone,
}

/// Stores sign-ins. A cookie is stored as a digest.
#[async_trait]
pub trait SignIns: Send + Sync {
    /// Begins one.
    async fn begin(&self, sign_in: &SignIn) -> Result<(), StoreError>;

    /// The sign-in behind a cookie, unless its time is over.
    async fn find_sign_in(&self, cookie: &SecretDigest, now: Timestamp) -> Result<Option<SignIn>, StoreError>;

    /// Notes that someone signed in again in the same browser: a new time, new methods, a new cookie.
    async fn renew(&self, renewed: &SignIn) -> Result<SignInRenewal, StoreError>;

    /// Ends one; answers whether it was there.
    async fn end_sign_in(&self, id: SignInId) -> Result<bool, StoreError>;

    /// Those of one user, newest first.
    async fn sign_ins_of(&self, user: UserId, now: Timestamp) -> Result<Vec<SignIn>, StoreError>;
}
