//! However a list is read, it is the same; and a page beyond a position is a range of an index.

use std::sync::Arc;

use rusqlite::{Connection, StatementStatus};
use tempfile::TempDir;
use uuid::Uuid;
use valetkey_resources::model::Cell;
use valetkey_resources::ports::{Condition, Direction, Order, Position, Test};
use valetkey_testkit::api::{ORDERS, shop};
use valetkey_testkit::build::id;
use valetkey_testkit::conformance::resources::Shop;
use valetkey_testkit::conformance::resources::model::{Dice, Model};

use super::*;
use crate::sqlite;
use crate::statement::Access;

/// A shop with so many orders, and the same by hand.
async fn filled(rows: u128) -> (Arc<Sqlite>, Model, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    sqlite::migrate(&path, |_| {}).unwrap();
    sqlite::api_shape::apply(&path, &shop(), &[], &mut |_, _, _| {}).unwrap();
    let engine = Sqlite::open(&path).unwrap();
    let orders = Shop::new(engine.clone().resource_ports());
    let dice = Dice::new(7);
    let mut model = Model::default();
    for number in 0..rows {
        let document = dice.order();
        orders.create(ORDERS, id(number * 7919 % 10_007), document.clone()).await;
        model.0.push((id(number * 7919 % 10_007), document.as_object().unwrap().clone()));
    }
    engine.settle_words(&orders.resource(ORDERS)).await.unwrap();
    (engine, model, folder)
}

/// More than anything here needs, however slow the machine is.
const AMPLE: Budget = Budget::micros(60_000_000);

/// A list read to its end, each stretch by the path with this number, or group by group. None on a machine so busy that
/// the groups took too long.
fn walk(engine: &Sqlite, of: &Resource, plan: &ListPlan, place: Place, way: Option<usize>) -> Option<Vec<Uuid>> {
    let sight = Sight::default();
    let window = Window::Offset { offset: 0, limit: 17 };
    let list = List::new(Dialect::Sqlite, of, &sight, plan, place).unwrap();
    let (mut met, mut position) = (Vec::new(), None);
    loop {
        let spans = list.beyond(position.as_ref()).unwrap();
        let page = engine.readers.read_briefly(AMPLE, |steps| {
            let Some(way) = way else { return tour(steps, &list, &spans, Page::of(&window)) };
            let mut page = Page::of(&window);
            for span in &spans {
                let mut paths = list.paths(span);
                if !plan.search.is_empty() {
                    paths.push(List::by_words());
                }
                let path = &paths[way.min(paths.len() - 1)];
                let select = list.rows(span, path.access, page.wanted())?;
                let rest = attempt(steps, steps.left(), &list, &select, path.along(), page.rest())?;
                page.append(rest.unwrap());
                if page.is_full() {
                    break;
                }
            }
            Ok(Some(page))
        });
        let Listing::Rows { mut rows, more, .. } = page.unwrap().0?.listing(&list, plan).unwrap() else { return None };
        if matches!(plan.window, Window::Beside { place: Place::Before, .. }) {
            rows.reverse();
        }
        met.extend(rows.iter().map(|row| row.id));
        position = rows.last().map(|row| list.position(row).unwrap());
        if !more {
            return Some(met);
        }
    }
}

#[tokio::test]
async fn every_way_to_read_a_list_gives_the_same() {
    let (engine, model, _folder) = filled(120).await;
    let (dice, api) = (Dice::new(8), shop());
    let orders = api.resource(ORDERS).unwrap();

    for round in 0..150 {
        let plan = dice.plan(orders, &model);
        let place = if round % 2 == 0 { Place::After } else { Place::Before };
        let mut expected = model.list(orders, &plan);
        if place == Place::Before {
            expected.reverse();
        }
        for way in [None, Some(0), Some(1), Some(2), Some(3), Some(4)] {
            let met = walk(&engine, orders, &plan, place, way);
            assert!(met.is_none_or(|met| met == expected), "{way:?} {plan:?}");
        }
    }
}

fn by(order: &[(By, Direction)]) -> ListPlan {
    let order = order.iter().map(|(by, direction)| Order { by: *by, direction: *direction }).collect();
    ListPlan {
        conditions: vec![],
        search: vec![],
        in_sight: None,
        order,
        window: Window::Offset { offset: 0, limit: 20 },
    }
}

/// What SQLite says it will do for the stretches beyond a position.
fn explained(engine: &Sqlite, plan: &ListPlan, cells: &[Cell]) -> Vec<String> {
    let (api, sight) = (shop(), Sight::default());
    let list = List::new(Dialect::Sqlite, api.resource(ORDERS).unwrap(), &sight, plan, Place::After).unwrap();
    let connection = Connection::open(engine.path()).unwrap();
    let mut told = Vec::new();
    for span in list.beyond(Some(&Position(cells.to_vec()))).unwrap() {
        let path = list.paths(&span).remove(0);
        let select = list.rows(&span, path.access, 21).unwrap();
        let (sql, values) = render(&list, &select, path.index.as_deref()).unwrap();
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let rows = statement.query_map(params_from_iter(values), |row| row.get::<_, String>(3)).unwrap();
        told.extend(rows.map(Result::unwrap));
    }
    told
}

#[tokio::test]
async fn a_page_beyond_a_position_is_a_range_of_an_index() {
    let (engine, _, _folder) = filled(0).await;
    let currency = By::Column(shop().resource(ORDERS).unwrap().column("currency").unwrap());

    for (direction, equals) in
        [(Direction::Up, "(f_currency=? AND id>?)"), (Direction::Down, "(f_currency=? AND id<?)")]
    {
        let plan = by(&[(currency, direction), (By::Id, direction)]);
        let told = explained(&engine, &plan, &[Cell::Text("EUR".into()), Cell::Id(id(1))]);

        assert!(told[0].ends_with(equals), "{told:?}");
        for step in &told {
            assert!(step.starts_with("SEARCH r_orders USING INDEX i_orders_currency"), "{told:?}");
        }
    }
}

#[tokio::test]
async fn a_read_that_costs_too_much_is_ended() {
    let (engine, _, _folder) = filled(400).await;
    let (api, sight, plan) = (shop(), Sight::default(), by(&[(By::Id, Direction::Up)]));
    let list = List::new(Dialect::Sqlite, api.resource(ORDERS).unwrap(), &sight, &plan, Place::After).unwrap();
    let select = list.rows(&Span::default(), Access::Walk, 101).unwrap();
    let window = Window::Offset { offset: 0, limit: 100 };

    let read_with = |budget| {
        let read = |steps: &Steps<'_>| attempt(steps, LIST, &list, &select, None, Page::of(&window));
        engine.readers.read_briefly(budget, read).unwrap().0
    };

    assert!(read_with(Budget::micros(0)).is_none());
    assert!(read_with(Budget::micros(1)).is_none());
    assert!(read_with(AMPLE).is_some());
}

#[tokio::test]
async fn attempts_share_one_budget() {
    let (engine, _, _folder) = filled(400).await;
    let (api, sight, plan) = (shop(), Sight::default(), by(&[(By::Id, Direction::Up)]));
    let list = List::new(Dialect::Sqlite, api.resource(ORDERS).unwrap(), &sight, &plan, Place::After).unwrap();
    let select = list.rows(&Span::default(), Access::Sort, 21).unwrap();

    let attempts = |steps: &Steps<'_>| {
        let mut done = 0;
        // Each of them may cost as much as all; but there is an end.
        while attempt(steps, AMPLE, &list, &select, None, Page::of(&plan.window))?.is_some() {
            done += 1;
        }
        Ok((done, steps.left()))
    };
    let ((done, left), _) = engine.readers.read_briefly(Budget::micros(20_000), attempts).unwrap();

    assert!(done < 20_000, "{done}");
    assert!(left < Budget::micros(20_000));
}

#[tokio::test]
async fn what_takes_long_leaves_point_reads_alone() {
    let (engine, _, _folder) = filled(1).await;
    let (api, sight) = (shop(), Sight::default());
    let gate = Arc::new(std::sync::Barrier::new(2));
    let (entered, inside) = tokio::sync::oneshot::channel();
    let (slow, held) = (engine.clone(), gate.clone());
    let slow = tokio::spawn(async move {
        let wait = move |_: &Steps<'_>| {
            entered.send(()).unwrap();
            held.wait();
            Ok(())
        };
        slow.readers.read_at_length(LIST, wait).await.unwrap();
    });
    inside.await.unwrap();

    // More of them than there are connections for what takes long: they wait, and not on a thread.
    let waiting: Vec<_> = (0..32)
        .map(|_| {
            let engine = engine.clone();
            tokio::spawn(async move { engine.readers.read_at_length(LIST, |_| Ok(())).await.unwrap() })
        })
        .collect();
    for _ in 0..100 {
        let order = api.resource(ORDERS).unwrap();
        valetkey_resources::ports::Rows::find(&*engine, order, id(0), &sight).await.unwrap().unwrap();
        tokio::task::yield_now().await;
    }

    gate.wait();
    slow.await.unwrap();
    for each in waiting {
        each.await.unwrap();
    }
}

#[tokio::test]
async fn the_way_that_was_good_for_a_list_is_tried_first_the_next_time() {
    let (engine, _, _folder) = filled(1).await;
    let (api, sight) = (shop(), Sight::default());
    let currency = By::Column(api.resource(ORDERS).unwrap().column("currency").unwrap());
    let amount = By::Column(api.resource(ORDERS).unwrap().column("amount").unwrap());
    let filtered = |value: &str| ListPlan {
        conditions: vec![Condition { by: currency, test: Test::AnyOf(vec![Cell::Text(value.to_owned())]) }],
        ..by(&[(amount, Direction::Down), (By::Id, Direction::Down)])
    };
    let habits = Habits::default();
    // What is tried for a list of which one way alone comes to an end.
    let tried = |value: &str, good: Access| {
        let (plan, span, met) = (filtered(value), Span::default(), std::cell::RefCell::default());
        let list = List::new(Dialect::Sqlite, api.resource(ORDERS).unwrap(), &sight, &plan, Place::After).unwrap();
        let read = |path: &Path, _: Budget| {
            let mut met: std::cell::RefMut<'_, Vec<Access>> = met.borrow_mut();
            met.push(path.access);
            Ok((path.access == good).then(|| Page::of(&plan.window)))
        };
        let familiar = Familiar::default();
        let brief = Effort::Brief(&habits, &familiar);
        let found = engine.readers.read_briefly(BRIEF, |steps| by_any(steps, &list, &plan, &span, brief, read));
        assert!(found.unwrap().0.is_some());
        met.into_inner()
    };

    assert_eq!(tried("EUR", Access::Walk), [Access::Free, Access::Walk]);
    assert_eq!(tried("EUR", Access::Walk), [Access::Walk]);
    assert_eq!(tried("USD", Access::Walk), [Access::Walk]);
    // It is no longer good, or not for this value.
    assert_eq!(tried("ISK", Access::Sort), [Access::Walk, Access::Free, Access::Sort]);
    assert_eq!(tried("ISK", Access::Sort), [Access::Sort]);
    assert_eq!(tried("EUR", Access::Walk), [Access::Walk]);
}

#[tokio::test]
async fn rows_of_an_owner_are_found_by_an_index_that_holds_no_others() {
    let (engine, _, _folder) = filled(0).await;
    let (api, plan) = (shop(), by(&[(By::Id, Direction::Up)]));
    let orders = api.resource(ORDERS).unwrap();
    let sight = Sight { owner: Some("alice".to_owned()), under: None };
    let list = List::new(Dialect::Sqlite, orders, &sight, &plan, Place::After).unwrap();
    let connection = Connection::open(engine.path()).unwrap();
    let owners = list.conditions().remove(0).0;

    let select = list.rows(&Span::default(), Access::Sort, 21).unwrap();
    let (sql, values) = render(&list, &select, Some(&owners)).unwrap();
    let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps = plan.query_map(params_from_iter(values), |row| row.get::<_, String>(3)).unwrap();
    let steps: Vec<_> = steps.map(Result::unwrap).collect();
    let all = connection.prepare(&format!("SELECT id FROM r_orders INDEXED BY \"{owners}\""));

    assert!(steps.iter().any(|step| step.contains(&format!("{owners} (owner=?"))), "{steps:?}");
    assert!(all.is_err(), "it holds rows of nobody");
}

#[tokio::test]
async fn a_statement_is_prepared_once_whatever_limit_it_is_given() {
    let (engine, _, _folder) = filled(3).await;
    let prepared = |limit: u32| {
        let count = |connection: &Connection| {
            let mut statement = connection.prepare_cached("SELECT id FROM r_orders ORDER BY id LIMIT ?1").unwrap();
            assert_eq!(statement.query_map([limit], |_| Ok(())).unwrap().count(), usize::try_from(limit).unwrap());
            Ok(statement.get_status(StatementStatus::RePrepare))
        };
        engine.readers.read_briefly(AMPLE, |steps| steps.within(AMPLE, count)).unwrap().0.unwrap()
    };

    // There are several connections.
    assert!((0..40).all(|turn| prepared(turn % 3 + 1) == 0));
}
