//! An anchor: between two commits, one connection rests in the newest state of the database.
//!
//! Who begins to read takes a lock of the system, and gives it back at the end: two calls for a read of a few microseconds.
//! Within a process SQLite counts how many hold the same lock, and asks the system for the first and the last of them alone.
//! While the anchor is down, nobody else is the first or the last.
//!
//! It is up during a commit: the log is brought into the file then, and starts over only if nobody stands in the way.

use std::path::Path;

use rusqlite::Connection;
use valetkey_oauth::ports::StoreError;

use super::open_reader;

/// Where there is no connection, nothing is held.
#[derive(Default)]
pub(super) struct Anchor(Option<Connection>);

impl Anchor {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        Ok(Self(Some(open_reader(path, false)?)))
    }

    /// Rests in the newest state. If it fails, others pay for their locks.
    pub(super) fn drop_here(&self) {
        self.say("BEGIN");
        self.say("PRAGMA schema_version");
    }

    /// Stands in nobody's way.
    pub(super) fn weigh(&self) {
        self.say("COMMIT");
    }

    fn say(&self, sql: &str) {
        if let Some(connection) = &self.0 {
            let said = connection.prepare_cached(sql).and_then(|mut said| said.query([])?.next().map(|_| ()));
            // A transaction that is already there, or is not: either way the next commit begins anew.
            let _ = said;
        }
    }
}

#[cfg(test)]
mod tests;
