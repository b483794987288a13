//! Clients from memory.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use moka::sync::Cache;
use valetkey_oauth::model::{Client, ClientId, ClientSecret, Revocation};
use valetkey_oauth::ports::{ClientRegistration, ClientRemoval, Clients, SecretChange, StoreError};

use super::cache;

/// Remembers what another engine found, for half a second.
pub struct CachedClients {
    engine: Arc<dyn Clients>,
    /// Only clients that exist: a flood of made-up ids must not push them out.
    found: Cache<ClientId, Arc<Client>>,
    /// Ids that nobody has: asking for one again and again costs no question to the store.
    missing: Cache<ClientId, ()>,
    /// Whose an origin is, nobody's among them.
    origins: Cache<String, Arc<Vec<ClientId>>>,
}

impl CachedClients {
    /// Stands before `engine`.
    pub fn new(engine: Arc<dyn Clients>) -> Self {
        Self { engine, found: cache(), missing: cache(), origins: cache() }
    }
}

#[async_trait]
impl Clients for CachedClients {
    async fn register(&self, client: &Client) -> Result<ClientRegistration, StoreError> {
        let outcome = self.engine.register(client).await;
        self.missing.invalidate(&client.id);
        self.origins.invalidate_all();
        outcome
    }

    async fn update(&self, client: &Client) -> Result<bool, StoreError> {
        let outcome = self.engine.update(client).await;
        self.found.invalidate(&client.id);
        self.origins.invalidate_all();
        outcome
    }

    async fn find(&self, id: &ClientId) -> Result<Option<Arc<Client>>, StoreError> {
        if let Some(client) = self.found.get(id) {
            return Ok(Some(client));
        }
        // What could never be registered is not looked for either.
        if !ClientId::is_well_formed(id.as_str()) || self.missing.contains_key(id) {
            return Ok(None);
        }
        let client = self.engine.find(id).await?;
        match &client {
            Some(client) => self.found.insert(id.clone(), client.clone()),
            None => self.missing.insert(id.clone(), ()),
        }
        Ok(client)
    }

    async fn of_origin(&self, origin: &str) -> Result<Vec<ClientId>, StoreError> {
        if let Some(known) = self.origins.get(origin) {
            return Ok(known.to_vec());
        }
        let clients = self.engine.of_origin(origin).await?;
        self.origins.insert(origin.to_owned(), Arc::new(clients.clone()));
        Ok(clients)
    }

    async fn list(&self) -> Result<Vec<Client>, StoreError> {
        self.engine.list().await
    }

    async fn add_secret(
        &self,
        id: &ClientId,
        secret: &ClientSecret,
        others_until: Timestamp,
    ) -> Result<SecretChange, StoreError> {
        let outcome = self.engine.add_secret(id, secret, others_until).await;
        self.found.invalidate(id);
        outcome
    }

    async fn remove(&self, id: &ClientId, tokens: &Revocation) -> Result<ClientRemoval, StoreError> {
        let outcome = self.engine.remove(id, tokens).await;
        self.found.invalidate(id);
        outcome
    }
}
