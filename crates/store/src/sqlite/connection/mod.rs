//! How each connection is set up: WAL, every commit on disk before it is answered.

mod anchor;
mod generation;
mod job;
mod lock;
mod log;
mod outside;
mod reader;
mod telling;
mod writer;

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

pub(super) use generation::{RowGeneration, Touches};
pub(super) use job::{Verdict, Work};
pub use lock::{FileLock, LockError};
pub(super) use reader::{Budget, Halt, Readers, Steps};
pub(super) use writer::Writer;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use valetkey_oauth::ports::StoreError;

use super::store_error;

/// Commands of an operator write beside the server; each waits this long for the other.
const PATIENCE: Duration = Duration::from_secs(5);

/// How much of the file readers map into memory: all of it. It takes room in the addresses of the process, and nowhere else.
const MAPPED: i64 = 1 << 40;

/// How much a connection keeps in memory that works through whole tables, in KiB; SQLite wants it negative.
pub(super) const LARGE_CACHE: i64 = -65_536;

/// The same of the connection that all transitions share. SQLite goes through all of it at the end of a transaction in which a
/// page of an index was split, as long as the file has less than a gigabyte; so more of it costs more than it saves (decision 0003).
const WRITER_CACHE: i64 = -4_096;

/// How long the log grows before a commit brings it into the file, in pages of 4 KiB, where nobody else sees to that (`log`). A
/// page that changed often in between is written there once.
const LOG: i64 = 16_384;

/// A connection that writes. Makes the file if it is missing.
pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    make(path)?;
    let connection = Connection::open(path).map_err(store_error)?;
    set_up(&connection).map_err(store_error)?;
    // A row has an entry in each index of its table, all over the file.
    connection.pragma_update(None, "cache_size", LARGE_CACHE).map_err(store_error)?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG).map_err(store_error)?;
    Ok(connection)
}

/// The file, closed to others. What SQLite puts beside it gets the same mode.
fn make(path: &Path) -> Result<(), StoreError> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    match made {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(StoreError::Unavailable(format!("{} cannot be made: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

/// The connection that all transitions share.
fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let connection = open(path)?;
    connection.pragma_update(None, "cache_size", WRITER_CACHE).map_err(store_error)?;
    Ok(connection)
}

/// A connection that reads. Mapped, pages that the system has in memory are read where they are: a list looks at many. But
/// the map is made anew after each commit of another connection.
pub(super) fn open_reader(path: &Path, is_mapped: bool) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(path, flags).map_err(store_error)?;
    set_up(&connection).map_err(store_error)?;
    connection.pragma_update(None, "query_only", true).map_err(store_error)?;
    if is_mapped {
        connection.pragma_update(None, "mmap_size", MAPPED).map_err(store_error)?;
    }
    Ok(connection)
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    // FULL: the log is on disk before a commit is answered, so that a power cut loses nothing that was.
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "temp_store", "memory")?;
    // What is bound does not decide how a statement is done. Otherwise each one with a limit is prepared anew each time.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(())
}
