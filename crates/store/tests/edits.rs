//! Where an edit is done, in SQLite.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use valetkey_resources::ports::{Change, Changing, Draft, Edit, Edited, Precondition, Sight, Stored, TaskStep};
use valetkey_store::sqlite::{self, Sqlite};
use valetkey_testkit::api::{ORDERS, shop};
use valetkey_testkit::build::id;
use valetkey_testkit::conformance::resources::{Shop, changes};

async fn with_an_order() -> (Arc<Sqlite>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    sqlite::migrate(&path, |_| {}).unwrap();
    sqlite::api_shape::apply(&path, &shop(), &[], &mut |_, _, _| {}).unwrap();
    let engine = Sqlite::open(&path).unwrap();
    Shop::new(engine.clone().resource_ports()).create(ORDERS, id(1), json!({ "amount": 1 })).await;
    (engine, folder)
}

/// Adds one to the amount.
fn one_more(stored: &Stored) -> Edited {
    let mut document: Map<String, Value> = serde_json::from_str(&stored.document).unwrap();
    document["amount"] = json!(document["amount"].as_i64().unwrap() + 1);
    let draft = Some(Draft::new(shop().resource(ORDERS).unwrap(), &document));
    Edited { draft, task: TaskStep::None, answer: None }
}

fn change(edit: Edit) -> Change {
    Change {
        resource: shop().resource(ORDERS).unwrap().clone(),
        id: id(1),
        sight: Sight::default(),
        condition: Precondition::None,
        now: Timestamp::UNIX_EPOCH,
        edit,
        keyed: None,
    }
}

fn amount(changing: Changing) -> Value {
    let Changing::Changed(row) = changing else { panic!("{changing:?}") };
    serde_json::from_str::<Value>(&row.document).unwrap()["amount"].clone()
}

#[tokio::test]
async fn an_edit_does_not_hold_the_writer() {
    let (engine, _folder) = with_an_order().await;
    let here = std::thread::current().id();

    let edit: Edit = Arc::new(move |stored: &Stored| {
        assert_eq!(std::thread::current().id(), here);
        Ok(one_more(stored))
    });

    assert_eq!(amount(engine.clone().resource_ports().rows.change(change(edit)).await.unwrap()), 2);
}

#[tokio::test]
async fn an_edit_of_a_large_row_is_not_done_where_others_wait() {
    let (engine, _folder) = with_an_order().await;

    changes::large_rows_are_edited_apart(Shop::new(engine.resource_ports())).await;
}

#[tokio::test]
async fn an_edit_of_a_row_that_changed_meanwhile_is_done_again() {
    let (engine, _folder) = with_an_order().await;
    let other = std::sync::Mutex::new(Connection::open(engine.path()).unwrap());
    let calls = Arc::new(AtomicUsize::new(0));

    let counted = calls.clone();
    let edit: Edit = Arc::new(move |stored: &Stored| {
        let edited = one_more(stored);
        if counted.fetch_add(1, Ordering::Relaxed) == 0 {
            // The same revision with another content: the row was removed and made again.
            let update = "UPDATE r_orders SET document = json_set(document, '$.amount', 40)";
            other.lock().unwrap().execute(update, []).unwrap();
        }
        Ok(edited)
    });

    assert_eq!(amount(engine.clone().resource_ports().rows.change(change(edit)).await.unwrap()), 41);
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_edits_of_one_row_do_not_hold_the_writer_however_many_there_are() {
    const RACERS: usize = 12;
    let (engine, _folder) = with_an_order().await;
    let in_writer = Arc::new(AtomicUsize::new(0));
    let racers: Vec<_> = (0..RACERS)
        .map(|_| {
            let (rows, counted) = (engine.clone().resource_ports().rows, in_writer.clone());
            let edit: Edit = Arc::new(move |stored: &Stored| {
                let begun = std::time::Instant::now();
                while begun.elapsed() < std::time::Duration::from_millis(3) {
                    std::hint::spin_loop();
                }
                let is_writer = std::thread::current().name() == Some("sqlite-writer");
                counted.fetch_add(usize::from(is_writer), Ordering::Relaxed);
                Ok(one_more(stored))
            });
            tokio::spawn(async move { rows.change(change(edit)).await.unwrap() })
        })
        .collect();

    let mut amounts = Vec::new();
    for racer in racers {
        amounts.push(amount(racer.await.unwrap()).as_u64().unwrap());
    }

    amounts.sort_unstable();
    assert_eq!(amounts, (2..2 + RACERS as u64).collect::<Vec<_>>(), "none is lost");
    assert_eq!(in_writer.load(Ordering::Relaxed), 0);
}
