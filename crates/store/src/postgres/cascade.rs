//! Removing a row and seeing to those that point at it, in PostgreSQL.
//!
//! The row is locked first. Whoever wants to point at it from then on waits, and who did so before is seen by the later
//! statements.

use std::sync::Arc;

use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{OnDelete, Resource};
use valetkey_resources::ports::{Removal, Removing, Stored};

use super::Postgres;
use super::bound::stored;
use super::connection::{Fault, Lease};
use super::writing::{self, Part};
use crate::cascade::{MOST, references};
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
            Some(_) => match fall(&mut lease, &self.statements, removal).await? {
                None => Removing::Removed,
                Some(resource) => Removing::InUse(resource),
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

/// Removes a row that is locked, and what goes with it. Answers the resource that does not let it go.
async fn fall(lease: &mut Lease, book: &Book, removal: &Removal) -> Result<Option<String>, Fault> {
    let mut left = MOST;
    let mut going: Vec<(Arc<Resource>, Uuid)> = vec![(removal.resource.clone(), removal.id)];
    while let Some((of, id)) = going.pop() {
        // Gone before those that point at it are looked for: a circle ends where it began.
        lease.rows(&book.of(&of).delete, &[&id]).await?;
        for (pointing, field, on_delete) in references(&removal.api, &of) {
            let most = if on_delete == OnDelete::Refuse { 1 } else { left + 1 };
            let rows = pointing_at(lease, pointing, &field.name, id, most).await?;
            if rows.len() > left || (on_delete == OnDelete::Refuse && !rows.is_empty()) {
                return Ok(Some(pointing.name.clone()));
            }
            left -= rows.len();
            for mut row in rows {
                if on_delete == OnDelete::Delete {
                    going.push((pointing.clone(), row.id));
                    continue;
                }
                let draft = cleared(pointing, &field.name, &row.document, removal.now)?;
                row.revision += 1;
                row.updated_at = in_micros(removal.now);
                if writing::rewrite(lease, Part::Middle, &book.of(pointing), pointing, &row, Some(&draft))
                    .await?
                    .is_some()
                {
                    // Nothing collides with nothing.
                    let why = format!("a row of {} cannot point at nothing", pointing.name);
                    return Err(StoreError::Failed(why).into());
                }
            }
        }
    }
    Ok(None)
}

async fn pointing_at(
    lease: &mut Lease,
    of: &Resource,
    field: &str,
    id: Uuid,
    most: usize,
) -> Result<Vec<Stored>, Fault> {
    let select = format!(
        "SELECT id, revision, owner, created_at, updated_at, task, document FROM \"{}\" WHERE \"{}\" = $1 \
         LIMIT $2 FOR UPDATE",
        table(&of.name),
        column(field)
    );
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = lease.rows(&select, &[&id, &most]).await?;
    Ok(rows.iter().map(stored).collect::<Result<_, _>>()?)
}
