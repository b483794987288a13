//! What is left to do in a SQLite file once tables have their new columns, step by step. Each step is one transaction that
//! reads what is left, does a part of it and writes down how far it came: it can be killed anywhere, and two who do it at
//! once help each other.

mod batch;
mod words;

use std::path::Path;
use std::thread::sleep;
use std::time::Instant;

use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction, TransactionBehavior};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Api, Resource};

use super::bound::execute;
use super::connection::{FileLock, LARGE_CACHE};
use super::{Sqlite, store_error};
use crate::shape::{Shape, Share, Work};
use crate::statement::{self, Dialect, Index};

pub(super) use words::{begin as begin_words, forget as forget_words};

/// Tells how far the work is: done, in all, and with what.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, u64, &str) + Send);

impl Sqlite {
    /// Learns what is still to be done for a declaration, so that requests which go by it are told to wait. Answers
    /// whether there is anything.
    pub fn prepare(&self, api: &Api) -> Result<bool, StoreError> {
        let catalogue = self.readers.read(super::api_shape::catalogue)?;
        Ok(!self.preparations.learn(api, &catalogue))
    }

    /// Does what is left, between the writes of others, and lets requests go by it once it is done.
    pub async fn fill(&self, api: &Api, share: Share, progress: Progress<'_>) -> Result<(), StoreError> {
        for resource in &api.resources {
            let entry = self.readers.read(|connection| entry(connection, &resource.name))?;
            if !entry.and_then(|shape| shape.work).is_some_and(|work| share.has(&work)) {
                continue;
            }
            loop {
                let of = resource.clone();
                let left = self.writer.alone(move |connection| advance(connection, &of)).await?;
                self.preparations.note(&resource.name, left.as_ref().map(|(work, _)| work));
                let Some((work, what)) = left else { break };
                tell(resource, &work, what, progress);
            }
        }
        Ok(())
    }
}

/// Does what is left over a connection of its own.
pub(super) fn complete(
    path: &Path,
    connection: &Connection,
    api: &Api,
    progress: Progress<'_>,
) -> Result<(), StoreError> {
    // A server that writes to this file asks for its turn every now and then; it has to meet a moment without us.
    let is_shared = FileLock::is_held(path);
    for resource in &api.resources {
        loop {
            let begun = Instant::now();
            let Some((work, what)) = advance(connection, resource)? else { break };
            tell(resource, &work, what, progress);
            if is_shared {
                sleep(begun.elapsed());
            }
        }
    }
    Ok(())
}

fn tell(of: &Resource, work: &Work, what: Done, progress: Progress<'_>) {
    match what {
        Done::Rows => progress(work.seen, work.rows, &format!("rows of {}", of.name)),
        Done::Indexes(made, all) => progress(made, all, &format!("indexes of {}", of.name)),
    }
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Done {
    Rows,
    /// So many indexes are made, of so many.
    Indexes(u64, u64),
}

/// One step. Answers what is left, and what was done; none if nothing is left.
fn advance(connection: &Connection, of: &Resource) -> Result<Option<(Work, Done)>, StoreError> {
    // Sorting for an index needs room that memory may not have; but what there is of it, a whole table can use.
    let before: i64 = connection.pragma_query_value(None, "cache_size", |row| row.get(0)).map_err(store_error)?;
    connection.pragma_update(None, "temp_store", "file").map_err(store_error)?;
    connection.pragma_update(None, "cache_size", LARGE_CACHE).map_err(store_error)?;
    let outcome = step(connection, of);
    connection.pragma_update(None, "cache_size", before).map_err(store_error)?;
    connection.pragma_update(None, "temp_store", "memory").map_err(store_error)?;
    outcome
}

fn step(connection: &Connection, of: &Resource) -> Result<Option<(Work, Done)>, StoreError> {
    let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate).map_err(store_error)?;
    let Some(mut shape) = entry(&transaction, &of.name)?.filter(|shape| shape.is_of(of)) else { return Ok(None) };
    let Some(mut work) = shape.work.take() else { return Ok(None) };
    let done = if work.is_seen {
        indexes(&transaction, of, &mut work)?
    } else {
        batch::next(&transaction, of, &mut work)?;
        Some(Done::Rows)
    };
    if done.is_none() && work.words {
        words::finish(&transaction, of)?;
    }
    shape.work = done.is_some().then(|| work.clone());
    write(&transaction, &of.name, &shape)?;
    transaction.commit().map_err(store_error)?;
    Ok(done.map(|done| (work, done)))
}

/// What was applied of a resource.
pub(super) fn entry(connection: &Connection, of: &str) -> Result<Option<Shape>, StoreError> {
    let select = "SELECT shape FROM api_tables WHERE resource = ?1";
    let mut statement = connection.prepare_cached(select).map_err(store_error)?;
    let text = statement.query_row([of], |row| row.get::<_, String>(0)).optional().map_err(store_error)?;
    text.map(|text| Shape::read(&text)).transpose()
}

/// Keeps what was applied of a resource.
pub(super) fn write(connection: &Connection, of: &str, shape: &Shape) -> Result<(), StoreError> {
    let insert = "INSERT OR REPLACE INTO api_tables (resource, shape) VALUES (?1, ?2)";
    execute(connection, insert, &[&of, &shape.write()?]).map_err(store_error)?;
    Ok(())
}

/// The next index. None if there are all of them.
fn indexes(transaction: &Transaction<'_>, of: &Resource, work: &mut Work) -> Result<Option<Done>, StoreError> {
    let missing = unmade(transaction, of)?;
    let all = statement::indexes(Dialect::Sqlite, of).len() as u64;
    if let Some(index) = missing.first() {
        // One that is there in another form serves lists until this moment.
        let made = format!("DROP INDEX IF EXISTS \"{}\"; {}", index.name, index.create(&of.name, false));
        transaction.execute_batch(&made).map_err(|error| in_the_way(of, error))?;
        return Ok(Some(Done::Indexes(all - missing.len() as u64 + 1, all)));
    }
    let Some(name) = work.again.pop() else { return Ok(None) };
    transaction.execute_batch(&format!("REINDEX \"{name}\"")).map_err(|error| in_the_way(of, error))?;
    Ok(Some(Done::Indexes(all.saturating_sub(work.again.len() as u64), all)))
}

/// The indexes that are not there, or not in the form they should have.
pub(super) fn unmade(connection: &Connection, of: &Resource) -> Result<Vec<Index>, StoreError> {
    let mut missing = Vec::new();
    let known = "SELECT sql FROM sqlite_schema WHERE type = 'index' AND name = ?1";
    let mut known = connection.prepare_cached(known).map_err(store_error)?;
    for index in statement::indexes(Dialect::Sqlite, of) {
        let sql: Option<String> = known.query_row([&index.name], |row| row.get(0)).optional().map_err(store_error)?;
        if !sql.is_some_and(|sql| index.is_made_by(&sql)) {
            missing.push(index);
        }
    }
    Ok(missing)
}

/// Values that came in twice before the index could keep them out.
fn in_the_way(of: &Resource, error: rusqlite::Error) -> StoreError {
    if error.sqlite_error_code() != Some(ErrorCode::ConstraintViolation) {
        return store_error(error);
    }
    StoreError::Failed(format!(
        "two of {} have the same value in a field that is unique from now on ({error}). Change one of them with the \
         declaration as it was before, then start again",
        of.name
    ))
}
