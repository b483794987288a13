//! Lists and counts, in SQLite.
//!
//! Its planner chooses an index without knowing that a list ends after a few rows. So each stretch of a list is tried in
//! several ways, within a small budget: sorting what a condition finds is good if that is little, going along the order of
//! the list is good if much is wanted. One of them is cheap unless the conditions fit badly together; then there is a larger
//! budget, and an end.

use rusqlite::{Connection, params_from_iter};
use sea_query::SelectStatement;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::Resource;
use valetkey_resources::ports::{By, Counted, ListPlan, Listing, Place, Sight, Stored, Window};

use super::Sqlite;
use super::bound::{cell, columns, parameters};
use super::connection::{Budget, Steps};
use crate::page::listing;
use crate::row::Columns;
use crate::statement::{Dialect, List, Path, Span, Step, Tour};

/// About 2 milliseconds of reading.
const SMALL: Budget = Budget(50);
/// About 40 milliseconds of reading.
const LARGE: Budget = Budget(1_000);

/// A count of all rows at once says nothing until it is done.
const MANY: u64 = 50_000;
/// For such a count: about 60 milliseconds.
const COUNT: Budget = Budget(4_000);

/// A statement and its parameters.
type Rendered = (String, Vec<rusqlite::types::Value>);

/// Rows; `None` if they would have cost too much.
type Found = Result<Option<Vec<Columns>>, StoreError>;

impl Sqlite {
    /// A part of a list.
    pub(super) fn page(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError> {
        let (place, limit) = match &plan.window {
            Window::Beside { place, limit, .. } => (*place, *limit),
            Window::Offset { limit, .. } => (Place::After, *limit),
        };
        let list = List::new(Dialect::Sqlite, of, sight, plan, place)?;
        let most = u64::from(limit) + 1;
        let by_relevance = plan.order.first().is_some_and(|order| order.by == By::Relevance);
        let found = self.readers.read_in_steps(|steps| match &plan.window {
            Window::Beside { position, .. } => beside(steps, &list, &list.beyond(position.as_ref())?, most),
            Window::Offset { offset, .. } if by_relevance => {
                let part = render(&list, &list.relevant(*offset, most)?, None)?;
                steps.within(LARGE, |connection| Ok(read(connection, &part, most)?))
            }
            Window::Offset { offset, .. } => {
                let paths = list.paths(&Span::default());
                let skipping =
                    |path: &Path| render(&list, &list.skipping(path.access, *offset, most)?, path.index.as_deref());
                match cheapest(steps, &paths, SMALL, most, skipping)? {
                    Some(rows) => Ok(Some(rows)),
                    None => cheapest(steps, &paths, LARGE, most, skipping),
                }
            }
        })?;
        let Some(rows) = found else { return Ok(Listing::TooExpensive) };
        let rows = rows.into_iter().map(Columns::stored).collect::<Result<Vec<Stored>, _>>()?;
        listing(&list, plan, rows, limit)
    }

    /// How many rows a list has: at once, or one by one, so that it is known how far it came.
    pub(super) fn count_rows(
        &self,
        of: &Resource,
        sight: &Sight,
        plan: &ListPlan,
        cap: u64,
    ) -> Result<Counted, StoreError> {
        let list = List::new(Dialect::Sqlite, of, sight, plan, Place::After)?;
        self.readers.read_in_steps(|steps| {
            if cap > MANY {
                let (sql, values) = render(&list, &list.count(cap.saturating_add(1))?, None)?;
                let counted = steps.within(COUNT, |connection| {
                    let mut statement = connection.prepare_cached(&sql)?;
                    Ok(statement.query_row(params_from_iter(values), |row| row.get::<_, i64>(0))?)
                })?;
                if let Some(counted) = counted.map(i64::cast_unsigned) {
                    return Ok(if counted > cap { Counted::AtLeast(cap) } else { Counted::Exactly(counted) });
                }
            }
            one_by_one(steps, &list, cap.min(MANY))
        })
    }
}

/// How many rows a list has, counted one by one: by the index of each condition for a little while, then by any.
fn one_by_one(steps: &Steps<'_>, list: &List<'_>, cap: u64) -> Result<Counted, StoreError> {
    let select = list.marks(cap + 1)?;
    let mut ways: Vec<_> = list.conditions().into_iter().map(|index| (Some(index), SMALL)).collect();
    ways.push((None, LARGE));
    let mut most = 0;
    for (index, budget) in ways {
        let (sql, values) = render(list, &select, index.as_deref())?;
        let mut seen = 0;
        let complete = steps.within(budget, |connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query(params_from_iter(values))?;
            while rows.next()?.is_some() {
                seen += 1;
            }
            Ok(())
        })?;
        most = seen.max(most);
        if complete.is_some() && seen <= cap {
            return Ok(Counted::Exactly(seen));
        }
        if most > cap {
            break;
        }
    }
    Ok(Counted::AtLeast(most.min(cap)))
}

/// So many rows of these stretches.
fn beside(steps: &Steps<'_>, list: &List<'_>, spans: &[Span], most: u64) -> Found {
    let mut found = Vec::new();
    for (done, span) in spans.iter().enumerate() {
        let left = most - found.len() as u64;
        let paths = list.paths(span);
        let stretch = |path: &Path| render(list, &list.rows(span, path.access, left)?, path.index.as_deref());
        let mut rows = cheapest(steps, &paths, SMALL, left, stretch)?;
        if rows.is_none() && list.is_grouped() {
            // Groups that are too large to be sorted are read one by one, from here on.
            if let Some(rest) = tour(steps, list, &spans[done..], left)? {
                found.extend(rest);
                return Ok(Some(found));
            }
        }
        if rows.is_none() {
            rows = cheapest(steps, &paths, LARGE, left, stretch)?;
        }
        let Some(rows) = rows else { return Ok(None) };
        found.extend(rows);
        if found.len() as u64 >= most {
            break;
        }
    }
    Ok(Some(found))
}

/// The rows by the first path that is cheap enough.
fn cheapest(
    steps: &Steps<'_>,
    paths: &[Path],
    budget: Budget,
    most: u64,
    rendered: impl Fn(&Path) -> Result<Rendered, StoreError>,
) -> Found {
    for path in paths {
        let part = rendered(path)?;
        let rows = steps.within(budget, |connection| Ok(read(connection, &part, most)?))?;
        if rows.is_some() {
            return Ok(rows);
        }
    }
    Ok(None)
}

/// So many rows, group by group.
fn tour(steps: &Steps<'_>, list: &List<'_>, spans: &[Span], most: u64) -> Found {
    let mut tour = Tour::new(list, spans.to_vec(), most, false);
    steps.within(LARGE, |connection| {
        let mut found = Vec::new();
        let mut asked = tour.next()?;
        while let Some(step) = asked {
            asked = match step {
                Step::Value(select, kind, index) => {
                    let (sql, values) = render(list, &select, index.as_deref())?;
                    let mut statement = connection.prepare_cached(&sql)?;
                    let mut rows = statement.query(params_from_iter(values))?;
                    let value = rows.next()?.map(|row| cell(row, kind)).transpose()?;
                    tour.value(value)?
                }
                Step::Size(select, index) => {
                    let (sql, values) = render(list, &select, index.as_deref())?;
                    let mut statement = connection.prepare_cached(&sql)?;
                    let members: i64 = statement.query_row(params_from_iter(values), |row| row.get(0))?;
                    tour.size(members.cast_unsigned())?
                }
                Step::Rows(select, index) => {
                    let part = render(list, &select, index.as_deref())?;
                    found.extend(read(connection, &part, most - found.len() as u64)?);
                    None
                }
            };
            if found.len() as u64 >= most {
                break;
            }
            if asked.is_none() {
                asked = tour.next()?;
            }
        }
        Ok(found)
    })
}

/// A statement as text, along this index. The table is named last where rows are chosen.
fn render(list: &List<'_>, select: &SelectStatement, index: Option<&str>) -> Result<Rendered, StoreError> {
    let (mut sql, values) = Dialect::Sqlite.render(select);
    let from = format!("FROM \"{}\"", list.table());
    if let (Some(index), Some(at)) = (index, sql.rfind(&from)) {
        sql.insert_str(at + from.len(), &format!(" INDEXED BY \"{index}\""));
    }
    Ok((sql, parameters(values)?))
}

/// The rows of a statement, at most so many.
fn read(connection: &Connection, (sql, values): &Rendered, most: u64) -> rusqlite::Result<Vec<Columns>> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params_from_iter(values), columns)?;
    rows.take(usize::try_from(most).unwrap_or(usize::MAX)).collect()
}

#[cfg(test)]
mod tests;
