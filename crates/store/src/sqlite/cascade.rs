//! Removing a row and seeing to those that point at it, in SQLite.

use std::sync::Arc;

use rusqlite::{Connection, params};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{OnDelete, Resource};
use valetkey_resources::ports::{Removal, Removing, Stored};

use super::bound::{execute, find, stored};
use super::connection::Verdict;
use super::{store_error, writing};
use crate::cascade::{MOST, references};
use crate::moment::in_micros;
use crate::row::{cleared, holds, is_in_sight};
use crate::shape::Preparations;
use crate::statement::{Book, column, search_table, table};

/// Removes a row.
pub(super) fn remove(
    connection: &Connection,
    book: &Book,
    preparations: &Preparations,
    removal: &Removal,
) -> Result<Verdict<Removing>, StoreError> {
    let row = find(connection, &book.of(&removal.resource).find, removal.id)?;
    let Some(row) = row else { return Ok(Verdict::Keep(Removing::Missing)) };
    if !is_in_sight(&removal.resource, &row, &removal.sight)? {
        return Ok(Verdict::Keep(Removing::Missing));
    }
    let row = preparations.complete(&removal.resource, row)?;
    if !holds(&removal.condition, &row) {
        return Ok(Verdict::Keep(Removing::ConditionFailed(row.revision)));
    }
    let mut fall = Fall { connection, book, removal, left: MOST };
    Ok(match fall.down(&removal.resource, removal.id)? {
        None => Verdict::Keep(Removing::Removed),
        Some(resource) => Verdict::Undo(Removing::InUse(resource)),
    })
}

/// A removal on its way from row to row.
struct Fall<'a> {
    connection: &'a Connection,
    book: &'a Book,
    removal: &'a Removal,
    left: usize,
}

impl Fall<'_> {
    /// Removes one row and what goes with it. Answers the resource that does not let it go.
    fn down(&mut self, of: &Arc<Resource>, id: Uuid) -> Result<Option<String>, StoreError> {
        self.delete(of, id)?;
        for (pointing, field, on_delete) in references(&self.removal.api, of) {
            let rows = self.pointing_at(pointing, &field.name, id, on_delete)?;
            if on_delete == OnDelete::Refuse && !rows.is_empty() {
                return Ok(Some(pointing.name.clone()));
            }
            for row in rows {
                if self.left == 0 {
                    return Ok(Some(pointing.name.clone()));
                }
                self.left -= 1;
                if on_delete == OnDelete::Clear {
                    self.clear(pointing, &field.name, row)?;
                } else if let Some(resource) = self.down(pointing, row.id)? {
                    return Ok(Some(resource));
                }
            }
        }
        Ok(None)
    }

    fn delete(&self, of: &Resource, id: Uuid) -> Result<(), StoreError> {
        let statements = self.book.of(of);
        if statements.is_searchable {
            let words = format!(
                "DELETE FROM \"{}\" WHERE rowid = (SELECT seq FROM \"{}\" WHERE id = ?1)",
                search_table(&of.name),
                table(&of.name)
            );
            execute(self.connection, &words, &[&id]).map_err(store_error)?;
        }
        execute(self.connection, &statements.delete, &[&id]).map_err(store_error)?;
        Ok(())
    }

    fn pointing_at(
        &self,
        of: &Resource,
        field: &str,
        id: Uuid,
        on_delete: OnDelete,
    ) -> Result<Vec<Stored>, StoreError> {
        let select = format!(
            "SELECT id, revision, owner, created_at, updated_at, task, document FROM \"{}\" WHERE \"{}\" = ?1 LIMIT ?2",
            table(&of.name),
            column(field)
        );
        let most = if on_delete == OnDelete::Refuse { 1 } else { i64::try_from(self.left).unwrap_or(i64::MAX) + 1 };
        let mut statement = self.connection.prepare_cached(&select).map_err(store_error)?;
        let rows = statement.query_map(params![id, most], |row| Ok(stored(row))).map_err(store_error)?;
        rows.map(|row| row.map_err(store_error)?).collect()
    }

    fn clear(&self, of: &Resource, field: &str, mut row: Stored) -> Result<(), StoreError> {
        let draft = cleared(of, field, &row.document, self.removal.now)?;
        row.revision += 1;
        row.updated_at = in_micros(self.removal.now);
        match writing::update(self.connection, &self.book.of(of), of, &row, &draft, false)? {
            None => Ok(()),
            // Nothing collides with nothing.
            Some(_) => Err(StoreError::Failed(format!("a row of {} cannot point at nothing", of.name))),
        }
    }
}
