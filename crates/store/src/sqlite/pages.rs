//! Lists and counts, in SQLite.
//!
//! Its planner chooses an index without knowing that a list ends after a few rows. So the list is tried in both ways, each
//! within a small budget: by the index of a condition, which is good if few rows fulfil it, and along the order of the list,
//! which is good if many do. One of them is always cheap unless the conditions fit badly together.

use rusqlite::{Connection, params_from_iter};
use sea_query::SelectStatement;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{By, Counted, ListPlan, Listing, Place, Sight, Stored, Window};

use super::Sqlite;
use super::bound::{columns, parameters};
use super::connection::Budget;
use crate::page::listing;
use crate::row::Columns;
use crate::statement::{Access, Dialect, List};

/// About 2 milliseconds.
const SMALL: Budget = Budget(60);
/// About 50 milliseconds.
const LARGE: Budget = Budget(1_500);

/// A count of all rows at once says nothing until it is done.
const MANY: u64 = 50_000;

/// What is tried, in this order.
const ATTEMPTS: [(Access, Budget); 4] =
    [(Access::Free, SMALL), (Access::Walk, SMALL), (Access::Free, LARGE), (Access::Walk, LARGE)];

/// A statement and its parameters.
type Rendered = (String, Vec<rusqlite::types::Value>);

impl Sqlite {
    /// A part of a list.
    pub(super) fn page(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError> {
        let place = match &plan.window {
            Window::Beside { place, .. } => *place,
            Window::Offset { .. } => Place::After,
        };
        let list = List::new(Dialect::Sqlite, of, sight, plan, place)?;
        let by_relevance = plan.order.first().is_some_and(|order| order.by == By::Relevance);
        for (access, budget) in attempts(list.is_whole() || by_relevance) {
            let (statements, limit) = match &plan.window {
                Window::Beside { position, limit, .. } => {
                    let spans = list.beyond(position.as_ref())?;
                    let rows = |span| render(&list.rows(span, *access, u64::from(*limit) + 1)?);
                    (spans.iter().map(rows).collect::<Result<Vec<_>, _>>()?, *limit)
                }
                Window::Offset { offset, limit } if by_relevance => {
                    (vec![render(&list.relevant(*offset, u64::from(*limit) + 1)?)?], *limit)
                }
                Window::Offset { offset, limit } => {
                    (vec![render(&list.skipping(*access, *offset, u64::from(*limit) + 1)?)?], *limit)
                }
            };
            let found = self.readers.read_within(*budget, |connection| gather(connection, &statements, limit))?;
            if let Some(rows) = found {
                let rows = rows.into_iter().map(Columns::stored).collect::<Result<Vec<Stored>, _>>()?;
                return listing(&list, plan, rows, limit);
            }
        }
        Ok(Listing::TooExpensive)
    }

    /// How many rows a list has. One by one, so that it is known how far it came.
    pub(super) fn count_rows(
        &self,
        of: &Resource,
        sight: &Sight,
        plan: &ListPlan,
        cap: u64,
    ) -> Result<Counted, StoreError> {
        let list = List::new(Dialect::Sqlite, of, sight, plan, Place::After)?;
        let mut seen = 0;
        let complete = if list.is_whole() && cap > MANY {
            let (sql, values) = render(&list.count(cap)?)?;
            let counted = self.readers.read_within(LARGE, |connection| {
                connection.prepare_cached(&sql)?.query_row(params_from_iter(values), |row| row.get::<_, i64>(0))
            })?;
            seen = counted.map_or(0, |rows| u64::try_from(rows).unwrap_or(0));
            counted.is_some()
        } else {
            let (sql, values) = render(&list.marks(Access::Free, cap.saturating_add(1))?)?;
            let counted = self.readers.read_within(LARGE, |connection| {
                let mut statement = connection.prepare_cached(&sql)?;
                let mut rows = statement.query(params_from_iter(values))?;
                while rows.next()?.is_some() {
                    seen += 1;
                }
                Ok(())
            })?;
            counted.is_some()
        };
        Ok(if seen > cap {
            Counted::AtLeast(cap)
        } else if complete {
            Counted::Exactly(seen)
        } else {
            Counted::AtLeast(seen)
        })
    }
}

fn attempts(is_simple: bool) -> &'static [(Access, Budget)] {
    if is_simple { &ATTEMPTS[2..3] } else { &ATTEMPTS }
}

fn render(select: &SelectStatement) -> Result<Rendered, StoreError> {
    let (sql, values) = Dialect::Sqlite.render(select);
    Ok((sql, parameters(values)?))
}

/// One more row than asked for, from the first statements that have them, all in one state of the database.
fn gather(connection: &Connection, statements: &[Rendered], limit: u32) -> rusqlite::Result<Vec<Columns>> {
    let snapshot = connection.unchecked_transaction()?;
    let mut found = Vec::new();
    for (sql, values) in statements {
        let mut statement = connection.prepare_cached(sql)?;
        let rows = statement.query_map(params_from_iter(values), columns)?;
        for row in rows {
            found.push(row?);
            if found.len() > limit as usize {
                return Ok(found);
            }
        }
    }
    snapshot.commit()?;
    Ok(found)
}
