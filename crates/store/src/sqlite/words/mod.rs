//! The words of rows, in the full-text table beside theirs.
//!
//! Those of new rows wait in a [backlog](crate::backlog). They are written in the order of their numbers, so the last row that
//! has words tells which have none: all that come after it. Nothing else is kept of that.

use rusqlite::{Connection, OptionalExtension, params};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{Creation, Draft};

use super::bound::{execute, text};
use super::{Sqlite, store_error};
use crate::backlog::{LARGE, TURN, Turn};
use crate::document::searched;
use crate::statement::{self, Statements};

/// Beyond all rows.
const END: i64 = i64::MAX;

impl Sqlite {
    /// Has the words written that wait, for whoever searches.
    pub(super) async fn settle_words(&self, of: &Resource) -> Result<(), StoreError> {
        let statements = self.statements.of(of);
        // Asked before: what comes meanwhile is not written for sure.
        let Some(owed) = statements.backlog.owed().filter(|_| statements.is_searchable) else { return Ok(()) };
        // Often that is nothing, and then nobody needs the writer.
        let waits = self.readers.read(|connection| {
            let found = connection
                .prepare_cached(&statements.waits)
                .and_then(|mut waits| waits.query_row([], |row| row.get(0)));
            found.map_err(store_error)
        });
        if !waits? {
            // Not to be noted: what is on its way to its commit may be counted already.
            return Ok(());
        }
        let mut is_all = false;
        while !is_all {
            let (statements, of) = (statements.clone(), of.clone());
            let settling = self.writer.run_beside_rows(move |connection| settle(connection, &statements, &of, END));
            is_all = settling.await?;
        }
        statements.backlog.settle(owed);
        Ok(())
    }
}

/// Sees to the words of rows that were just made, one after the other. Comes after all that may refuse one of them.
pub(super) fn of_new(
    connection: &Connection,
    statements: &Statements,
    made: &[(&Creation, &Turn)],
) -> Result<(), StoreError> {
    let (true, Some(before_last)) = (statements.is_searchable, made.len().checked_sub(1)) else { return Ok(()) };
    let first = connection.last_insert_rowid().saturating_sub(i64::try_from(before_last).unwrap_or(i64::MAX));
    // After the largest number there is, rows get any that is free.
    let is_known = before_last == 0 || statements.backlog.is_next(first);
    for (place, (creation, turn)) in (0..).zip(made) {
        let number = if is_known { first + place } else { number(connection, statements, creation.id)? };
        of_numbered(connection, statements, &creation.resource, number, &creation.draft, turn)?;
    }
    Ok(())
}

fn of_numbered(
    connection: &Connection,
    statements: &Statements,
    of: &Resource,
    number: i64,
    draft: &Draft,
    turn: &Turn,
) -> Result<(), StoreError> {
    let backlog = &statements.backlog;
    if backlog.meet(number)
        && let Some(last) = last(connection, statements)?
    {
        backlog.meet(last);
        if number <= last {
            // Somebody removed the last rows by hand, and left their words.
            return put(connection, &statements.words, number, draft);
        }
    }
    let is_large = draft.document.len() > LARGE;
    if !backlog.add(&draft.document, turn) && !is_large {
        return Ok(());
    }
    let before = if is_large { number } else { END };
    // Where even more has to come before it, it waits, too.
    if settle(connection, statements, of, before)? && is_large {
        put(connection, &statements.first_words, number, draft)?;
    }
    Ok(())
}

/// Sees to the words of a row that was changed. Comes last, too.
pub(super) fn of_changed(
    connection: &Connection,
    statements: &Statements,
    of: &Resource,
    id: Uuid,
    draft: &Draft,
    turn: &Turn,
) -> Result<(), StoreError> {
    if !statements.is_searchable || (draft.same_words && draft.document.len() <= LARGE) {
        return Ok(());
    }
    let number = number(connection, statements, id)?;
    if last(connection, statements)?.is_some_and(|last| number <= last) {
        return if draft.same_words { Ok(()) } else { put(connection, &statements.words, number, draft) };
    }
    // It waits. What is written of it then is what it has become.
    if statements.backlog.add(&draft.document, turn) {
        settle(connection, statements, of, END)?;
    }
    Ok(())
}

/// Writes words that wait, of rows before this number: as many as one turn has room for. Answers whether that was all.
fn settle(connection: &Connection, statements: &Statements, of: &Resource, before: i64) -> Result<bool, StoreError> {
    let after = last(connection, statements)?.unwrap_or(i64::MIN);
    let mut between = connection.prepare_cached(&statements.between).map_err(store_error)?;
    let mut rows = between.query([after, before]).map_err(store_error)?;
    let mut insert = connection.prepare_cached(&statements.first_words).map_err(store_error)?;
    let mut bytes = 0;
    while let Some(row) = rows.next().map_err(store_error)? {
        if bytes > TURN {
            return Ok(false);
        }
        let document = row.get_ref(1).and_then(|document| text(document)).map_err(store_error)?;
        bytes += document.len();
        // One that cannot be read, because somebody wrote into it, keeps nobody from finding the others.
        let words = searched(document, of).map(|document| Draft::words_in(of, &document)).unwrap_or_default();
        let words = statement::text(&words);
        let number: i64 = row.get(0).map_err(store_error)?;
        insert.execute(params![number, words]).map_err(store_error)?;
    }
    Ok(true)
}

fn put(connection: &Connection, sql: &str, number: i64, draft: &Draft) -> Result<(), StoreError> {
    execute(connection, sql, &[&number, &statement::text(&draft.words())]).map_err(store_error)?;
    Ok(())
}

/// The number of the row with this id.
fn number(connection: &Connection, statements: &Statements, id: Uuid) -> Result<i64, StoreError> {
    connection
        .prepare_cached(&statements.number)
        .and_then(|mut statement| statement.query_row([id], |found| found.get(0)))
        .map_err(store_error)
}

/// The number of the last row that has words.
fn last(connection: &Connection, statements: &Statements) -> Result<Option<i64>, StoreError> {
    connection
        .prepare_cached(&statements.last_words)
        .and_then(|mut last| last.query_row([], |row| row.get(0)).optional())
        .map(Option::flatten)
        .map_err(store_error)
}

#[cfg(test)]
pub(super) mod tests;
