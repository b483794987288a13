//! From one store into another, table by table. Whoever is killed is continued: the target knows how far it is. In the end
//! both sides are compared, and a table that is not the same is copied once more.

use super::verification::tally;
use super::{Inventory, Progress, Source, Table, Tally, Target, TransferError, Unfinished, decode};

/// A store that holds what another one held.
#[derive(Debug)]
pub struct Copied {
    /// The version of the tables in the source; the target has been brought to the newest since.
    pub schema: i64,
    /// Each table with the tally that both sides have.
    pub tables: Vec<(String, Tally)>,
    /// So many rows were there from an earlier, unfinished copy.
    pub resumed: u64,
    /// Tables that had changed in the source since that earlier copy, and were copied again.
    pub again: Vec<String>,
}

/// Copies all rows, as they are at one moment. `from`: what people call the source. `restart`: without what an unfinished
/// copy has done.
pub async fn copy(
    source: &mut dyn Source,
    target: &mut dyn Target,
    from: &str,
    restart: bool,
    progress: Progress<'_>,
) -> Result<Copied, TransferError> {
    let inventory = source.inventory().await?;
    let begun = begun(target, &inventory, from, restart).await?;
    let reached = match &begun {
        Some(begun) => {
            target.resume(&inventory).await?;
            begun.reached.clone()
        }
        None => {
            target.prepare(&inventory, Some(from)).await?;
            Vec::new()
        }
    };
    let total = inventory.rows();
    let mut done = 0;
    for table in &inventory.tables {
        let begun = reached.iter().find(|(name, ..)| *name == table.name);
        let mut after = None;
        if let Some((_, rows, key)) = begun {
            done += rows;
            after = Some(decode(table.key().len(), &mut key.as_slice())?);
        }
        source.begin(table, after).await?;
        pour(source, target, table, &mut |rows| {
            done += rows;
            progress(done, total.max(done), &table.name);
        })
        .await?;
    }
    target.complete(&inventory, progress).await?;
    let mut again = Vec::new();
    let (mut tables, mut seen) = (Vec::new(), 0);
    for table in &inventory.tables {
        let mut tell = |rows| {
            seen += rows;
            progress(seen.min(2 * total), 2 * total, &format!("a look at {}", table.name));
        };
        let is_stale = table.parent().is_some_and(|parent| again.iter().any(|name| name == parent));
        let here = tally(source, table, &mut tell).await?;
        let mut there = tally(target, table, &mut tell).await?;
        if here != there || is_stale {
            target.clear(table).await?;
            source.begin(table, None).await?;
            pour(source, target, table, &mut |_| {}).await?;
            there = tally(target, table, &mut |_| {}).await?;
            again.push(table.name.clone());
        }
        if here != there {
            let table = table.name.clone();
            return Err(TransferError::Differs { table, here: here.rows, there: there.rows });
        }
        tables.push((table.name.clone(), here));
    }
    if !again.is_empty() {
        // What was written since may have taken other numbers.
        target.complete(&inventory, progress).await?;
    }
    target.publish().await?;
    // What was copied again was there in vain.
    let resumed = reached.iter().filter(|(name, ..)| !again.contains(name)).map(|(_, rows, _)| rows).sum();
    Ok(Copied { schema: inventory.schema, tables, resumed, again })
}

/// What can be continued. A target that has anything else is refused.
async fn begun(
    target: &mut dyn Target,
    inventory: &Inventory,
    from: &str,
    restart: bool,
) -> Result<Option<Unfinished>, TransferError> {
    match target.unfinished().await? {
        Some(_) if restart => Ok(None),
        Some(unfinished) if unfinished.begun != from => {
            Err(TransferError::Unfinished { place: target.place(), begun: unfinished.begun })
        }
        // The source has other tables by now: nothing that was copied is of use.
        Some(unfinished) => Ok(Some(unfinished).filter(|unfinished| unfinished.inventory.is_like(inventory))),
        None => {
            let found = target.occupants().await?;
            if found.is_empty() {
                return Ok(None);
            }
            let remedy = "Name an empty database, or empty this one";
            Err(TransferError::Occupied { place: target.place(), found, remedy })
        }
    }
}

/// The rest of a table.
async fn pour(
    source: &mut dyn Source,
    target: &mut dyn Target,
    table: &Table,
    told: &mut (dyn FnMut(u64) + Send),
) -> Result<(), TransferError> {
    loop {
        let rows = source.next().await?;
        if rows.is_empty() {
            return Ok(());
        }
        target.write(table, &rows).await?;
        told(rows.len() as u64);
    }
}
