//! Which rows a list has: sight, tests on columns, words. How an index is chosen is left to the engine, or taken from it.

use sea_query::{Condition as Where, Expr, ExprTrait, Query, Value};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, ColumnKind, Resource};
use valetkey_resources::ports::{By, Condition, ListPlan, Sight, Test};

use super::{Dialect, cell, column, match_all, query_all, search_table, table};

/// How SQLite is to find the rows of a list. Its planner does not know that a list ends after a few rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// As the planner likes: mostly by the index of a condition, and then everything found is sorted.
    Free,
    /// In the order of the list, looking at each row: no index but that of the order is left to choose.
    Walk,
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

/// Everything that holds for each row of a list. `driver` is the column whose index an [`Access::Walk`] goes along.
pub(super) fn all(
    dialect: Dialect,
    of: &Resource,
    sight: &Sight,
    plan: &ListPlan,
    access: Access,
    driver: &str,
) -> Result<Where, StoreError> {
    let plain = |name: &str| reference(name, access, driver);
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
    Ok(whole)
}

/// A column in a condition. The sign keeps SQLite from using its index; the value is the same.
pub(super) fn reference(name: &str, access: Access, driver: &str) -> Expr {
    let column = Expr::col(name.to_owned());
    if access == Access::Walk && name != driver { Expr::cust_with_expr("+?", column) } else { column }
}

fn found(dialect: Dialect, of: &Resource, plan: &ListPlan, access: Access) -> Expr {
    let text = |text: String| Expr::val(Value::String(Some(text)));
    if dialect == Dialect::Postgres {
        return Expr::cust_with_expr("search @@ CAST($1 AS tsquery)", text(query_all(&plan.search)));
    }
    let words = search_table(&of.name);
    let matching = Expr::cust_with_expr(format!("\"{words}\" MATCH ?"), text(match_all(&plan.search)));
    let mut rows = Query::select();
    rows.column("rowid").from(words.clone()).and_where(matching);
    if access == Access::Free {
        return Expr::col("seq").in_subquery(rows);
    }
    let outer = Expr::col((table(&of.name), "seq"));
    Expr::exists(rows.and_where(Expr::col((words, "rowid")).eq(outer)).take())
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
