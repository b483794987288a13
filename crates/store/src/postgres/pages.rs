//! Lists and counts, in PostgreSQL. Its planner knows that a list ends after a few rows; what takes too long all the same is
//! tried once more along the order of the list, and then given up.

use std::time::{Duration, Instant};

use sea_query::SelectStatement;
use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{By, Counted, ListPlan, Listing, Place, Sight, Window};

use super::Postgres;
use super::bound::{cell, parameters, stored};
use super::connection::Fault;
use crate::page::listing;
use crate::statement::{Access, Dialect, List, Step, Tour};

/// How long one attempt may take.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long the last attempt may take.
const LONG: Duration = Duration::from_millis(500);
/// How long the first attempt may take if there is a better one for large groups.
const SHORT: Duration = Duration::from_millis(60);
/// Values decide which index is best, so each statement is planned for its own.
const PLANNED: &str = "SET LOCAL plan_cache_mode = force_custom_plan";
/// Rather along an index that is in the right order than sorting what another one found.
const UNSORTED: &str = "SET LOCAL plan_cache_mode = force_custom_plan; SET LOCAL enable_sort = off; \
    SET LOCAL enable_bitmapscan = off";
/// How far a count goes that took too long.
const FEW: u64 = 1_000;

impl Postgres {
    /// A part of a list.
    pub(super) async fn page(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError> {
        let (place, limit) = match &plan.window {
            Window::Beside { place, limit, .. } => (*place, *limit),
            Window::Offset { limit, .. } => (Place::After, *limit),
        };
        let list = List::new(Dialect::Postgres, of, sight, plan, place)?;
        let most = u64::from(limit) + 1;
        let statement = match &plan.window {
            Window::Beside { position, .. } => list.joined(&list.beyond(position.as_ref())?, most)?,
            Window::Offset { offset, .. } => {
                let by_relevance = plan.order.first().is_some_and(|order| order.by == By::Relevance);
                let found = if by_relevance {
                    list.relevant(*offset, most)?
                } else {
                    list.skipping(Access::Free, *offset, most)?
                };
                Some(found)
            }
        };
        let Some(statement) = statement else { return listing(&list, plan, Vec::new(), limit) };
        let is_tour = list.is_grouped() && matches!(plan.window, Window::Beside { .. });
        let first = if is_tour { SHORT } else { PATIENCE };
        let mut found = self.within(&statement, PLANNED, first).await?;
        if found.is_none() && is_tour {
            found = self.tour(&list, plan, most).await?;
        }
        if found.is_none() {
            found = self.within(&statement, UNSORTED, LONG).await?;
        }
        let Some(rows) = found else { return Ok(Listing::TooExpensive) };
        let rows = rows.iter().map(stored).collect::<Result<_, _>>()?;
        listing(&list, plan, rows, limit)
    }

    /// So many rows, group by group; `None` if that takes too long.
    async fn tour(&self, list: &List<'_>, plan: &ListPlan, most: u64) -> Result<Option<Vec<Row>>, StoreError> {
        let Window::Beside { position, .. } = &plan.window else { return Ok(None) };
        let mut tour = Tour::new(list, list.beyond(position.as_ref())?, most, true);
        let mut found: Vec<Row> = Vec::new();
        let begun = Instant::now();
        let mut asked = None;
        while begun.elapsed() < PATIENCE {
            let step = match asked.take() {
                Some(step) => Some(step),
                None => tour.next()?,
            };
            match step {
                None => return Ok(Some(found)),
                Some(Step::Value(select, kind, _)) => {
                    let Some(rows) = self.within(&select, PLANNED, PATIENCE).await? else { return Ok(None) };
                    asked = tour.value(rows.first().map(|row| cell(row, kind)))?;
                }
                // The planner knows how large a group is.
                Some(Step::Size(..)) => asked = tour.size(u64::MAX)?,
                Some(Step::Rows(select, _)) => {
                    let Some(rows) = self.within(&select, PLANNED, PATIENCE).await? else { return Ok(None) };
                    found.extend(rows);
                    if found.len() as u64 >= most {
                        found.truncate(usize::try_from(most).unwrap_or(usize::MAX));
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    /// How many rows a list has.
    pub(super) async fn count_rows(
        &self,
        of: &Resource,
        sight: &Sight,
        plan: &ListPlan,
        cap: u64,
    ) -> Result<Counted, StoreError> {
        let list = List::new(Dialect::Postgres, of, sight, plan, Place::After)?;
        for most in [cap, cap.min(FEW)] {
            let statement = list.count(most.saturating_add(1))?;
            let Some(rows) = self.within(&statement, PLANNED, PATIENCE).await? else { continue };
            let counted = rows.first().map_or(0, |row| u64::try_from(row.get::<_, i64>(0)).unwrap_or(0));
            return Ok(if counted > most { Counted::AtLeast(most) } else { Counted::Exactly(counted) });
        }
        Ok(Counted::AtLeast(0))
    }

    /// The rows of a statement; `None` if it took too long.
    async fn within(
        &self,
        statement: &SelectStatement,
        settings: &str,
        patience: Duration,
    ) -> Result<Option<Vec<Row>>, StoreError> {
        let (sql, values) = Dialect::Postgres.render(statement);
        let values = parameters(values)?;
        let values: Vec<_> = values.iter().map(|(value, kind)| (value as &(dyn ToSql + Sync), kind.clone())).collect();
        let again = |fault: &Fault| fault.undone || fault.lost;
        self.connections.attempt(again, || self.glance(&sql, &values, settings, patience)).await
    }

    async fn glance(
        &self,
        sql: &str,
        values: &[(&(dyn ToSql + Sync), Type)],
        settings: &str,
        patience: Duration,
    ) -> Result<Option<Vec<Row>>, Fault> {
        match self.connections.lease().await?.glance(sql, values, patience, settings).await {
            Err(fault) if fault.expired => Ok(None),
            outcome => outcome.map(Some),
        }
    }
}

#[cfg(test)]
mod tests;
