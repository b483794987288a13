//! Rows that travel, and are the same afterwards.

use std::sync::Arc;

use rusqlite::Connection;
use serde_json::json;
use valetkey_resources::model::{Field, Resource};
use valetkey_resources::ports::{By, Direction, ListPlan, Listing, Order, Sight, Window};
use valetkey_store::sqlite;
use valetkey_testkit::api::{self, ORDERS, shop};

use crate::place::{Place, full, tables};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_table_that_migrations_make_is_moved() {
    let place = Place::file();
    place.migrate().await;

    let mut moved: Vec<_> = place.export(false).await.inventory().await.unwrap().tables;
    moved.sort_by(|one, other| one.name.cmp(&other.name));

    let names: Vec<_> = moved.iter().map(|table| table.name.clone()).collect();
    let mut made = tables(&Connection::open(place.path()).unwrap());
    made.retain(|name| name != "refinery_schema_history");
    assert_eq!(names, made);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_engines_have_the_same_tables_and_columns() {
    let Some(schema) = Place::schema().await else { return };
    let file = Place::file();
    schema.declare().await;
    file.declare().await;

    let mut found = Vec::new();
    for place in [&schema, &file] {
        let inventory = place.export(false).await.inventory().await.unwrap();
        let tables = inventory.tables.into_iter().map(|mut table| {
            table.columns.sort();
            (table.name, table.columns)
        });
        found.push((inventory.schema, tables.collect::<Vec<_>>()));
    }

    assert_eq!(found[0], found[1]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_goes_from_either_engine_to_either_and_nothing_changes() {
    let (origin, folder) = (full(7).await, tempfile::tempdir().unwrap());
    let (file, first) = origin.back_up(&folder).await;
    assert!(first.tables.iter().filter(|(name, _)| !name.starts_with("r_")).all(|(_, tally)| tally.rows > 0));

    let mut file = file;
    let stops = [Place::schema().await, Place::schema().await, Some(Place::file()), Some(Place::file())];
    for stop in stops.into_iter().flatten() {
        let restored = stop.restore(&file, false).await.unwrap();
        assert_eq!(restored.tables, first.tables);
        let (next, again) = stop.back_up(&folder).await;
        assert_eq!(again.tables, first.tables);
        file = next;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_goes_there_and_back() {
    let Some(schema) = Place::schema().await else { return };
    let (origin, back) = (full(2_500).await, Place::file());

    let there = origin.copy_to(&schema).await.unwrap();
    let here = schema.copy_to(&back).await.unwrap();

    assert_eq!(there.tables, here.tables);
    assert_eq!(origin.tallies().await, back.tallies().await);
    assert_eq!((there.resumed, here.resumed), (0, 0));
    assert_eq!(sqlite::check(&back.path()).unwrap(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_searched_and_sorted_before_is_so_after() {
    let origin = full(20).await;
    for place in Place::each().await {
        origin.copy_to(&place).await.unwrap();
        // The tables fit the declaration, so that a server has nothing left to do.
        place.declare().await;

        let orders = shop().resource(ORDERS).unwrap().clone();
        let by = By::Column(orders.column("amount").unwrap());
        let order = vec![Order { by, direction: Direction::Down }, Order { by: By::Id, direction: Direction::Down }];
        let mut plan = ListPlan {
            conditions: vec![],
            search: vec!["parcel11".to_owned(), "zoë".to_owned()],
            in_sight: None,
            order,
            window: Window::Offset { offset: 0, limit: 100 },
        };
        let ports = place.resources().await;
        let mut counts = Vec::new();
        for search in [plan.search.clone(), vec!["parcel99".to_owned()], vec![]] {
            plan.search = search;
            match ports.rows.list(&orders, &Sight::default(), &plan).await.unwrap() {
                Listing::Rows { rows, .. } => counts.push(rows.len()),
                Listing::TooExpensive => panic!("too expensive"),
            }
        }

        assert_eq!(counts, [1, 0, 20]);
        assert_eq!(place.count("SELECT count(*) FROM r_orders WHERE f_gift").await, 10);
        let index = "SELECT count(*) FROM r_users WHERE f_email = '3@example.org'";
        assert_eq!(place.count(index).await, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn numbers_that_are_given_next_follow_those_that_came_along() {
    let origin = full(5).await;
    for place in Place::each().await {
        origin.copy_to(&place).await.unwrap();

        place.execute("INSERT INTO revocations (kind, target, expires_at) VALUES ('token', 'new', 9)").await;

        let newest = "SELECT CAST(count(*) AS bigint) FROM revocations WHERE target = 'new' AND seq > 5000000";
        assert_eq!(place.count(newest).await, 1);
    }
}

/// A declaration was given to a store, and whoever fills its columns was killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_that_a_declaration_has_left_is_done_where_the_rows_have_moved_to() {
    let mut name = api::listed("name", json!({"type": "string"}));
    name.search = true;
    let before = Resource::new("things", "thing", vec![Field::new("name", json!({"type": "string"}))]);
    let after = Resource::new("things", "thing", vec![name]);
    let [before, after] = [before, after].map(|resource| api::of(vec![Arc::new(resource)]));
    let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)";
    for (from, to) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (Some(origin), Some(place)) = (Place::of(from).await, Place::of(to).await) else { continue };
        origin.migrate().await;
        origin.apply(&before).await;
        let id = if from == 0 { "randomblob(16)" } else { "gen_random_uuid()" };
        let rows = format!(
            "INSERT INTO r_things (id, revision, created_at, updated_at, document) {numbers} \
             SELECT {id}, 1, 0, 0, '{{\"name\":\"thing ' || i || '\"}}' FROM n"
        );
        origin.execute(&rows).await;
        origin.begin(&after).await;

        origin.copy_to(&place).await.unwrap();
        place.apply(&after).await;

        let filled = "SELECT CAST(count(*) AS bigint) FROM r_things WHERE f_name LIKE 'thing %'";
        assert_eq!(place.count(filled).await, 6_000);
        let searched = match place {
            Place::File(_) => "SELECT count(*) FROM s_things WHERE s_things MATCH '\"4711\"'",
            Place::Schema(_) => "SELECT count(*) FROM r_things WHERE search @@ '4711'",
        };
        assert_eq!(place.count(searched).await, 1);
        let left = "SELECT CAST(count(*) AS bigint) FROM api_tables WHERE shape LIKE '%\"work\"%'";
        assert_eq!(place.count(left).await, 0);
    }
}
