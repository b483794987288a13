//! The port for people.

use async_trait::async_trait;

use super::StoreError;
use crate::model::{SecretDigest, SignInId, User, UserId};

/// What became of a new account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserAddition {
    /// The account exists now.
    Added,
    /// Someone else has this name; nothing changed.
    NameTaken,
}

/// What became of a new password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordChange {
    /// It is the new one now.
    Changed,
    /// The password was changed in between, or the account or the sign-in is gone; nothing changed.
    Overtaken,
}

/// Stores people.
#[async_trait]
pub trait Users: Send + Sync {
    /// Adds an account unless the name is taken (without regard to ASCII case). Of two callers, exactly one adds.
    async fn add(&self, user: &User) -> Result<UserAddition, StoreError>;

    /// Looks an account up by what its owner types.
    async fn find_by_username(&self, username: &str) -> Result<Option<User>, StoreError>;

    /// The accounts that have this e-mail address, without regard to ASCII case: two at most, for two are too many. Those
    /// that have verified it come first.
    async fn find_by_email(&self, email: &str) -> Result<Vec<User>, StoreError>;

    /// Puts a password hash in the place of another, ends every sign-in of the user but `keep` and gives that one a new
    /// cookie, in one step. Of two callers with one hash before, exactly one changes it.
    async fn change_password(
        &self,
        id: UserId,
        before: &str,
        after: &str,
        keep: SignInId,
        cookie: SecretDigest,
    ) -> Result<PasswordChange, StoreError>;

    /// Puts a password hash in the place of whichever is there, and ends every sign-in of the user, in one step; `false` if
    /// there is no such account.
    async fn reset_password(&self, id: UserId, after: &str) -> Result<bool, StoreError>;

    /// Looks an account up by its subject identifier.
    async fn find_user(&self, id: UserId) -> Result<Option<User>, StoreError>;

    /// Accounts by their names without regard to ASCII case, those after a name, at most so many.
    async fn list_users(&self, after: Option<&str>, limit: u32) -> Result<Vec<User>, StoreError>;

    /// Writes all of an account but its name at sign-in and its password; `false` if there is no such account.
    async fn update_user(&self, user: &User) -> Result<bool, StoreError>;

    /// Removes an account; `false` if there is no such account. What stood on it is the caller's to end.
    async fn remove_user(&self, id: UserId) -> Result<bool, StoreError>;
}
