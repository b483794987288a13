//! Clients in memory.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{Client, ClientId, ClientSecret, Revocation};
use valetkey_oauth::ports::{ClientRegistration, ClientRemoval, Clients, SecretChange, StoreError};

use super::Memory;

#[async_trait]
impl Clients for Memory {
    async fn register(&self, client: &Client) -> Result<ClientRegistration, StoreError> {
        let (mut state, id) = (self.state(), client.id.to_string());
        if state.clients.contains_key(&id) {
            return Ok(ClientRegistration::IdTaken);
        }
        state.clients.insert(id, client.clone());
        Ok(ClientRegistration::Registered)
    }

    async fn update(&self, client: &Client) -> Result<bool, StoreError> {
        let mut state = self.state();
        let Some(known) = state.clients.get_mut(client.id.as_str()) else { return Ok(false) };
        *known = Client { secrets: known.secrets.clone(), created_at: known.created_at, ..client.clone() };
        Ok(true)
    }

    async fn find(&self, id: &ClientId) -> Result<Option<Arc<Client>>, StoreError> {
        Ok(self.state().clients.get(id.as_str()).cloned().map(Arc::new))
    }

    async fn of_origin(&self, origin: &str) -> Result<Vec<ClientId>, StoreError> {
        let state = self.state();
        let having = state.clients.values().filter(|client| client.origins.iter().any(|known| known == origin));
        Ok(having.map(|client| client.id.clone()).collect())
    }

    async fn list(&self) -> Result<Vec<Client>, StoreError> {
        Ok(self.state().clients.values().cloned().collect())
    }

    async fn add_secret(
        &self,
        id: &ClientId,
        secret: &ClientSecret,
        others_until: Timestamp,
    ) -> Result<SecretChange, StoreError> {
        let mut state = self.state();
        let Some(client) = state.clients.get_mut(id.as_str()) else { return Ok(SecretChange::UnknownClient) };
        for old in &mut client.secrets {
            old.expires_at = Some(old.expires_at.map_or(others_until, |end| end.min(others_until)));
        }
        client.secrets.push(secret.clone());
        Ok(SecretChange::Changed)
    }

    async fn remove(&self, id: &ClientId, tokens: &Revocation) -> Result<ClientRemoval, StoreError> {
        let mut state = self.state();
        if state.clients.remove(id.as_str()).is_none() {
            return Ok(ClientRemoval::UnknownClient);
        }
        state.sessions.retain(|_, session| session.client != *id);
        state.consents.retain(|_, consent| consent.client != *id);
        state.devices.retain(|_, device| device.client != *id);
        state.revocations.push(tokens.clone());
        Ok(ClientRemoval::Removed)
    }
}
