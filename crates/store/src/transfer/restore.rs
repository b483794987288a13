//! From a file into a store: all of it at once, or nothing.

use std::path::Path;

use super::archive::{ArchiveReader, Verified};
use super::verification::tally;
use super::{Progress, Source, Tally, Target, TransferError};

/// A store that holds what a backup held.
#[derive(Debug)]
pub struct Restored {
    /// The version of the tables in the backup; the store has been brought to the newest since.
    pub schema: i64,
    /// Each table with its tally, as it was read again from the store.
    pub tables: Vec<(String, Tally)>,
    /// What was there before, and is not any more.
    pub replaced: Vec<(String, u64)>,
}

/// Fills a store from a backup that was found whole. A store that has rows is refused, unless they may be replaced.
pub async fn restore(
    path: &Path,
    verified: &Verified,
    target: &mut dyn Target,
    replace: bool,
    progress: Progress<'_>,
) -> Result<Restored, TransferError> {
    let inventory = &verified.header.inventory;
    let replaced = target.occupants().await?;
    if !replaced.is_empty() && !replace {
        let remedy = "To replace all of it by what the backup holds, give --replace";
        return Err(TransferError::Occupied { place: target.place(), found: replaced, remedy });
    }
    let mut reader = ArchiveReader::open(path)?;
    if reader.header().inventory != *inventory {
        return Err(TransferError::Damaged("it changed while it was read".to_owned()));
    }
    target.prepare(inventory, None).await?;
    let total = verified.tables.iter().map(|(_, tally)| tally.rows).sum();
    let mut done = 0;
    for table in &inventory.tables {
        reader.begin(table, None).await?;
        loop {
            let rows = reader.next().await?;
            if rows.is_empty() {
                break;
            }
            target.write(table, &rows).await?;
            done += rows.len() as u64;
            progress(done, total, &table.name);
        }
    }
    reader.end()?;
    target.complete(inventory, progress).await?;
    let (mut tables, mut seen) = (Vec::new(), 0);
    for (table, told) in inventory.tables.iter().zip(reader.told()) {
        let mut tell = |rows| {
            seen += rows;
            progress(seen, total.max(seen), &format!("a look at {}", table.name));
        };
        let there = tally(target, table, &mut tell).await?;
        if there != *told {
            let table = table.name.clone();
            return Err(TransferError::Differs { table, here: told.rows, there: there.rows });
        }
        tables.push((table.name.clone(), there));
    }
    target.publish().await?;
    Ok(Restored { schema: inventory.schema, tables, replaced })
}
