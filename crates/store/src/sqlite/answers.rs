//! Answers kept for a retry, in SQLite. Written only inside the transition that they belong to.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use valetkey_oauth::ports::{KeptAnswer, StoreError};

use super::store_error;
use crate::moment::to_column;

/// The answer under this id, unless its time is over.
pub(super) fn find(connection: &Connection, id: &[u8; 32], now: Timestamp) -> Result<Option<Vec<u8>>, StoreError> {
    connection
        .prepare_cached("SELECT sealed FROM answers WHERE id = ?1 AND expires_at > ?2")
        .and_then(|mut statement| statement.query_row(params![id, to_column(now)], |row| row.get(0)).optional())
        .map_err(store_error)
}

/// The answer under the name of this one.
pub(super) fn find_for(
    connection: &Connection,
    answer: Option<&KeptAnswer>,
    now: Timestamp,
) -> Result<Option<Vec<u8>>, StoreError> {
    answer.map_or(Ok(None), |answer| find(connection, &answer.id, now))
}

/// Keeps an answer, if there is one, in the place of one whose time is over.
pub(super) fn keep(connection: &Connection, answer: Option<&KeptAnswer>) -> Result<(), StoreError> {
    let Some(answer) = answer else { return Ok(()) };
    connection
        .prepare_cached("INSERT OR REPLACE INTO answers (id, sealed, expires_at) VALUES (?1, ?2, ?3)")
        .and_then(|mut statement| statement.execute(params![answer.id, answer.sealed, to_column(answer.expires_at)]))
        .map_err(store_error)?;
    Ok(())
}
