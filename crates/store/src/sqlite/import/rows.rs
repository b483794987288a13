//! Rows on their way into SQLite: one statement each, and the words of a row beside it.

use rusqlite::{Connection, params, params_from_iter};
use valetkey_oauth::ports::StoreError;

use super::super::export::Bound;
use super::super::store_error;
use crate::statement::{search_table, text};
use crate::transfer::{Row, Table};

/// Writes rows into their table, within a transaction of the caller.
pub(super) fn put(connection: &Connection, table: &Table, rows: &[Row]) -> Result<(), StoreError> {
    let marks = vec!["?"; table.columns.len()].join(", ");
    let insert = format!("INSERT INTO \"{}\" ({}) VALUES ({marks})", table.name, table.list());
    let mut insert = connection.prepare_cached(&insert).map_err(store_error)?;
    let searched = table.resource.as_ref().filter(|_| table.is_searchable());
    let words = searched.map(|of| format!("INSERT INTO \"{}\" (rowid, words) VALUES (?1, ?2)", search_table(&of.name)));
    for row in rows {
        insert.execute(params_from_iter(row.iter().map(Bound))).map_err(store_error)?;
        if let Some(words) = &words {
            let found = params![connection.last_insert_rowid(), text(&table.words(row)?)];
            connection.prepare_cached(words).and_then(|mut words| words.execute(found)).map_err(store_error)?;
        }
    }
    Ok(())
}
