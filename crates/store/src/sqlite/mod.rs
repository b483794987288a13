//! SQLite: one writer thread that commits many transitions at once, readers beside it, one file.

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
mod words;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use connection::{FileLock, LockError};
pub use export::Export;
pub use filling::Progress;
pub use import::Import;
pub(crate) use migrations::newest;
pub use migrations::{check, migrate, pending};

use connection::{Readers, RowGeneration, Writer};
use valetkey_oauth::ports::{Ports, StoreError};

use crate::edit::Apart;
use crate::lately::Lately;
use crate::shape::Preparations;
use crate::statement::{Book, Dialect, Familiar, Habits, Ways};
use crate::turns::Turns;

/// The embedded engine.
pub struct Sqlite {
    writer: Writer,
    readers: Readers,
    path: PathBuf,
    statements: Arc<Book>,
    lately: Lately<RowGeneration>,
    habits: Habits,
    familiar: Familiar<Ways>,
    preparations: Arc<Preparations>,
    turns: Turns,
    apart: Apart,
}

impl Sqlite {
    /// Opens a database whose tables are up to date; see [`migrate`].
    pub fn open(path: &Path) -> Result<Arc<Self>, StoreError> {
        let writer = Writer::start(path)?;
        let readers = Readers::open(path)?;
        Ok(Arc::new(Self {
            writer,
            readers,
            path: path.to_owned(),
            statements: Arc::new(Book::new(Dialect::Sqlite)),
            lately: Lately::default(),
            habits: Habits::default(),
            familiar: Familiar::default(),
            preparations: Arc::default(),
            turns: Turns::default(),
            apart: Apart::default(),
        }))
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
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

/// What an error of the library means for a caller.
pub(crate) fn store_error(error: rusqlite::Error) -> StoreError {
    use rusqlite::ErrorCode::{
        CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase, ReadOnly, SystemIoFailure,
    };
    match error.sqlite_error_code() {
        Some(CannotOpen | DatabaseBusy | DatabaseLocked | DiskFull | ReadOnly | SystemIoFailure) => {
            StoreError::Unavailable(error.to_string())
        }
        Some(DatabaseCorrupt | NotADatabase) => StoreError::Failed(format!(
            "the database file is damaged or no database at all ({error}). Nothing was changed. Restore it from a backup, \
             or move it away to begin anew"
        )),
        _ => StoreError::Failed(error.to_string()),
    }
}

/// What SQLite says it will do for a statement, in a file that is up to date and empty.
#[cfg(test)]
fn plan_of(sql: &str, values: impl rusqlite::Params) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    migrate(&path, |_| {}).unwrap();
    let connection = rusqlite::Connection::open(&path).unwrap();
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps = statement.query_map(values, |row| row.get::<_, String>(3)).unwrap();
    steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
}
