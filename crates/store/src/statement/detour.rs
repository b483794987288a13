//! Other ways to the rows of a list, for PostgreSQL. Its planner takes it that what a filter lets through is spread evenly
//! over an order. Where that is wrong (a word that nobody uses, rows that were all made on one day), it walks along an order
//! and looks at nearly every row. These statements leave it no such choice.

use std::collections::BTreeSet;

use sea_query::{Condition as Where, Expr, ExprTrait, Query, SelectStatement, UnionType};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, ColumnKind};
use valetkey_resources::ports::{By, Condition, Test, Window};

use super::condition::{Access, all, named, range};
use super::list::Key;
use super::{List, Span, table};
use crate::page::Page;

/// A way to the rows of a list.
pub(crate) struct Detour {
    /// What to ask.
    pub(crate) statement: SelectStatement,
    /// Which it is.
    pub(crate) way: Way,
}

/// The ways that there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// The planner's own.
    Planned,
    /// Along the index of a column in which all rows are equal.
    Along,
    /// All that the conditions let through, put in order afterwards.
    Gathered,
    /// Along the order, past so many rows and no more.
    Walked,
}

/// How many rows a walk looks at: some ten milliseconds, more if they are not in memory.
const FAR: u64 = 10_000;

/// Other ways to the same rows.
pub(crate) fn detours(
    list: &List<'_>,
    spans: &[Span],
    window: &Window,
    planned: SelectStatement,
) -> Result<Vec<Detour>, StoreError> {
    let page = Page::of(window);
    let offset = match window {
        Window::Beside { .. } => 0,
        Window::Offset { offset, .. } => *offset,
    };
    let mut detours = vec![Detour { statement: planned, way: Way::Planned }];
    if !list.is_whole() {
        let along = if offset == 0 { list.along(spans, page.wanted())? } else { None };
        detours.extend(along.map(|statement| Detour { statement, way: Way::Along }));
        let statement = list.gathered(spans, offset, page.wanted() - offset)?;
        detours.push(Detour { statement, way: Way::Gathered });
        let walked = if offset == 0 && !list.is_grouped() { list.among_next(spans, page.wanted())? } else { None };
        detours.extend(walked.map(|statement| Detour { statement, way: Way::Walked }));
    }
    Ok(detours)
}

impl List<'_> {
    /// All rows that the conditions let through, by whatever index finds them; the first ones of them are looked up. Good
    /// if they are not many.
    fn gathered(&self, spans: &[Span], offset: u64, limit: u64) -> Result<SelectStatement, StoreError> {
        let mut beyond = Where::any();
        for span in spans {
            beyond = beyond.add(self.stretch(span));
        }
        let mut found = Query::select();
        // An order may name a column twice.
        let names: BTreeSet<_> = self.keys.iter().map(|key| key.name.clone()).collect();
        found.columns(names).from(table(&self.of.name));
        found.cond_where(all(self.dialect, self.of, self.sight, self.plan, Access::Free)?.add(beyond));
        // An offset keeps the planner from mixing what is inside with what is outside.
        found.offset(0);
        let mut first = Query::select();
        first.column("id").from_subquery(found, "found");
        self.in_order(&mut first);
        first.limit(limit).offset(offset);
        let mut select = self.select();
        select.and_where(Expr::col("id").in_subquery(first)).limit(limit);
        self.in_order(&mut select);
        Ok(select)
    }

    /// The rows of the list among the next ones of its order, whatever else these are. How long that takes is known beforehand;
    /// that there are no others only if they fill a page.
    fn among_next(&self, spans: &[Span], limit: u64) -> Result<Option<SelectStatement>, StoreError> {
        let range = self.keys.first().map_or_else(|| Ok(Where::all()), |key| range(self.of, key.by, self.plan))?;
        let mut parts = spans.iter().enumerate().map(|(place, span)| {
            let mut next = Query::select();
            next.expr(Expr::cust("*")).from(table(&self.of.name)).limit(FAR);
            next.cond_where(self.stretch(span)).cond_where(range.clone());
            self.order(&mut next, span, Access::Walk);
            let mut part = Query::select();
            part.expr(Expr::cust("*")).from_subquery(next, format!("part{place}")).take()
        });
        let Some(mut next) = parts.next() else { return Ok(None) };
        next.unions(parts.map(|part| (UnionType::All, part))).limit(FAR);
        let mut select = self.select();
        // Under the name of the table, so that conditions mean these rows.
        select.from_clear().from_subquery(next, table(&self.of.name));
        select.cond_where(all(self.dialect, self.of, self.sight, self.plan, Access::Free)?).limit(limit);
        Ok(Some(select))
    }

    /// The rows along the index of a column in which all of them are equal, if nothing is left to order them by but the id.
    /// None if there is no such column.
    fn along(&self, spans: &[Span], limit: u64) -> Result<Option<SelectStatement>, StoreError> {
        let is_fixed = |by: By| self.fixed().any(|(fixed, _)| fixed == Some(by));
        let [rest @ .., id] = &self.keys[..] else { return Ok(None) };
        let Some((fixed, value)) = self.fixed().next().filter(|_| rest.iter().all(|key| is_fixed(key.by))) else {
            return Ok(None);
        };
        let (name, kind) = match fixed {
            Some(by) => named(self.of, by)?,
            None => ("owner".to_owned(), ColumnKind::Text),
        };
        let (mut sight, mut plan) = (self.sight.clone(), self.plan.clone());
        match fixed {
            Some(by) => {
                // What else is said of the same column stays.
                plan.conditions.retain(|condition| condition.by != by || single(&condition.test) != Some(&value));
                sight.under = sight.under.filter(|(place, id)| (By::Column(*place), &Cell::Id(*id)) != (by, &value));
            }
            None => sight.owner = None,
        }
        let mut whole = all(self.dialect, self.of, &sight, &plan, Access::Free)?;
        let column = || Expr::col(name.clone());
        // Were it said that they are equal, the planner would not care for the order of this index.
        whole = match &value {
            Cell::Null => whole.add(column().is_null()),
            value => {
                let bound = || Expr::val(super::value(value, kind));
                whole.add(column().gte(bound())).add(column().lte(bound()))
            }
        };
        if let Some(edge) = spans.first().and_then(|span| span.beyond.as_ref()) {
            whole = whole.add(self.past(edge, self.keys.len() - 1));
        }
        let mut select = self.select();
        select.cond_where(whole).limit(limit);
        match fixed {
            Some(by) => {
                let key = Key { by, name: name.clone(), kind, direction: id.direction };
                self.order_by(&mut select, column(), &key);
            }
            // Its index goes as the database likes: what has no owner is not in it.
            None => drop(select.order_by_expr(column(), Self::towards(id.direction))),
        }
        self.order_by(&mut select, Expr::col("id"), id);
        Ok(Some(select))
    }

    /// Columns in which all rows are equal, and to what. None: the owner.
    fn fixed(&self) -> impl Iterator<Item = (Option<By>, Cell)> {
        let tested = self.plan.conditions.iter().filter_map(|Condition { by, test }| {
            single(test).filter(|_| matches!(by, By::Column(_))).map(|cell| (Some(*by), cell.clone()))
        });
        let under = self.sight.under.map(|(place, above)| (Some(By::Column(place)), Cell::Id(above)));
        let owner = self.sight.owner.clone().map(|owner| (None, Cell::Text(owner)));
        tested.chain(under).chain(owner)
    }

    fn in_order(&self, select: &mut SelectStatement) {
        for key in &self.keys {
            self.order_by(select, Expr::col(key.name.clone()), key);
        }
    }
}

/// The one value that a test lets through.
fn single(test: &Test) -> Option<&Cell> {
    match test {
        Test::AnyOf(cells) => match &cells[..] {
            [cell] => Some(cell),
            _ => None,
        },
        Test::NoneOf(_) | Test::Above(_) | Test::AtLeast(_) | Test::Below(_) | Test::AtMost(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;
    use valetkey_resources::ports::{Direction, ListPlan, Order, Place, Sight};
    use valetkey_testkit::api::{ORDERS, shop};

    use super::*;
    use crate::statement::Dialect;

    #[test]
    fn on_the_way_along_a_column_all_that_is_said_of_it_holds() {
        let api = shop();
        let orders = api.resource(ORDERS).unwrap();
        let user = orders.column("user_id").unwrap();
        let [one, other] = [1, 2].map(Uuid::from_u128);
        let sight = Sight { owner: None, under: Some((user, other)) };
        let is = |id| Condition { by: By::Column(user), test: Test::AnyOf(vec![Cell::Id(id)]) };
        for (conditions, values) in [(vec![is(one)], [one, other]), (vec![is(other)], [other, other])] {
            let window = Window::Beside { position: None, place: Place::After, limit: 5 };
            let order = vec![Order { by: By::Id, direction: Direction::Up }];
            let plan = ListPlan { conditions, order, window, search: Vec::new(), in_sight: None };
            let list = List::new(Dialect::Postgres, orders, &sight, &plan, Place::After).unwrap();

            let along = list.along(&list.beyond(None).unwrap(), 6).unwrap().unwrap();

            let (_, bound) = Dialect::Postgres.render(&along);
            let said: Vec<_> = values.into_iter().map(|id| sea_query::Value::Uuid(Some(id))).collect();
            assert!(said.iter().all(|value| bound.0.contains(value)), "{bound:?}");
        }
    }
    #[test]
    fn the_way_along_an_owner_is_that_of_its_index() {
        let api = shop();
        let orders = api.resource(ORDERS).unwrap();
        let sight = Sight { owner: Some("alice".to_owned()), under: None };
        for (direction, way) in [(Direction::Up, "ASC"), (Direction::Down, "DESC")] {
            let window = Window::Beside { position: None, place: Place::After, limit: 5 };
            let order = vec![Order { by: By::Id, direction }];
            let plan = ListPlan { conditions: Vec::new(), order, window, search: Vec::new(), in_sight: None };
            let list = List::new(Dialect::Postgres, orders, &sight, &plan, Place::After).unwrap();

            let along = list.along(&list.beyond(None).unwrap(), 6).unwrap().unwrap();

            // Of where nothing comes, nothing is said, as in the statement that makes the index.
            let (sql, _) = Dialect::Postgres.render(&along);
            assert!(sql.contains(&format!("ORDER BY \"owner\" {way}, \"id\" {way}")), "{sql}");
        }
    }
}
