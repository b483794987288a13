//! Lists and counts.
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{Counted, ListPlan, Listing, Sight};

use super::Postgres;

impl Postgres {
    pub(super) async fn page(&self, _of: &Resource, _sight: &Sight, _plan: &ListPlan) -> Result<Listing, StoreError> {
        Err(StoreError::Failed(String::new()))
    }
    pub(super) async fn count_rows(
        &self,
        _: &Resource,
        _: &Sight,
        _: &ListPlan,
        _: u64,
    ) -> Result<Counted, StoreError> {
        Err(StoreError::Failed(String::new()))
    }
}
