//! Some thousand rows, brought in line with their documents. Only those that change are written.

use rusqlite::types::{ToSql, Value};
use rusqlite::{Transaction, params};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::Stored;

use super::super::bound::{Bound, execute, stored};
use super::super::store_error;
use super::{in_the_way, words};
use crate::shape::{BATCH, BATCH_BYTES, Rewrite, Rewritten, Work};
use crate::statement::{self, table};

/// The next rows.
pub(super) fn next(transaction: &Transaction<'_>, of: &Resource, work: &mut Work) -> Result<(), StoreError> {
    let rewrite = Rewrite::new(of, work);
    let names: Vec<_> = rewrite.columns().iter().map(|column| statement::column(&column.field)).collect();
    let read: String = names.iter().map(|name| format!(", \"{name}\"")).collect();
    let select = format!(
        "SELECT id, revision, owner, created_at, updated_at, task, document, seq{read} FROM \"{}\" \
         WHERE seq > ?1 ORDER BY seq LIMIT ?2",
        table(&of.name)
    );
    let first: i64 = work.after.as_deref().and_then(|after| after.parse().ok()).unwrap_or(i64::MIN);
    let mut last = first;
    let (mut batch, mut bytes) = (Vec::<(Stored, i64, Vec<Value>)>::new(), 0);
    {
        let mut statement = transaction.prepare_cached(&select).map_err(store_error)?;
        let mut found = statement.query(params![first, BATCH as i64]).map_err(store_error)?;
        while let Some(row) = found.next().map_err(store_error)?
            && bytes < BATCH_BYTES
        {
            let cells = (0..names.len()).map(|place| row.get(8 + place)).collect::<rusqlite::Result<_>>();
            let (seq, cells) = (row.get(7).map_err(store_error)?, cells.map_err(store_error)?);
            let row = stored(row)?;
            bytes += row.document.len();
            batch.push((row, seq, cells));
        }
    }
    for (row, seq, cells) in &batch {
        let Rewritten { document, cells: next, words } = rewrite.of(row)?;
        let next: Vec<_> = next.iter().map(Bound).collect();
        last = *seq;
        // Only what differs: SQLite writes the index of each column that is set, whatever its value was.
        let mut sets: Vec<(&str, &dyn ToSql)> = names
            .iter()
            .map(String::as_str)
            .zip(&next)
            .zip(cells)
            .filter(|((_, next), cell)| !next.is(cell))
            .map(|((name, next), _)| (name, next as &dyn ToSql))
            .collect();
        let revision = row.revision.cast_signed() + 1;
        if let Some(document) = &document {
            sets.extend([("document", document as &dyn ToSql), ("revision", &revision)]);
        }
        if !sets.is_empty() {
            let names: Vec<_> = sets.iter().map(|(name, _)| format!("\"{name}\" = ?")).collect();
            let update = format!("UPDATE \"{}\" SET {} WHERE seq = ?", table(&of.name), names.join(", "));
            let values: Vec<&dyn ToSql> = sets.into_iter().map(|(_, value)| value).chain([seq as &dyn ToSql]).collect();
            execute(transaction, &update, &values).map_err(|error| in_the_way(of, error))?;
        }
        if let Some(words) = words {
            words::put(transaction, of, *seq, &words)?;
        }
    }
    if work.words && !batch.is_empty() {
        words::catch_up(transaction, of, first, last)?;
    }
    let is_last = batch.len() < BATCH && bytes < BATCH_BYTES;
    work.saw(batch.len(), (!is_last).then(|| last.to_string()));
    Ok(())
}
