//! Removing a row and seeing to those that point at it, in SQLite.

use rusqlite::{Connection, Row, params};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{OnDelete, Resource};
use valetkey_resources::ports::{Removal, Removing, Stored};

use super::bound::{execute, find, stored};
use super::connection::{Touches, Verdict};
use super::{store_error, words, writing};
use crate::backlog::Turn;
use crate::cascade::{AT_ONCE, Fall, Pointing, Reference, references};
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
    let removing = Remover { connection, book, removal };
    Ok(match removing.fall()? {
        Ok(()) => Verdict::Keep(Removing::Removed),
        Err(kept) => Verdict::Undo(kept),
    })
}

/// Which rows it may change: others as well, unless all that may point at the row keep it.
pub(super) fn touches(removal: &Removal) -> Touches {
    let keep = |by: Reference<'_>| matches!(by.on_delete, OnDelete::Refuse);
    if references(&removal.api, &removal.resource).into_iter().all(keep) {
        Touches::Row(removal.id)
    } else {
        Touches::Any
    }
}

/// What a removal is done with.
struct Remover<'a> {
    connection: &'a Connection,
    book: &'a Book,
    removal: &'a Removal,
}

impl Remover<'_> {
    /// Removes the row and what goes with it, unless something keeps it.
    fn fall(&self) -> Result<Result<(), Removing>, StoreError> {
        let mut fall = Fall::of(self.removal.resource.clone(), self.removal.id);
        while let Some((of, ids)) = fall.next() {
            self.delete(&of, &ids)?;
            for by in references(&self.removal.api, &of) {
                if let Err(kept) = self.see_to(&mut fall, by, &ids)? {
                    return Ok(Err(kept));
                }
            }
        }
        for (by, ids) in fall.doubts() {
            if !self.pointing_at(*by, ids, 1)?.is_empty() {
                return Ok(Err(Removing::InUse(by.resource.name.clone())));
            }
        }
        Ok(Ok(()))
    }

    /// Sees to what points at rows that went.
    fn see_to<'a>(
        &self,
        fall: &mut Fall<'a>,
        by: Reference<'a>,
        ids: &[Uuid],
    ) -> Result<Result<(), Removing>, StoreError> {
        match by.on_delete {
            OnDelete::Refuse if self.pointing_at(by, ids, 1)?.is_empty() => Ok(Ok(())),
            OnDelete::Refuse => Ok(fall.refused(by, ids)),
            OnDelete::Delete => Ok(fall.takes_along(by, self.pointing_at(by, ids, fall.most())?)),
            OnDelete::Clear => loop {
                let rows = self.some_of(by, ids)?;
                let room = fall.clears(by, &rows);
                if rows.is_empty() || room.is_err() {
                    break Ok(room);
                }
                rows.into_iter().try_for_each(|row| self.clear(by, row))?;
            },
        }
    }

    fn delete(&self, of: &Resource, ids: &[Uuid]) -> Result<(), StoreError> {
        let statements = self.book.of(of);
        let words = statements.is_searchable.then(|| {
            let (words, rows) = (search_table(&of.name), table(&of.name));
            format!("DELETE FROM \"{words}\" WHERE rowid = (SELECT seq FROM \"{rows}\" WHERE id = ?1)")
        });
        for id in ids {
            if let Some(words) = &words {
                execute(self.connection, words, &[id]).map_err(store_error)?;
            }
            execute(self.connection, &statements.delete, &[id]).map_err(store_error)?;
        }
        Ok(())
    }

    /// What points at one of these rows, so much of it at most.
    fn pointing_at(&self, by: Reference<'_>, ids: &[Uuid], most: usize) -> Result<Vec<Pointing>, StoreError> {
        self.chosen("id, octet_length(document)", by, ids, most, |row| {
            let bytes: i64 = row.get(1).map_err(store_error)?;
            Ok(Pointing { id: row.get(0).map_err(store_error)?, bytes: usize::try_from(bytes).unwrap_or_default() })
        })
    }

    /// Some of the rows that point at one of these.
    fn some_of(&self, by: Reference<'_>, ids: &[Uuid]) -> Result<Vec<Stored>, StoreError> {
        self.chosen("id, revision, owner, created_at, updated_at, task, document", by, ids, AT_ONCE, stored)
    }

    fn chosen<T>(
        &self,
        columns: &str,
        by: Reference<'_>,
        ids: &[Uuid],
        most: usize,
        read: fn(&Row<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let (rows, field) = (table(&by.resource.name), column(&by.field.name));
        let select = format!("SELECT {columns} FROM \"{rows}\" WHERE \"{field}\" = ?1 LIMIT ?2");
        let mut statement = self.connection.prepare_cached(&select).map_err(store_error)?;
        let mut found = Vec::new();
        for id in ids {
            let left = i64::try_from(most - found.len()).unwrap_or(i64::MAX);
            let mut rows = statement.query(params![id, left]).map_err(store_error)?;
            while let Some(row) = rows.next().map_err(store_error)? {
                found.push(read(row)?);
            }
            if found.len() == most {
                break;
            }
        }
        Ok(found)
    }

    fn clear(&self, by: Reference<'_>, mut row: Stored) -> Result<(), StoreError> {
        let of = by.resource;
        let draft = cleared(of, &by.field.name, &row.document, self.removal.now)?;
        row.revision += 1;
        row.updated_at = in_micros(self.removal.now);
        let statements = self.book.of(of);
        match writing::update(self.connection, &statements, of, &row, &draft, false)? {
            None => words::of_changed(self.connection, &statements, of, row.id, &draft, &Turn::default()),
            // Nothing collides with nothing.
            Some(_) => Err(StoreError::Failed(format!("a row of {} cannot point at nothing", of.name))),
        }
    }
}
