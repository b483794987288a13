//! How many rows a list has, in PostgreSQL: all of them if that does not take long, or only whether there are more than a few.

use std::time::Duration;

use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{Counted, ListPlan, Place, Sight};

use super::{BUSY, first_number};
use crate::postgres::Postgres;
use crate::postgres::connection::PLANNED;
use crate::statement::{Dialect, List};

/// How long a count may take.
const COUNT: Duration = Duration::from_millis(10);
/// How much of that goes into counting all rows.
const AT_ONCE: Duration = Duration::from_millis(8);
/// How far a count goes that took too long.
const FEW: u64 = 1_000;

impl Postgres {
    /// How many rows a list has.
    pub(in crate::postgres) async fn count_rows(
        &self,
        of: &Resource,
        sight: &Sight,
        plan: &ListPlan,
        cap: u64,
    ) -> Result<Counted, StoreError> {
        let list = List::new(Dialect::Postgres, of, sight, plan, Place::After)?;
        let visit = self.crowd.enter(COUNT);
        let whole = list.count(&plan.search, cap.saturating_add(1))?;
        let (mut found, mut most) = (self.within(&whole, PLANNED, visit.left(AT_ONCE)).await?, cap);
        if found.is_none() && self.is_small(&list).await? {
            found = self.within(&whole, PLANNED, Some(BUSY)).await?;
        }
        if found.is_none() {
            most = cap.min(FEW);
            let few = list.count(&plan.search, most.saturating_add(1))?;
            found = self.within(&few, PLANNED, visit.left(COUNT)).await?;
        }
        Ok(match found.map(|rows| first_number(&rows)) {
            None => Counted::AtLeast(0),
            Some(counted) if counted > most => Counted::AtLeast(most),
            Some(counted) => Counted::Exactly(counted),
        })
    }
}
