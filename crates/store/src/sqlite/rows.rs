//! Rows of declared resources, in SQLite.

use async_trait::async_trait;
use rusqlite::Connection;
use uuid::Uuid;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{
    Change, Changing, Counted, Creating, Creation, ListPlan, Listing, Removal, Removing, Rows, Sight, StoreError,
    Stored,
};

use super::bound::find;
use super::{Sqlite, cascade, writing};
use crate::outage::told;
use crate::row::is_in_sight;

#[async_trait]
impl Rows for Sqlite {
    async fn find(&self, of: &Resource, id: Uuid, sight: &Sight) -> Result<Option<Stored>, StoreError> {
        let statements = self.statements.of(of);
        let found = self.readers.read(|connection| {
            let Some(row) = find(connection, &statements.find, id)? else { return Ok(None) };
            if !is_in_sight(of, &row, sight)? {
                return Ok(None);
            }
            self.preparations.complete(of, row).map(Some)
        });
        found.map_err(told)
    }

    async fn find_all(&self, of: &Resource, ids: &[Uuid], sight: &Sight) -> Result<Vec<Stored>, StoreError> {
        let statements = self.statements.of(of);
        let found = self.readers.read(|connection| {
            let mut rows = Vec::with_capacity(ids.len());
            for id in ids {
                if let Some(row) = find(connection, &statements.find, *id)?
                    && is_in_sight(of, &row, sight)?
                {
                    rows.push(self.preparations.complete(of, row)?);
                }
            }
            Ok(rows)
        });
        found.map_err(told)
    }

    async fn list(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError> {
        self.preparations.allow_list(of, sight, plan)?;
        self.page(of, sight, plan).and_then(|listing| self.preparations.complete_all(of, listing)).map_err(told)
    }

    async fn count(&self, of: &Resource, sight: &Sight, plan: &ListPlan, cap: u64) -> Result<Counted, StoreError> {
        self.preparations.allow_list(of, sight, plan)?;
        self.count_rows(of, sight, plan, cap).map_err(told)
    }

    async fn create(&self, creation: Creation) -> Result<Creating, StoreError> {
        let book = self.statements.clone();
        self.writer.judge(move |connection| writing::create(connection, &book, &creation)).await.map_err(told)
    }

    async fn change(&self, change: Change) -> Result<Changing, StoreError> {
        let (book, preparations) = (self.statements.clone(), self.preparations.clone());
        let work = move |connection: &Connection| writing::change(connection, &book, &preparations, &change);
        self.writer.judge(work).await.map_err(told)
    }

    async fn remove(&self, removal: Removal) -> Result<Removing, StoreError> {
        self.preparations.allow_removal(&removal.api, &removal.resource)?;
        let (book, preparations) = (self.statements.clone(), self.preparations.clone());
        let work = move |connection: &Connection| cascade::remove(connection, &book, &preparations, &removal);
        self.writer.judge(work).await.map_err(told)
    }
}
