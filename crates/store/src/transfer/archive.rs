//! A backup: one file that holds all rows of a store, whichever engine they come from, and that tells when it is not whole.
//!
//! A line that names the format; a line of JSON that names the tables; then pieces, each with its kind and length: the
//! beginning of a table, rows, the end of a table with its tally, and at the very end the hash of all that stands before.

mod drafts;
mod reader;
mod writer;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use reader::{ArchiveReader, Verified};
pub(super) use writer::ArchiveWriter;
pub(crate) use writer::sync_folder;

use super::inventory::Inventory;

/// How every backup begins; the number of the format follows.
const MAGIC: &str = "valetkey backup ";
/// The format that is written.
const FORMAT: u32 = 1;
/// A line is no longer than this: thousands of columns.
const LONGEST_LINE: u64 = 16 << 20;
/// Nor is a piece. A row is one piece at least, and no row comes near.
const LONGEST_PIECE: u64 = 1 << 30;
/// Rows share a piece until it has so many bytes.
const PIECE: usize = 64 << 10;

const TABLE: u8 = b'T';
const ROWS: u8 = b'R';
const END: u8 = b'E';
const WHOLE: u8 = b'Z';

/// What a backup says of itself.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Header {
    /// The moment that it holds.
    pub made_at: Timestamp,
    /// The version of the binary that wrote it.
    pub written_by: String,
    /// The engine that the rows come from.
    pub engine: String,
    /// The tables.
    pub inventory: Inventory,
}

#[cfg(test)]
mod tests;
