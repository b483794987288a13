//! Rows of declared resources, in PostgreSQL.

use std::sync::Arc;

use async_trait::async_trait;
use uuid::Uuid;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{
    Change, Changing, Counted, Creating, Creation, ListPlan, Listing, PAGE_BYTES, Place, Position, Removal, Removing,
    Rows, Several, Shown, Sight, StoreError, Stored,
};

use super::Postgres;
use super::bound::stored;
use crate::edit::remembering;
use crate::outage::told;
use crate::row::is_in_sight;
use crate::shape::complete_all;
use crate::statement::{Dialect, List, Seal, table};

#[async_trait]
impl Rows for Postgres {
    async fn find(&self, of: &Resource, id: Uuid, sight: &Sight) -> Result<Option<Stored>, StoreError> {
        let Some(row) = self.judged(of, self.find_together(of, id).await).await? else { return Ok(None) };
        if !is_in_sight(of, &row, sight).map_err(told)? {
            return Ok(None);
        }
        self.preparations.complete(of, row).map(Some).map_err(told)
    }

    async fn find_all(&self, of: &Resource, ids: &[Uuid], sight: &Sight) -> Result<Several, StoreError> {
        let select = format!(
            "SELECT id, revision, owner, created_at, updated_at, task, document, found, \"{1}\" FROM (SELECT *, \
             sum(octet_length(document)) OVER (ROWS UNBOUNDED PRECEDING) AS held, count(*) OVER () AS found FROM \
             (SELECT entry.* FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, place) \
             JOIN \"{0}\" entry ON entry.id = asked.id ORDER BY place) part) part \
             WHERE held <= {PAGE_BYTES} OR held = octet_length(document)",
            table(&of.name),
            Seal::of(of).read
        );
        let rows = self.judged(of, self.connections.read(&select, &[&ids]).await).await?;
        let found = rows.first().map_or(0, |row| row.get::<_, i64>(7));
        let mut several = Several {
            rows: Vec::with_capacity(rows.len()),
            is_all: i64::try_from(rows.len()).is_ok_and(|sent| sent >= found),
        };
        for row in &rows {
            let row = stored(row).map_err(told)?;
            if is_in_sight(of, &row, sight).map_err(told)? {
                several.rows.push(self.preparations.complete(of, row).map_err(told)?);
            }
        }
        Ok(several)
    }

    async fn owned(&self, of: &Resource, ids: &[Uuid], owner: &str) -> Result<Vec<Uuid>, StoreError> {
        let select = format!(
            "SELECT id, \"{1}\" FROM \"{0}\" WHERE id = ANY($1) AND owner = $2",
            table(&of.name),
            Seal::of(of).read
        );
        let rows = self.judged(of, self.connections.read(&select, &[&ids, &owner]).await).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn position(&self, of: &Resource, plan: &ListPlan, row: &Shown) -> Result<Position, StoreError> {
        let sight = Sight::default();
        List::new(Dialect::Postgres, of, &sight, plan, Place::After).and_then(|list| list.position(row)).map_err(told)
    }

    async fn list(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError> {
        self.preparations.allow_list(of, sight, plan)?;
        // Asked before: afterwards all may be done, and these rows have been read as they were.
        let changes_rows = self.preparations.changes_rows(of);
        let listing = self.judged(of, self.page(of, sight, plan).await).await?;
        if changes_rows { complete_all(self, of, sight, listing).await } else { Ok(listing) }
    }

    async fn count(&self, of: &Resource, sight: &Sight, plan: &ListPlan, cap: u64) -> Result<Counted, StoreError> {
        self.preparations.allow_list(of, sight, plan)?;
        self.judged(of, self.count_rows(of, sight, plan, cap).await).await
    }

    async fn create(&self, creation: Creation) -> Result<Creating, StoreError> {
        let creation = Arc::new(creation);
        self.judged(&creation.resource, self.create_row(&creation).await).await
    }

    async fn change(&self, change: Change) -> Result<Changing, StoreError> {
        let edit = remembering(change.edit.clone());
        let change = Arc::new(Change { edit, ..change });
        self.judged(&change.resource, self.change_row(&change).await).await
    }

    async fn remove(&self, removal: Removal) -> Result<Removing, StoreError> {
        self.preparations.allow_removal(&removal.api, &removal.resource)?;
        self.judged(&removal.resource, self.remove_row(&removal).await).await
    }
}
