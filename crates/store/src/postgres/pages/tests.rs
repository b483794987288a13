//! However a list is read, it is the same.

use std::collections::HashSet;
use std::sync::Arc;

use tokio_postgres::Client;
use valetkey_testkit::api::{ORDERS, shop};
use valetkey_testkit::build::id;
use valetkey_testkit::conformance::resources::Shop;
use valetkey_testkit::conformance::resources::model::{Dice, Model};

use valetkey_resources::model::Cell;
use valetkey_resources::ports::{Condition, Direction, Order, Test};

use super::*;
use crate::postgres::connection::Number;
use crate::postgres::{self, Settings};

/// Orders in a schema of their own, and what they are.
struct Full {
    engine: Arc<Postgres>,
    model: Model,
    dice: Dice,
    client: Client,
    schema: String,
}

impl Full {
    async fn new(name: &str, pool_size: usize) -> Option<Self> {
        let server = valetkey_testkit::services::postgres()?;
        let schema = format!("valetkey_{name}_{}", std::process::id());
        let (client, connection) = tokio_postgres::connect(&server, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute(&format!("CREATE SCHEMA {schema}")).await.unwrap();
        let url = format!("{server}?options=-csearch_path%3D{schema}");
        let settings = Settings { url, pool_size, extra_ca: None };
        postgres::migrate(&settings, |_| {}).await.unwrap();
        postgres::api_shape::apply(&settings, &shop(), &[], &mut |_, _, _| {}).await.unwrap();
        let engine = Postgres::open(&settings).await.unwrap();
        let store = Shop::new(engine.clone().resource_ports());
        let (dice, mut model) = (Dice::new(9), Model::default());
        for number in 0..80 {
            let document = dice.order();
            store.create(ORDERS, id(number * 7919 % 10_007), document.clone()).await;
            model.0.push((id(number * 7919 % 10_007), document.as_object().unwrap().clone()));
        }
        Some(Self { engine, model, dice, client, schema })
    }

    /// Asks for orders of no more than this amount, and answers how many there are.
    async fn up_to(&self, most: Cell, amount: usize) -> usize {
        let api = shop();
        let orders = api.resource(ORDERS).unwrap();
        let mut plan = self.dice.plan(orders, &self.model);
        plan.conditions = vec![Condition { by: By::Column(amount), test: Test::AtMost(most) }];
        plan.search = Vec::new();
        plan.order = [By::Column(amount), By::Id].map(|by| Order { by, direction: Direction::Down }).to_vec();
        plan.window = Window::Beside { position: None, place: Place::After, limit: 100 };
        let Listing::Rows { rows, .. } = self.engine.page(orders, &Sight::default(), &plan).await.unwrap() else {
            panic!("too expensive: {plan:?}")
        };
        let met: Vec<_> = rows.iter().map(|row| row.id).collect();
        assert_eq!(met, self.model.list(orders, &plan), "{plan:?}");
        met.len()
    }

    /// So many who read that each has a long time, however busy the machine is.
    fn crowded(&self) -> Vec<Visit<'_>> {
        (0..1_000).map(|_| self.engine.crowd.enter(LIST)).collect()
    }

    /// How often the one connection ran a list that it keeps.
    async fn times_by_heart(&self) -> i64 {
        let times = "SELECT coalesce(sum(generic_plans + custom_plans), 0)::int8 FROM pg_prepared_statements \
            WHERE statement LIKE 'SELECT id, task%f_amount%'";
        self.engine.connections.read(times, &[]).await.unwrap()[0].get(0)
    }

    async fn end(self) {
        self.client.batch_execute(&format!("DROP SCHEMA {} CASCADE", self.schema)).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_is_known_by_heart_is_the_same() {
    let Some(full) = Full::new("heart", 1).await else { return };
    let api = shop();
    let orders = api.resource(ORDERS).unwrap();
    let amount = amount(orders);
    let mut counts = HashSet::new();
    let crowd = full.crowded();

    for (_, document) in &full.model.0[..40] {
        counts.insert(full.up_to(orders.columns()[amount].cell(document), amount).await);
    }

    assert!(counts.len() > 5, "lists of other values are others: {counts:?}");
    assert!(full.times_by_heart().await >= 20);
    drop(crowd);
    full.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_is_answered_although_what_was_kept_for_it_is_gone() {
    let Some(full) = Full::new("gone", 1).await else { return };
    let api = shop();
    let amount = amount(api.resource(ORDERS).unwrap());
    let crowd = full.crowded();
    for _ in 0..40 {
        full.up_to(Cell::Integer(500), amount).await;
    }
    assert_ne!(full.times_by_heart().await, 0);

    let mut lease = full.engine.connections.lease().await.unwrap();
    lease.begin("SELECT 1", &[]).await.unwrap();
    lease.finish("DEALLOCATE ALL", &[]).await.unwrap();
    drop(lease);
    full.up_to(Cell::Integer(500), amount).await;

    assert_eq!(full.times_by_heart().await, 0, "it is planned anew for a while");
    drop(crowd);
    full.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_that_made_room_is_kept_no_longer_and_is_the_same() {
    let Some(full) = Full::new("room", 1).await else { return };
    let api = shop();
    let amount = amount(api.resource(ORDERS).unwrap());
    let crowd = full.crowded();
    for _ in 0..40 {
        full.up_to(Cell::Integer(500), amount).await;
    }
    assert_ne!(full.times_by_heart().await, 0);

    for other in 0..32 {
        let sql = format!("SELECT {other}");
        for _ in 0..10_000 / 16 {
            full.engine.heart.knows(Number::of(&sql));
        }
        for _ in 0..8 {
            if let Some(forgotten) = full.engine.heart.note(Number::of(&sql), &sql, std::iter::empty()) {
                full.engine.connections.forget(&forgotten);
            }
        }
    }

    assert_eq!(full.times_by_heart().await, 0);
    for _ in 0..40 {
        full.up_to(Cell::Integer(500), amount).await;
    }
    assert_ne!(full.times_by_heart().await, 0, "it is learnt again, in the place of another that nobody asks for");
    drop(crowd);
    full.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_walk_begins_where_the_range_of_its_order_does() {
    let Some(full) = Full::new("walk", 1).await else { return };
    let api = shop();
    let orders = api.resource(ORDERS).unwrap();
    let by = By::Column(amount(orders));
    let many = format!(
        "SET search_path = {}; CREATE TEMP TABLE larger AS SELECT one.* FROM (SELECT * FROM r_orders LIMIT 1) one, \
         generate_series(1, 10500); UPDATE larger SET id = gen_random_uuid(), f_amount = 1000000; \
         INSERT INTO r_orders SELECT * FROM larger",
        full.schema
    );
    full.client.batch_execute(&many).await.unwrap();
    let mut plan = full.dice.plan(orders, &full.model);
    plan.conditions = vec![Condition { by, test: Test::AtMost(Cell::Integer(999_999)) }];
    plan.search = Vec::new();
    plan.order = [by, By::Id].map(|by| Order { by, direction: Direction::Down }).to_vec();
    plan.window = Window::Beside { position: None, place: Place::After, limit: 5 };
    let sight = Sight::default();
    let list = List::new(Dialect::Postgres, orders, &sight, &plan, Place::After).unwrap();
    let spans = list.beyond(None).unwrap();
    let planned = list.joined(&spans, 6).unwrap();
    let ways = detours(&list, &spans, &plan.window, planned).unwrap();
    let walk = ways.into_iter().find(|detour| detour.way == Way::Walked).map(|detour| detour.statement);

    let crowd = full.crowded();
    let visit = full.engine.crowd.enter(LIST);
    let page = full.engine.walk(&list, walk, &visit, Page::of(&plan.window)).await.unwrap();

    let Some(Listing::Rows { rows, .. }) = page.map(|page| page.listing(&list, &plan).unwrap()) else {
        panic!("the walk ended among larger ones")
    };
    let met: Vec<_> = rows.iter().map(|row| row.id).collect();
    assert_eq!(met, full.model.list(orders, &plan)[..5]);
    drop((crowd, visit));
    full.end().await;
}

fn amount(orders: &Resource) -> usize {
    orders.columns().iter().position(|column| column.field.contains("amount")).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_group_by_group_is_the_same() {
    let Some(full) = Full::new("pages", 2).await else { return };
    let Full { engine, model, dice, .. } = &full;
    let api = shop();
    let orders = api.resource(ORDERS).unwrap();
    let sight = Sight::default();
    let mut ways = HashSet::new();

    for round in 0..60 {
        let mut plan = dice.plan(orders, model);
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
            let statement = list.joined(&spans, 18).unwrap();
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
    full.end().await;
}
