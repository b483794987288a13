//! PostgreSQL: one database for many nodes. A transition is one statement, atomic by itself, wherever one is enough.

mod alerts;
mod answers;
mod clients;
mod connection;
mod consents;
mod deliveries;
mod devices;
mod keys;
mod migrations;
mod revocations;
mod sessions;
mod sign_ins;
mod sweeping;
mod users;

use std::sync::Arc;

pub use connection::Settings;
pub use migrations::{check, migrate, pending};

use connection::Connections;
use revocations::Positions;
use valetkey_oauth::ports::{Ports, StoreError, Sweeping};

/// The engine for many nodes.
pub struct Postgres {
    connections: Connections,
    positions: Positions,
}

impl Postgres {
    /// Opens a database whose tables are up to date; see [`migrate`]. Answers once the database has.
    pub async fn open(settings: &Settings) -> Result<Arc<Self>, StoreError> {
        let engine = Self { connections: Connections::new(settings)?, positions: Positions::default() };
        engine.ping().await?;
        Ok(Arc::new(engine))
    }

    /// This engine behind every port.
    pub fn ports(self: Arc<Self>) -> Ports {
        Ports::of(self)
    }
}
