//! However a list is read, it is the same.

use std::collections::HashSet;

use valetkey_testkit::api::{ORDERS, shop};
use valetkey_testkit::build::id;
use valetkey_testkit::conformance::resources::Shop;
use valetkey_testkit::conformance::resources::model::{Dice, Model};

use valetkey_resources::ports::{Condition, Direction, Order, Test};

use super::*;
use crate::postgres::{self, Settings};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_group_by_group_is_the_same() {
    let Some(server) = valetkey_testkit::services::postgres() else { return };
    let schema = format!("valetkey_pages_{}", std::process::id());
    let (client, connection) = tokio_postgres::connect(&server, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&format!("CREATE SCHEMA {schema}")).await.unwrap();
    let url = format!("{server}?options=-csearch_path%3D{schema}");
    let settings = Settings { url, pool_size: 2, extra_ca: None };
    postgres::migrate(&settings, |_, _, _| {}).await.unwrap();
    postgres::api_shape::apply(&settings, &shop(), &[], &mut |_, _, _| {}).await.unwrap();
    let engine = Postgres::open(&settings).await.unwrap();
    let store = Shop::new(engine.clone().resource_ports());
    let dice = Dice::new(9);
    let mut model = Model::default();
    for number in 0..80 {
        let document = dice.order();
        store.create(ORDERS, id(number * 7919 % 10_007), document.clone()).await;
        model.0.push((id(number * 7919 % 10_007), document.as_object().unwrap().clone()));
    }
    let api = shop();
    let orders = api.resource(ORDERS).unwrap();
    let sight = Sight::default();
    let mut ways = HashSet::new();

    for round in 0..60 {
        let mut plan = dice.plan(orders, &model);
        if round % 3 == 0 {
            let by = round / 3 % orders.columns().len();
            let cell = orders.columns()[by].cell(&model.0[round].1);
            let last = Order { by: By::Id, direction: if round % 2 == 0 { Direction::Up } else { Direction::Down } };
            plan.conditions = vec![Condition { by: By::Column(by), test: Test::AnyOf(vec![cell]) }];
            plan.search = Vec::new();
            plan.order = vec![Order { by: By::Column(by), direction: Direction::Down }, last];
        }
        let expected = model.list(orders, &plan);
        let place = if round % 2 == 0 { Place::After } else { Place::Before };
        let (mut met, mut position) = (Vec::new(), None);
        loop {
            plan.window = Window::Beside { position, place, limit: 17 };
            let list = List::new(Dialect::Postgres, orders, &sight, &plan, place).unwrap();
            let Window::Beside { position: from, .. } = &plan.window else { unreachable!() };
            let spans = list.beyond(from.as_ref()).unwrap();
            let visit = engine.crowd.enter(Duration::from_mins(1));
            let page = engine.tour(&list, spans, Page::of(&plan.window), &visit).await.unwrap().unwrap();
            let Listing::Rows { mut rows, more, .. } = page.listing(&list, &plan).unwrap() else { unreachable!() };
            let spans = list.beyond(from.as_ref()).unwrap();
            if let Some(statement) = list.joined(&spans, 18).unwrap() {
                for detour in detours(&list, &spans, &plan.window, statement).unwrap() {
                    ways.insert(detour.way);
                    let empty = Page::of(&plan.window).skipped();
                    let part = engine.part(&list, &detour.statement, PLANNED, Some(BUSY), empty).await.unwrap();
                    let Listing::Rows { rows: same, more: goes_on, .. } = part.unwrap().listing(&list, &plan).unwrap()
                    else {
                        unreachable!()
                    };
                    assert_eq!((&same, goes_on), (&rows, more), "{:?} {plan:?}", detour.way);
                }
            }
            if place == Place::Before {
                rows.reverse();
            }
            position = rows.last().map(|row| list.position(row).unwrap());
            met.extend(rows.iter().map(|row| row.id));
            if !more {
                if place == Place::Before {
                    met.reverse();
                }
                break;
            }
        }
        assert_eq!(met, expected, "{plan:?}");
    }
    assert_eq!(ways.len(), 4, "{ways:?}");
    client.batch_execute(&format!("DROP SCHEMA {schema} CASCADE")).await.unwrap();
}
