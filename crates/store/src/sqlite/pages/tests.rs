//! However a list is read, it is the same; and a page beyond a position is a range of an index.

use std::sync::Arc;

use rusqlite::Connection;
use tempfile::TempDir;
use uuid::Uuid;
use valetkey_resources::model::Cell;
use valetkey_resources::ports::{Direction, Order, Position};
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
    sqlite::migrate(&path, |_, _, _| {}).unwrap();
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
    (engine, model, folder)
}

/// A list read to its end, each stretch by the path with this number, or group by group. None on a machine so busy that
/// the groups took too long.
fn walk(engine: &Sqlite, of: &Resource, plan: &ListPlan, place: Place, way: Option<usize>) -> Option<Vec<Uuid>> {
    let (sight, most) = (Sight::default(), 17);
    let list = List::new(Dialect::Sqlite, of, &sight, plan, place).unwrap();
    let (mut met, mut position) = (Vec::new(), None);
    loop {
        let spans = list.beyond(position.as_ref()).unwrap();
        let page = engine.readers.read_in_steps(|steps| {
            let Some(way) = way else { return tour(steps, &list, &spans, most) };
            let mut page = Vec::new();
            for span in &spans {
                let paths = list.paths(span);
                let path = &paths[way.min(paths.len() - 1)];
                let part = render(&list, &list.rows(span, path.access, most)?, path.index.as_deref())?;
                page.extend(steps.within(LARGE, |connection| Ok(read(connection, &part, most)?))?.unwrap());
            }
            page.truncate(17);
            Ok(Some(page))
        });
        let page: Vec<_> = page.unwrap()?.into_iter().map(|row| row.stored().unwrap()).collect();
        met.extend(page.iter().map(|row| row.id));
        position = page.last().map(|row| list.position(row).unwrap());
        if page.len() < 17 {
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
    ListPlan { conditions: vec![], search: vec![], order, window: Window::Offset { offset: 0, limit: 20 } }
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
    let part = render(&list, &list.rows(&Span::default(), Access::Sort, 21).unwrap(), None).unwrap();

    let read_with = |budget| {
        let read = |steps: &Steps<'_>| steps.within(budget, |connection| Ok(read(connection, &part, 21)?));
        engine.readers.read_in_steps(read).unwrap()
    };

    assert!(read_with(Budget(0)).is_none());
    assert_eq!(read_with(LARGE).unwrap().len(), 21);
}
