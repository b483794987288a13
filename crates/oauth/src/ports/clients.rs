//! The port for registered apps.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{Client, ClientId, ClientSecret, Revocation};

/// What became of a registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientRegistration {
    /// The client exists now.
    Registered,
    /// Another client has this id; nothing changed.
    IdTaken,
}

/// What became of a change to secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecretChange {
    /// The new secret works, the old ones until their end.
    Changed,
    /// No such client.
    UnknownClient,
}

/// What became of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientRemoval {
    /// The client, its secrets and its sessions are gone, its tokens revoked.
    Removed,
    /// No such client.
    UnknownClient,
}

/// Stores registered apps.
#[async_trait]
pub trait Clients: Send + Sync {
    /// Adds a client with its secrets, unless the id is taken. Of two callers with one id, exactly one registers.
    async fn register(&self, client: &Client) -> Result<ClientRegistration, StoreError>;

    /// Replaces everything but the id, the secrets and the date.
    async fn update(&self, client: &Client) -> Result<bool, StoreError>;

    /// Looks a client up.
    async fn find(&self, id: &ClientId) -> Result<Option<Arc<Client>>, StoreError>;

    /// The clients that have registered this web origin.
    async fn of_origin(&self, origin: &str) -> Result<Vec<ClientId>, StoreError>;

    /// All clients, by id.
    async fn list(&self) -> Result<Vec<Client>, StoreError>;

    /// Adds a secret and lets all earlier ones end at `others_until`, in one step.
    async fn add_secret(
        &self,
        id: &ClientId,
        secret: &ClientSecret,
        others_until: Timestamp,
    ) -> Result<SecretChange, StoreError>;

    /// Removes a client and records the revocation of its tokens, in one step.
    async fn remove(&self, id: &ClientId, tokens: &Revocation) -> Result<ClientRemoval, StoreError>;
}
