//! A page, or a number, by one statement.

use rusqlite::{Connection, params_from_iter};
use sea_query::SelectStatement;
use valetkey_oauth::ports::StoreError;

use super::Found;
use super::question::{Rendered, render};
use crate::page::Page;
use crate::sqlite::bound::{shown, text};
use crate::sqlite::connection::{Budget, Halt, Steps};
use crate::statement::List;

/// A page by one statement.
pub(super) fn attempt(
    steps: &Steps<'_>,
    budget: Budget,
    list: &List<'_>,
    select: &SelectStatement,
    index: Option<&str>,
    mut page: Page,
) -> Found {
    let part = render(list, select, index)?;
    Ok(steps.within(budget, |connection| read(connection, &part, &mut page))?.map(|()| page))
}

/// The rows of a statement, until the page is full.
pub(super) fn read(connection: &Connection, (sql, values): &Rendered, page: &mut Page) -> Result<(), Halt> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params_from_iter(values))?;
    while let Some(row) = rows.next()? {
        if page.skips() {
            continue;
        }
        // Where a document lies is found without a copy of it.
        let document = text(row.get_ref(2)?)?;
        if !page.has_room(document.len()) {
            break;
        }
        page.add(shown(row, document)?);
    }
    Ok(())
}

/// One number; `None` if it would have cost too much.
pub(super) fn number(
    steps: &Steps<'_>,
    list: &List<'_>,
    select: &SelectStatement,
    index: Option<&str>,
) -> Result<Option<u64>, StoreError> {
    let (sql, values) = render(list, select, index)?;
    steps.within(steps.left(), |connection| {
        let mut statement = connection.prepare_cached(&sql)?;
        Ok(statement.query_row(params_from_iter(values), |row| row.get::<_, i64>(0))?.cast_unsigned())
    })
}
