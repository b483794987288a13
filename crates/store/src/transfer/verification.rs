//! Tables compared by their tallies.

use super::digest::Counting;
use super::{Source, Table, Tally, TransferError};

/// Counts and hashes a table from its first row to its last.
pub(super) async fn tally<S: Source + ?Sized>(
    source: &mut S,
    table: &Table,
    told: &mut (dyn FnMut(u64) + Send),
) -> Result<Tally, TransferError> {
    let mut counting = Counting::new();
    source.begin(table, None).await?;
    loop {
        let rows = source.next().await?;
        if rows.is_empty() {
            return Ok(counting.end());
        }
        counting.add(&rows);
        told(rows.len() as u64);
    }
}
