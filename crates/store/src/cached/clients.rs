//! Clients from memory.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{Client, ClientId, ClientSecret, Revocation};
use valetkey_oauth::ports::{ClientRegistration, ClientRemoval, Clients, SecretChange, StoreError};

use super::brief::Brief;

/// No host has an origin that is longer. Anybody may make one up, and none of those is to take much memory.
const LONGEST: usize = 300;

/// Remembers what another engine found, for half a second.
pub struct CachedClients {
    engine: Arc<dyn Clients>,
    /// Only clients that exist: a flood of made-up ids must not push them out.
    found: Brief<ClientId, Arc<Client>>,
    /// Ids that nobody has: asking for one again and again costs no question to the store.
    missing: Brief<ClientId, ()>,
    /// Whose an origin is, nobody's among them.
    origins: Brief<String, Arc<Vec<ClientId>>>,
}

impl CachedClients {
    /// Stands before `engine`.
    pub fn new(engine: Arc<dyn Clients>) -> Self {
        Self { engine, found: Brief::default(), missing: Brief::default(), origins: Brief::default() }
    }
}

#[async_trait]
impl Clients for CachedClients {
    async fn register(&self, client: &Client) -> Result<ClientRegistration, StoreError> {
        let outcome = self.engine.register(client).await;
        self.missing.forget(&client.id);
        self.origins.forget_all();
        outcome
    }

    async fn update(&self, client: &Client) -> Result<bool, StoreError> {
        let outcome = self.engine.update(client).await;
        self.found.forget(&client.id);
        self.origins.forget_all();
        outcome
    }

    async fn find(&self, id: &ClientId) -> Result<Option<Arc<Client>>, StoreError> {
        if let Some(client) = self.found.get(id) {
            return Ok(Some(client));
        }
        // What could never be registered is not looked for either.
        if !ClientId::is_well_formed(id.as_str()) || self.missing.get(id).is_some() {
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
        if origin.len() <= LONGEST {
            self.origins.insert(origin.to_owned(), Arc::new(clients.clone()));
        }
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
        self.found.forget(id);
        outcome
    }

    async fn remove(&self, id: &ClientId, tokens: &Revocation) -> Result<ClientRemoval, StoreError> {
        let outcome = self.engine.remove(id, tokens).await;
        self.found.forget(id);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use valetkey_testkit::memory::Memory;

    use super::*;

    #[tokio::test]
    async fn an_origin_that_no_host_has_is_not_remembered() {
        let clients = CachedClients::new(Arc::new(Memory::default()));
        let long = format!("https://{}.example", "a".repeat(LONGEST));

        for origin in ["https://app.example", &long] {
            clients.of_origin(origin).await.unwrap();
        }

        assert!(clients.origins.get("https://app.example").is_some());
        assert!(clients.origins.get(long.as_str()).is_none());
    }
}
