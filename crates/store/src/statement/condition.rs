//! Which rows a list has: sight, tests on columns, words. How an index is chosen is left to the engine, or taken from it.

use sea_query::{Condition as Where, Expr, ExprTrait, Query, Value};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, ColumnKind, Resource};
use valetkey_resources::ports::{By, Condition, InSight, ListPlan, Sight, Test};

use super::spelling::spelling;
use super::{Dialect, HAS_WORDS, cell, column, match_all, query_all, search_table};

/// How SQLite is to find the rows of a list. Its planner does not know that a list ends after a few rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// As the planner likes.
    Free,
    /// By the index of a condition; everything that it finds is sorted. Good if that is little.
    Sort,
    /// Along the index of the order, looking at each row. Good if most of them are wanted.
    Walk,
    /// By the words of a search; everything that they find is sorted. Good if one of the words is rare.
    Words,
}

/// A column of a list: its SQL name and type.
pub(super) fn named(of: &Resource, by: By) -> Result<(String, ColumnKind), StoreError> {
    match by {
        By::Id => Ok(("id".to_owned(), ColumnKind::Id)),
        By::Column(place) => {
            let found = of.columns().get(place).ok_or_else(|| misplanned(of, "it names a column that is not there"))?;
            Ok((column(&found.field), found.kind))
        }
        By::Relevance => Err(misplanned(of, "relevance is an order of searches by offset only")),
    }
}

/// A plan that does not fit the declaration: a mistake on this side of the wire.
pub(super) fn misplanned(of: &Resource, why: &str) -> StoreError {
    StoreError::Failed(format!("a list of {} was planned wrongly: {why}", of.name))
}

/// Everything that holds for each row of a list.
pub(super) fn all(
    dialect: Dialect,
    of: &Resource,
    sight: &Sight,
    plan: &ListPlan,
    access: Access,
) -> Result<Where, StoreError> {
    let plain = |name: &str| Expr::col(name.to_owned());
    let mut whole = Where::all();
    if let Some(owner) = &sight.owner {
        whole = whole.add(plain("owner").eq(Expr::val(Value::String(Some(owner.clone())))));
    }
    if let Some((place, above)) = sight.under {
        let (name, _) = named(of, By::Column(place))?;
        whole = whole.add(plain(&name).eq(Expr::val(Value::Uuid(Some(above)))));
    }
    for Condition { by, test } in &plan.conditions {
        let (name, kind) = named(of, *by)?;
        whole = whole.add(tested(of, &plain(&name), kind, test)?);
    }
    if !plan.search.is_empty() {
        whole = whole.add(found(dialect, of, plan, access));
    }
    if let Some(InSight { fields, words }) = &plan.in_sight {
        whole = whole.add(match dialect {
            Dialect::Sqlite => have_all(fields, words),
            Dialect::Postgres => spelled(fields, words),
        });
    }
    Ok(whole)
}

fn found(dialect: Dialect, of: &Resource, plan: &ListPlan, access: Access) -> Expr {
    if dialect == Dialect::Postgres {
        let text = Expr::val(Value::String(Some(query_all(&plan.search))));
        return Expr::cust_with_expr("search @@ CAST($1 AS tsquery)", text);
    }
    match access {
        Access::Free | Access::Words => {
            let (words, matching) = matching(of, match_all(&plan.search));
            let mut rows = Query::select();
            rows.column("rowid").from(words).and_where(matching);
            Expr::col("seq").in_subquery(rows)
        }
        Access::Sort | Access::Walk => all_found(of, &plan.search),
    }
}

/// A row that has all of these words (SQLite), by a look at its document: asking the search about one row takes longer.
pub(super) fn all_found(of: &Resource, searched: &[String]) -> Expr {
    let searched_in = of.fields.iter().filter(|field| field.search).map(|field| field.name.clone());
    have_all(&searched_in.collect::<Vec<_>>(), searched)
}

/// All of these words stand in these fields of the document (SQLite).
fn have_all(fields: &[String], words: &[String]) -> Expr {
    let text = |text: String| Expr::val(Value::String(Some(text)));
    let (fields, words) = (text(fields.join(" ")), text(super::text(words)));
    Expr::cust_with_exprs(format!("{HAS_WORDS}(document, ?, ?)"), [fields, words])
}

/// The same (PostgreSQL). The index says already that the row has each word as a whole; here it is enough to see it spelled,
/// in either case, whatever letters the database takes for letters.
fn spelled(fields: &[String], words: &[String]) -> Expr {
    let text = |text: String| Expr::val(Value::String(Some(text)));
    let mut all = Where::all();
    for word in words {
        let somewhere = fields.iter().fold(Where::any(), |any, field| {
            let with = [text(field.clone()), text(spelling(word))];
            any.add(Expr::cust_with_exprs("CAST(document AS jsonb) ->> CAST($1 AS text) ~ $2", with))
        });
        // Where nothing is seen, nothing is found.
        all = all.add(if fields.is_empty() { Where::any().add(Expr::cust("1 = 0")) } else { somewhere });
    }
    all.into()
}

/// The table of words, and what finds these in it (SQLite).
pub(super) fn matching(of: &Resource, searched: String) -> (String, Expr) {
    let words = search_table(&of.name);
    let matching = Expr::cust_with_expr(format!("\"{words}\" MATCH ?"), Expr::val(Value::String(Some(searched))));
    (words, matching)
}

/// What holds for one column alone.
pub(super) fn on(of: &Resource, by: By, plan: &ListPlan) -> Result<Where, StoreError> {
    let (name, kind) = named(of, by)?;
    let mut whole = Where::all();
    for condition in plan.conditions.iter().filter(|condition| condition.by == by) {
        whole = whole.add(tested(of, &Expr::col(name.clone()), kind, &condition.test)?);
    }
    Ok(whole)
}

/// Between what one column has to be. Its index begins and ends there.
pub(super) fn range(of: &Resource, by: By, plan: &ListPlan) -> Result<Where, StoreError> {
    let (name, kind) = named(of, by)?;
    let mut whole = Where::all();
    for Condition { test, .. } in plan.conditions.iter().filter(|condition| condition.by == by) {
        if let Test::Above(_) | Test::AtLeast(_) | Test::Below(_) | Test::AtMost(_) = test {
            whole = whole.add(tested(of, &Expr::col(name.clone()), kind, test)?);
        }
    }
    Ok(whole)
}

/// One test. A comparison never holds for nothing, as in SQL; what is none of these may be nothing.
fn tested(of: &Resource, column: &Expr, kind: ColumnKind, test: &Test) -> Result<Expr, StoreError> {
    let bound = |cell: &Cell| -> Result<Expr, StoreError> {
        if !cell::fits(cell, kind) {
            return Err(misplanned(of, "a value does not have the type of its column"));
        }
        Ok(Expr::val(cell::value(cell, kind)))
    };
    let is = || column.clone();
    let some =
        |cells: &[Cell]| cells.iter().filter(|cell| **cell != Cell::Null).map(bound).collect::<Result<Vec<_>, _>>();
    Ok(match test {
        Test::AnyOf(cells) => {
            let values = some(cells)?;
            match (values.is_empty(), cells.contains(&Cell::Null)) {
                (true, true) => is().is_null(),
                (true, false) => Expr::cust("1 = 0"),
                (false, true) => is().is_in(values).or(is().is_null()),
                (false, false) if values.len() == 1 => values.into_iter().fold(is(), ExprTrait::eq),
                (false, false) => is().is_in(values),
            }
        }
        Test::NoneOf(cells) => {
            let values = some(cells)?;
            match (values.is_empty(), cells.contains(&Cell::Null)) {
                (true, true) => is().is_not_null(),
                (true, false) => Expr::cust("1 = 1"),
                // It does not hold for nothing.
                (false, true) => is().is_not_in(values),
                (false, false) => is().is_not_in(values).or(is().is_null()),
            }
        }
        Test::Above(cell) => is().gt(bound(cell)?),
        Test::AtLeast(cell) => is().gte(bound(cell)?),
        Test::Below(cell) => is().lt(bound(cell)?),
        Test::AtMost(cell) => is().lte(bound(cell)?),
    })
}
