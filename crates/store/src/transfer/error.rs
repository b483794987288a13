//! Why data did not get from one place to another. Every sentence says what to do next, and none holds a password.

use std::fmt::Write;
use std::path::PathBuf;

use valetkey_oauth::ports::StoreError;

use crate::migration::MigrationError;
use crate::sqlite::LockError;

/// Why a backup, a restore or a copy was not done.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// The store did not do its part.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The tables cannot be made, or are not ours to read.
    #[error(transparent)]
    Migration(#[from] MigrationError),
    /// A server has the file.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// The system refused.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// There is no store.
    #[error("there is no store at {0}. Name one with --data or --database, or with --from if it is to be copied")]
    NoStore(String),
    /// The file is something else.
    #[error("this is no backup of valetkey. Name a file that `valetkey backup` wrote")]
    NoBackup,
    /// The file is of a later format.
    #[error("this backup was written in format {0}, and this binary knows format 1. Restore it with a newer valetkey")]
    NewerFormat(u32),
    /// The rows are of a later schema.
    #[error(
        "these tables are at version {found}, and this binary knows versions up to {known}: a newer valetkey wrote them. \
         Use that newer binary"
    )]
    Newer {
        /// What was found.
        found: i64,
        /// What the binary knows.
        known: i64,
    },
    /// The file is not as it was written.
    #[error("the backup is damaged: {0}. Nothing was changed. Use another copy of it, or an older backup")]
    Damaged(String),
    /// Data would be lost.
    #[error("{place} is not empty: {}. Nothing was changed. {remedy}", counted(found))]
    Occupied {
        /// Which store.
        place: String,
        /// The tables that have rows, and how many.
        found: Vec<(String, u64)>,
        /// What to do.
        remedy: &'static str,
    },
    /// Tables of someone else.
    #[error(
        "{place} has a table `{table}` that valetkey did not make. Nothing was changed. Use a database, or a schema, of its own"
    )]
    Foreign {
        /// Which store.
        place: String,
        /// The table.
        table: String,
    },
    /// Someone uses it.
    #[error("{place} is in use: {users}. Nothing was changed. {remedy}")]
    InUse {
        /// Which store.
        place: String,
        /// By whom.
        users: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A copy from somewhere else has begun there.
    #[error(
        "a copy from {begun} into {place} was not finished. Run that copy again to finish it, or give --restart to drop \
         what it has done"
    )]
    Unfinished {
        /// Where to.
        place: String,
        /// Where from.
        begun: String,
    },
    /// The rows over there are not those from here.
    #[error(
        "the table `{table}` is not the same on both sides after the copy: {here} rows here, {there} rows there. The copy \
         is not complete; run it again"
    )]
    Differs {
        /// The table.
        table: String,
        /// Rows in the source.
        here: u64,
        /// Rows in the target.
        there: u64,
    },
    /// PostgreSQL's texts hold no zero byte.
    #[error(
        "a row of `{table}` has a zero byte in `{column}`, which PostgreSQL cannot hold. Change that row, then copy again"
    )]
    ZeroByte {
        /// The table.
        table: String,
        /// The column.
        column: String,
    },
}

fn counted(found: &[(String, u64)]) -> String {
    let mut text = String::from("it has ");
    for (place, (table, rows)) in found.iter().enumerate() {
        let comma = if place == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}{rows} in {table}");
    }
    text
}
