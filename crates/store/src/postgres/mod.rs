//! PostgreSQL: one database for many nodes. A transition is one statement, atomic by itself, wherever one is enough.

mod alerts;
mod answers;
mod api_keys;
pub mod api_shape;
mod bound;
mod cascade;
mod clients;
mod connection;
mod consents;
mod deliveries;
mod devices;
mod export;
mod filling;
mod import;
mod kept_answers;
mod keys;
mod links;
mod migrations;
mod operations;
mod pages;
mod raising;
mod revocations;
mod rows;
mod sealing;
mod sessions;
mod sign_ins;
mod sweeping;
mod together;
mod usage;
mod users;
mod writing;

use std::sync::Arc;

pub use connection::Settings;
pub use export::Export;
pub use filling::Progress;
pub use import::Import;
pub use migrations::{Beside, check, migrate, pending};

use connection::Connections;
use revocations::Positions;
use valetkey_oauth::ports::{Ports, StoreError, Sweeping};

use crate::edit::Apart;
use crate::shape::Preparations;
use crate::statement::{Book, Dialect};
use crate::turns::Turns;

/// The engine for many nodes.
pub struct Postgres {
    connections: Connections,
    clients: clients::Finder,
    positions: Positions,
    suspects: revocations::Suspects,
    rotations: together::Rotations,
    openings: together::Openings,
    polls: together::Polls,
    statements: Book,
    finders: together::Finders,
    makers: together::Makers,
    changers: together::Changers,
    preparations: Arc<Preparations>,
    crowd: connection::Crowd,
    heart: connection::ByHeart,
    asked: pages::Asked,
    bulk: pages::Bulk,
    apart: Apart,
    turns: Turns,
}

impl Postgres {
    /// Opens a database whose tables are up to date; see [`migrate`]. Answers once the database has.
    pub async fn open(settings: &Settings) -> Result<Arc<Self>, StoreError> {
        let connections = Connections::new(settings)?;
        let engine = Self {
            clients: clients::finder(&connections),
            positions: Positions::default(),
            suspects: revocations::suspects(&connections),
            rotations: together::rotations(&connections),
            openings: together::openings(&connections),
            polls: together::polls(&connections),
            statements: Book::new(Dialect::Postgres),
            finders: together::Finders::default(),
            makers: together::Makers::default(),
            changers: together::Changers::default(),
            preparations: Arc::default(),
            crowd: connection::Crowd::default(),
            heart: connection::ByHeart::default(),
            asked: pages::Asked::default(),
            bulk: pages::Bulk::default(),
            apart: Apart::default(),
            turns: Turns::default(),
            connections,
        };
        engine.ping().await?;
        Ok(Arc::new(engine))
    }

    /// This engine behind every port.
    pub fn ports(self: Arc<Self>) -> Ports {
        Ports::of(self)
    }

    /// This engine behind every port of the declared API.
    pub fn resource_ports(self: Arc<Self>) -> valetkey_resources::ports::Ports {
        valetkey_resources::ports::Ports::of(self)
    }
}
