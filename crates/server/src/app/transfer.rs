//! Which engine reads and writes what a backup, a restore or a copy moves. Knows no tables.

use valetkey_store::transfer::{Source, Target, TransferError};
use valetkey_store::{postgres, sqlite};

use super::engine::{EngineError, make_folder, settings_of};
use crate::config::{Config, Database};

/// What a file is called while a backup is restored into it.
const RESTORING: &str = ".restoring";
/// What it is called while another store is copied into it.
const COPYING: &str = ".copying";

/// Why nothing can be moved.
#[derive(Debug, thiserror::Error)]
pub enum MovingError {
    /// The folder of an embedded database.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Everything else.
    #[error(transparent)]
    Transfer(#[from] TransferError),
}

/// What arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// A backup, at once or not at all.
    Backup,
    /// The rows of another store, which may take several attempts.
    Copy,
}

/// What a person calls the engine.
pub fn engine(database: &Database) -> &'static str {
    match database {
        Database::Sqlite(_) => "SQLite",
        Database::Postgres(_) => "PostgreSQL",
    }
}

/// Opens a store to read all of it. `alone`: no server may use it.
pub async fn source(config: &Config, database: &Database, alone: bool) -> Result<Box<dyn Source>, MovingError> {
    Ok(match database {
        Database::Sqlite(path) => Box::new(sqlite::Export::open(path, alone)?),
        Database::Postgres(url) => {
            Box::new(postgres::Export::open(&settings_of(config, url), &database.to_string(), alone).await?)
        }
    })
}

/// Opens a store to fill it. No server may use it.
pub async fn target(config: &Config, database: &Database, what: Arrival) -> Result<Box<dyn Target>, MovingError> {
    Ok(match database {
        Database::Sqlite(path) => {
            make_folder(path)?;
            let suffix = if what == Arrival::Backup { RESTORING } else { COPYING };
            Box::new(sqlite::Import::open(path, suffix)?)
        }
        Database::Postgres(url) => {
            Box::new(postgres::Import::open(&settings_of(config, url), &database.to_string()).await?)
        }
    })
}
