//! How many rows a table has, and one hash of all of them in the order of their keys: two tables with the same tally hold
//! the same.

use std::fmt::Write;

use aws_lc_rs::digest::{Context, SHA256};

use super::value::{Row, encode};

/// The rows of one table, counted and hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// How many.
    pub rows: u64,
    /// SHA-256 over all of them.
    pub hash: [u8; 32],
}

impl Tally {
    /// The hash in hexadecimal.
    pub fn hex(&self) -> String {
        hex(&self.hash)
    }
}

/// A tally that is being made.
pub(crate) struct Counting {
    rows: u64,
    context: Context,
    buffer: Vec<u8>,
}

impl Counting {
    pub(crate) fn new() -> Self {
        Self { rows: 0, context: Context::new(&SHA256), buffer: Vec::new() }
    }

    /// Sees some more rows.
    pub(crate) fn add(&mut self, rows: &[Row]) {
        for row in rows {
            self.buffer.clear();
            encode(row, &mut self.buffer);
            self.context.update(&self.buffer);
            self.rows += 1;
        }
    }

    pub(crate) fn end(self) -> Tally {
        Tally { rows: self.rows, hash: fixed(self.context.finish().as_ref()) }
    }
}

pub(crate) fn fixed(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    hash
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
