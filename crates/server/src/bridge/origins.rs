//! Web origins that clients have registered: what the store knows of them, for the layer that browsers ask.

use std::sync::Arc;

use valetkey_oauth::Authority;
use valetkey_rest::cors::{Origins, async_trait};

/// Asks the store, through its memory of half a second.
pub struct RegisteredOrigins(pub Arc<Authority>);

#[async_trait]
impl Origins for RegisteredOrigins {
    async fn allow(&self, origin: &str, client: Option<&str>) -> bool {
        // While the store is away, a page cannot read that it is: no origin is let in by guessing.
        let clients = self.0.ports.clients.of_origin(origin).await.unwrap_or_default();
        match client {
            None => !clients.is_empty(),
            Some(client) => clients.iter().any(|known| known.as_str() == client),
        }
    }
}
