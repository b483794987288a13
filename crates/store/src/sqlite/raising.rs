//! Rows that were stored as an older version has them are rewritten as the newest has them, in SQLite. One transaction for
//! each resource: whoever is killed in it has changed nothing.

use rusqlite::{Connection, params};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Resource};
use valetkey_resources::ports::Draft;

use super::api_shape::{immediate, rows_in};
use super::filling::{self, Progress, forget_words};
use super::{sealing, store_error};
use crate::document::object;
use crate::shape::{Passage, Shape};
use crate::statement::{index, owner_index, search_table, table, unique_index};

/// So many rows are held at once: they may be large.
const ROWS: i64 = 200;

/// Renames the table, and rewrites its documents.
pub(super) fn raise(
    connection: &Connection,
    of: &Resource,
    passage: &Passage,
    version: u32,
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    let transaction = immediate(connection)?;
    if let Some(former) = &passage.former {
        rename(&transaction, former, of)?;
    }
    if passage.lens.is_some() {
        rewrite(&transaction, of, passage, progress)?;
    }
    sealing::seal(&transaction, of)?;
    if let Some(shape) = filling::entry(&transaction, &of.name)? {
        // Whoever is killed before the columns are made anew leaves it to the next one to know that they must be.
        let shape = if passage.lens.is_some() { shape.stale() } else { shape };
        filling::write(&transaction, &of.name, &Shape { version: Some(version), ..shape })?;
    }
    transaction.commit().map_err(store_error)
}

fn rename(connection: &Connection, former: &str, of: &Resource) -> Result<(), StoreError> {
    let Some(shape) = filling::entry(connection, former)? else { return Ok(()) };
    forget_words(connection, former)?;
    let run = |sql: &str| connection.execute_batch(sql).map_err(store_error);
    for name in shape.fields.iter().flat_map(|field| [index(former, &field.name), unique_index(former, &field.name)]) {
        run(&format!("DROP INDEX IF EXISTS \"{name}\""))?;
    }
    run(&format!("DROP INDEX IF EXISTS \"{}\"", owner_index(former)))?;
    run(&format!("DROP TABLE IF EXISTS \"{}\"", search_table(former)))?;
    run(&format!("ALTER TABLE \"{}\" RENAME TO \"{}\"", table(former), table(&of.name)))?;
    connection.execute("DELETE FROM api_tables WHERE resource = ?1", [former]).map_err(store_error)?;
    connection
        .execute("UPDATE tasks SET resource = ?2 WHERE resource = ?1", params![former, of.name])
        .map_err(store_error)?;
    filling::write(connection, &of.name, &shape.bare())
}

fn rewrite(
    connection: &Connection,
    of: &Resource,
    passage: &Passage,
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    let total = rows_in(connection, &of.name)?;
    let select = format!("SELECT seq, document FROM \"{}\" WHERE seq > ?1 ORDER BY seq LIMIT ?2", table(&of.name));
    // A row in another form is another revision: whoever holds the old one must not overwrite it.
    let update = format!("UPDATE \"{}\" SET document = ?2, revision = revision + 1 WHERE seq = ?1", table(&of.name));
    let (mut last, mut seen) = (i64::MIN, 0);
    loop {
        let mut statement = connection.prepare_cached(&select).map_err(store_error)?;
        let found = statement.query_map(params![last, ROWS], |row| Ok((row.get(0)?, row.get(1)?)));
        let batch: Vec<(i64, String)> = found.and_then(Iterator::collect).map_err(store_error)?;
        let Some((newest, _)) = batch.last() else { return Ok(()) };
        last = *newest;
        let mut statement = connection.prepare_cached(&update).map_err(store_error)?;
        for (seq, document) in &batch {
            let (raised, _) = passage.take(of, object(document)?);
            statement.execute(params![seq, Draft::text(of, &raised)]).map_err(store_error)?;
        }
        seen += batch.len() as u64;
        progress(seen, total.max(seen), &format!("rows of {} for a newer version", of.name));
    }
}

/// What did not change with a version is stored as the newest has it all the same.
pub(super) fn keep_version(connection: &Connection, api: &Api, version: u32) -> Result<(), StoreError> {
    for resource in &api.resources {
        let transaction = immediate(connection)?;
        let Some(mut shape) = filling::entry(&transaction, &resource.name)? else { continue };
        sealing::seal(&transaction, resource)?;
        if shape.version != Some(version) {
            shape.version = Some(version);
            filling::write(&transaction, &resource.name, &shape)?;
        }
        transaction.commit().map_err(store_error)?;
    }
    Ok(())
}
