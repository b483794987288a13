//! The full-text table, made anew beside the one that is searched, which it replaces in one moment.
//!
//! Words of a row are not written over those it had, row by row: FTS5 notes each removal in a hash table that goes by the
//! number of the row, and numbers that follow each other make it slower with every one.

use rusqlite::{Connection, OptionalExtension, params};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::Draft;

use super::super::bound::execute;
use super::super::store_error;
use crate::document::object;
use crate::statement::{self, search_draft, search_log, search_table, table};

/// What notes the rows that change meanwhile.
const TRIGGERS: [(&str, &str, &str); 3] =
    [("ti", "INSERT", "NEW"), ("tu", "UPDATE OF document", "NEW"), ("td", "DELETE", "OLD")];

/// Makes the table that is filled, and notes from now on which rows change.
pub(in crate::sqlite) fn begin(connection: &Connection, of: &str) -> Result<(), StoreError> {
    forget(connection, of)?;
    let (rows, log) = (table(of), search_log(of));
    let mut changes = statement::create_search(&search_draft(of));
    changes += &format!("; CREATE TABLE \"{log}\" (seq INTEGER PRIMARY KEY) STRICT");
    for (name, event, row) in TRIGGERS {
        changes += &format!(
            "; CREATE TRIGGER \"{name}_{of}\" AFTER {event} ON \"{rows}\" BEGIN \
             INSERT OR IGNORE INTO \"{log}\" (seq) VALUES ({row}.seq); END"
        );
    }
    connection.execute_batch(&changes).map_err(store_error)
}

/// Removes what an earlier beginning has left.
pub(in crate::sqlite) fn forget(connection: &Connection, of: &str) -> Result<(), StoreError> {
    let triggers = TRIGGERS.map(|(name, ..)| format!("DROP TRIGGER IF EXISTS \"{name}_{of}\""));
    let tables = [search_log(of), search_draft(of)].map(|name| format!("DROP TABLE IF EXISTS \"{name}\""));
    connection.execute_batch(&[&triggers[..], &tables].concat().join("; ")).map_err(store_error)
}

/// Puts the words of a row there.
pub(super) fn put(connection: &Connection, of: &Resource, seq: i64, words: &[String]) -> Result<(), StoreError> {
    let insert = format!("INSERT OR REPLACE INTO \"{}\" (rowid, words) VALUES (?1, ?2)", search_draft(&of.name));
    execute(connection, &insert, &[&seq, &statement::text(words)]).map_err(store_error)?;
    Ok(())
}

/// Rows in this stretch were seen as they are now, whatever changed in them before.
pub(super) fn catch_up(connection: &Connection, of: &Resource, after: i64, last: i64) -> Result<(), StoreError> {
    let forget = format!("DELETE FROM \"{}\" WHERE seq > ?1 AND seq <= ?2", search_log(&of.name));
    execute(connection, &forget, &[&after, &last]).map_err(store_error)?;
    Ok(())
}

/// Sees to the rows that changed after their turn, and lets the new table take the place of the old one.
pub(super) fn finish(connection: &Connection, of: &Resource) -> Result<(), StoreError> {
    let (rows, log, draft) = (table(&of.name), search_log(&of.name), search_draft(&of.name));
    let changed: Vec<i64> = {
        let mut select = connection.prepare(&format!("SELECT seq FROM \"{log}\"")).map_err(store_error)?;
        let found = select.query_map([], |row| row.get(0)).map_err(store_error)?;
        found.collect::<Result<_, _>>().map_err(store_error)?
    };
    for seq in changed {
        let select = format!("SELECT document FROM \"{rows}\" WHERE seq = ?1");
        let document: Option<String> = connection
            .prepare_cached(&select)
            .and_then(|mut select| select.query_row(params![seq], |row| row.get(0)).optional())
            .map_err(store_error)?;
        match document {
            Some(document) => put(connection, of, seq, &Draft::words_in(of, &object(&document)?))?,
            None => {
                let delete = format!("DELETE FROM \"{draft}\" WHERE rowid = ?1");
                execute(connection, &delete, &[&seq]).map_err(store_error)?;
            }
        }
    }
    let searched = search_table(&of.name);
    let swap = format!("DROP TABLE IF EXISTS \"{searched}\"; ALTER TABLE \"{draft}\" RENAME TO \"{searched}\"");
    connection.execute_batch(&swap).map_err(store_error)?;
    forget(connection, &of.name)
}
