//! All rows of a store on their way: into a backup, out of one, or from one engine to the other. Engines read and write
//! tables (`sqlite/export`, `sqlite/import` and their twins); what happens in which order is decided here, once for both.

mod archive;
mod backup;
mod copying;
mod digest;
mod error;
mod inventory;
mod restore;
mod value;
mod verification;

use async_trait::async_trait;

pub use archive::{ArchiveReader, Header, Verified};
pub use backup::{Backup, back_up};
pub use copying::{Copied, copy};
pub use digest::Tally;
pub use error::TransferError;
pub use inventory::{Inventory, Table};
pub use restore::{Restored, restore};
pub use value::{Row, Value};

pub(crate) use archive::sync_folder;
pub(crate) use digest::hex;
pub(crate) use inventory::{Declared, TABLES, is_common, is_seal};
pub(crate) use value::{decode, encode};

/// So many rows are held at once, and written in one step.
pub(crate) const BATCH: usize = 2_000;
/// Fewer, once they have so many bytes.
pub(crate) const BATCH_BYTES: usize = 4 << 20;

/// Tells how far the work is: rows done, rows in all, and with what.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, u64, &str) + Send);

/// Where rows come from, all of them as they were at one moment.
#[async_trait]
pub trait Source: Send {
    /// What there is.
    async fn inventory(&mut self) -> Result<Inventory, TransferError>;

    /// Begins with a table, in the order of its key: with the row after this key, or with the first.
    async fn begin(&mut self, table: &Table, after: Option<Row>) -> Result<(), TransferError>;

    /// The next rows of that table; none at its end.
    async fn next(&mut self) -> Result<Vec<Row>, TransferError>;
}

/// Where rows go. What was written can be read again, before anyone else sees it.
#[async_trait]
pub trait Target: Source {
    /// What people call it, without a password.
    fn place(&self) -> String;

    /// The tables that have rows, and how many. Refuses tables that are not ours.
    async fn occupants(&mut self) -> Result<Vec<(String, u64)>, TransferError>;

    /// What an earlier copy has left.
    async fn unfinished(&mut self) -> Result<Option<Unfinished>, TransferError>;

    /// Makes empty tables of this inventory, in place of all that is there. `begun`: the name of the source, for a copy
    /// that may be continued.
    async fn prepare(&mut self, inventory: &Inventory, begun: Option<&str>) -> Result<(), TransferError>;

    /// Goes on with tables that are there.
    async fn resume(&mut self, inventory: &Inventory) -> Result<(), TransferError>;

    /// Writes some rows, and how far the table is.
    async fn write(&mut self, table: &Table, rows: &[Row]) -> Result<(), TransferError>;

    /// Removes all rows of a table, and of those that point at it.
    async fn clear(&mut self, table: &Table) -> Result<(), TransferError>;

    /// What follows from the rows: indexes, and the numbers that are given next.
    async fn complete(&mut self, inventory: &Inventory, progress: Progress<'_>) -> Result<(), TransferError>;

    /// Shows it to the world, in one step, and brings it to the newest version.
    async fn publish(&mut self) -> Result<(), TransferError>;
}

/// A copy that was begun and not finished.
#[derive(Debug, Clone)]
pub struct Unfinished {
    /// From where.
    pub begun: String,
    /// What there was.
    pub inventory: Inventory,
    /// Tables of which something is there: how many rows, and the key of the last one, written down.
    pub(crate) reached: Vec<(String, u64, Vec<u8>)>,
}
