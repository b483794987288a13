//! Removing a row and seeing to those that point at it, in PostgreSQL.
//!
//! The row is locked first. Whoever wants to point at it from then on waits, and who did so before is seen by the later
//! statements.

use tokio_postgres::Row;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::OnDelete;
use valetkey_resources::ports::{Removal, Removing, Stored};

use super::Postgres;
use super::bound::stored;
use super::connection::{Fault, Lease};
use super::writing::{self, Part};
use crate::cascade::{AT_ONCE, Fall, Pointing, Reference, references};
use crate::moment::in_micros;
use crate::row::{cleared, holds, is_in_sight};
use crate::statement::{Book, column, table};

impl Postgres {
    /// Removes a row.
    pub(super) async fn remove_row(&self, removal: &Removal) -> Result<Removing, StoreError> {
        self.connections.attempt(|fault| fault.undone, || self.remove_row_once(removal)).await
    }

    async fn remove_row_once(&self, removal: &Removal) -> Result<Removing, Fault> {
        let mut lease = self.connections.lease().await?;
        let lock = format!("{} FOR UPDATE", self.statements.of(&removal.resource).find);
        let found = lease.begin(&lock, &[&removal.id]).await?;
        let found = found.first().map(stored).transpose()?;
        let found = found.map(|row| self.preparations.complete(&removal.resource, row)).transpose()?;
        let outcome = match found {
            None => Removing::Missing,
            Some(row) if !is_in_sight(&removal.resource, &row, &removal.sight)? => Removing::Missing,
            Some(row) if !holds(&removal.condition, &row) => Removing::ConditionFailed(row.revision),
            Some(_) => match (Remover { lease: &mut lease, book: &self.statements, removal }).fall().await? {
                Ok(()) => Removing::Removed,
                Err(kept) => kept,
            },
        };
        if outcome == Removing::Removed {
            lease.commit().await?;
        } else {
            lease.rollback().await?;
        }
        Ok(outcome)
    }
}

/// What a removal is done with. The row is locked.
struct Remover<'a> {
    lease: &'a mut Lease,
    book: &'a Book,
    removal: &'a Removal,
}

impl Remover<'_> {
    /// Removes the row and what goes with it, unless something keeps it.
    async fn fall(&mut self) -> Result<Result<(), Removing>, Fault> {
        let mut fall = Fall::of(self.removal.resource.clone(), self.removal.id);
        while let Some((of, ids)) = fall.next() {
            self.lease.rows(&self.book.of(&of).delete_all, &[&ids]).await?;
            for by in references(&self.removal.api, &of) {
                if let Err(kept) = self.see_to(&mut fall, by, &ids).await? {
                    return Ok(Err(kept));
                }
            }
        }
        for (by, ids) in fall.doubts() {
            if !self.pointing_at(*by, ids, 1).await?.is_empty() {
                return Ok(Err(Removing::InUse(by.resource.name.clone())));
            }
        }
        Ok(Ok(()))
    }

    /// Sees to what points at rows that went.
    async fn see_to<'a>(
        &mut self,
        fall: &mut Fall<'a>,
        by: Reference<'a>,
        ids: &[Uuid],
    ) -> Result<Result<(), Removing>, Fault> {
        match by.on_delete {
            OnDelete::Refuse if self.pointing_at(by, ids, 1).await?.is_empty() => Ok(Ok(())),
            OnDelete::Refuse => Ok(fall.refused(by, ids)),
            OnDelete::Delete => Ok(fall.takes_along(by, self.pointing_at(by, ids, fall.most()).await?)),
            OnDelete::Clear => loop {
                let rows = self.some_of(by, ids).await?;
                let room = fall.clears(by, &rows);
                if rows.is_empty() || room.is_err() {
                    break Ok(room);
                }
                for row in rows {
                    self.clear(by, row).await?;
                }
            },
        }
    }

    /// What points at one of these rows, so much of it at most.
    async fn pointing_at(&mut self, by: Reference<'_>, ids: &[Uuid], most: usize) -> Result<Vec<Pointing>, Fault> {
        let rows = self.chosen("id, octet_length(document)", by, ids, most).await?;
        let bytes = |row: &Row| usize::try_from(row.get::<_, i32>(1)).unwrap_or_default();
        Ok(rows.iter().map(|row| Pointing { id: row.get(0), bytes: bytes(row) }).collect())
    }

    /// Some of the rows that point at one of these.
    async fn some_of(&mut self, by: Reference<'_>, ids: &[Uuid]) -> Result<Vec<Stored>, Fault> {
        let columns = "id, revision, owner, created_at, updated_at, task, document";
        let rows = self.chosen(columns, by, ids, AT_ONCE).await?;
        Ok(rows.iter().map(stored).collect::<Result<_, _>>()?)
    }

    async fn chosen(&mut self, columns: &str, by: Reference<'_>, ids: &[Uuid], most: usize) -> Result<Vec<Row>, Fault> {
        let select = format!(
            "SELECT {columns} FROM \"{}\" WHERE \"{}\" = ANY($1) LIMIT $2 FOR UPDATE",
            table(&by.resource.name),
            column(&by.field.name)
        );
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.lease.rows(&select, &[&ids, &most]).await
    }

    async fn clear(&mut self, by: Reference<'_>, mut row: Stored) -> Result<(), Fault> {
        let of = by.resource;
        let draft = cleared(of, &by.field.name, &row.document, self.removal.now)?;
        row.revision += 1;
        row.updated_at = in_micros(self.removal.now);
        match writing::rewrite(self.lease, Part::Middle, &self.book.of(of), of, &row, Some(&draft)).await? {
            None => Ok(()),
            // Nothing collides with nothing.
            Some(_) => Err(StoreError::Failed(format!("a row of {} cannot point at nothing", of.name)).into()),
        }
    }
}
