//! Rows of declared resources, in SQLite.

use async_trait::async_trait;
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
            Ok(is_in_sight(of, &row, sight)?.then_some(row))
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
                    rows.push(row);
                }
            }
            Ok(rows)
        });
        found.map_err(told)
    }

    async fn list(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError> {
        self.page(of, sight, plan).map_err(told)
    }

    async fn count(&self, of: &Resource, sight: &Sight, plan: &ListPlan, cap: u64) -> Result<Counted, StoreError> {
        self.count_rows(of, sight, plan, cap).map_err(told)
    }

    async fn create(&self, creation: Creation) -> Result<Creating, StoreError> {
        let book = self.statements.clone();
        self.writer.judge(move |connection| writing::create(connection, &book, &creation)).await.map_err(told)
    }

    async fn change(&self, change: Change) -> Result<Changing, StoreError> {
        let book = self.statements.clone();
        self.writer.judge(move |connection| writing::change(connection, &book, &change)).await.map_err(told)
    }

    async fn remove(&self, removal: Removal) -> Result<Removing, StoreError> {
        let book = self.statements.clone();
        self.writer.judge(move |connection| cascade::remove(connection, &book, &removal)).await.map_err(told)
    }
}
