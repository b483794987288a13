//! The port for people.

use async_trait::async_trait;

use super::StoreError;
use crate::model::{User, UserId};

/// What became of a new account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserAddition {
    /// The account exists now.
    Added,
    /// Someone else has this name; nothing changed.
    NameTaken,
}

/// Stores people.
#[async_trait]
pub trait Users: Send + Sync {
    /// Adds an account unless the name is taken (without regard to ASCII case). Of two callers, exactly one adds.
    async fn add(&self, user: &User) -> Result<UserAddition, StoreError>;

    /// Looks an account up by what its owner types.
    async fn find_by_username(&self, username: &str) -> Result<Option<User>, StoreError>;

    /// Looks an account up by its subject identifier.
    async fn find_user(&self, id: UserId) -> Result<Option<User>, StoreError>;
}
