//! `valetkey backup` and `valetkey restore`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;
use tokio::task::block_in_place;

use super::life::Life;
use super::{database, started, text, unstarted};
use crate::api::{Caller, status_of};
use crate::house::{Engine, House};

const BOTH: [Engine; 2] = [Engine::Sqlite, Engine::Postgres];

#[tokio::test]
async fn a_backup_of_a_running_server_lives_on_elsewhere_on_either_engine() {
    for from in BOTH {
        let Some(house) = started(from).await else { continue };
        let life = Life::begin(&house).await;
        let file = house.folder().join("a.backup");
        let made = house.json(&["backup", &text(&file)]);
        house.client("late", &[]);
        assert_eq!(made["not_included"]["root_key"], "VALETKEY_ROOT_KEY");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let bytes = fs::read(&file).unwrap();
        for hidden in house.hidden() {
            assert!(!bytes.windows(hidden.len()).any(|part| part == hidden.as_bytes()), "a secret is in the backup");
        }
        for to in BOTH {
            let Some(mut other) = unstarted(to).await else { continue };

            let restored = other.json(&["restore", &text(&file)]);
            other.start().await;

            assert_eq!((&restored["rows"], &restored["root_key"]), (&made["rows"], &"fits".into()));
            assert!(!other.json(&["client", "list"]).to_string().contains("late"));
            life.goes_on(&other).await;
        }
    }
}

#[tokio::test]
async fn a_restore_that_cannot_work_changes_nothing() {
    let mut house = House::embedded().await;
    house.client("mine", &[]);
    let (whole, broken) = (house.folder().join("a.backup"), house.folder().join("b.backup"));
    house.json(&["backup", &text(&whole)]);
    let bytes = fs::read(&whole).unwrap();
    let before = house.json(&["client", "list"]);

    let served = house.fail(&["restore", &text(&whole), "--replace"]);
    house.stop().await;
    let occupied = house.fail(&["restore", &text(&whole)]);
    fs::write(&broken, &bytes[..bytes.len() - 40]).unwrap();
    let cut = house.fail(&["restore", &text(&broken), "--replace"]);
    fs::write(&broken, "a letter\n").unwrap();
    let letter = house.fail(&["restore", &text(&broken), "--replace"]);
    let missing = house.fail(&["restore", "nowhere.backup", "--replace"]);
    let key = house.data().join("root.key");
    let kept = fs::read_to_string(&key).unwrap();
    fs::write(&key, "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVoxMjM0NTY=\n").unwrap();
    let foreign = house.fail(&["restore", &text(&whole), "--replace"]);
    fs::write(&key, kept).unwrap();

    for (outcome, words) in [
        (served, "is serving"),
        (occupied, "1 in clients"),
        (cut, "damaged"),
        (letter, "no backup of valetkey"),
        (missing, "nowhere.backup"),
        (foreign, "does not open the keys"),
    ] {
        assert_eq!(outcome.0, 1, "{}", outcome.1);
        assert!(outcome.1.contains(words), "{words}: {}", outcome.1);
    }
    assert_eq!(house.json(&["client", "list"]), before);
}

#[tokio::test]
async fn a_restore_goes_back_to_what_was() {
    let mut house = House::embedded().await;
    house.client("first", &[]);
    let folder = house.folder().join("backups");
    fs::create_dir(&folder).unwrap();
    let made = house.json(&["backup", &text(&folder)]);
    let file = made["file"].as_str().unwrap().to_owned();
    let taken = house.fail(&["backup", &file]);
    house.client("second", &[]);
    house.stop().await;

    let nowhere = house.folder().join("nowhere");
    let beyond = house.json(&["restore", &file, "--dry-run", "--data", &text(&nowhere)]);
    let looked = house.json(&["restore", &file, "--dry-run"]);
    let there = house.json(&["client", "list"]).to_string();
    house.json(&["restore", &file, "--replace"]);
    house.start().await;

    assert_eq!(beyond["replaced"], json!({}));
    assert!(!nowhere.exists(), "a look left something behind");
    assert_eq!(looked["replaced"]["clients"], 2);
    assert!(there.contains("second"));
    let now = house.json(&["client", "list"]).to_string();
    assert!(now.contains("first") && !now.contains("second"), "{now}");
    assert_eq!(taken.0, 2);
    assert!(taken.1.contains("--force"), "{}", taken.1);
    house.json(&["backup", &file, "--force"]);
}

/// So many write at once, so many orders each.
const WRITERS: u32 = 4;
const ORDERS: u32 = 40;

/// An order and the answer under its key come in one transaction.
#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn a_backup_beside_writers_holds_all_that_was_answered_and_no_half_of_anything() {
    for engine in BOTH {
        let Some(house) = started(engine).await else { continue };
        let (caller, answered) = (Caller::client(&house).await, Arc::new(AtomicU32::new(0)));
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (caller, answered) = (caller.clone(), answered.clone());
                tokio::spawn(async move {
                    for number in 0..ORDERS {
                        let order = caller.post("/api/orders", &json!({ "amount": number }));
                        status_of(order.header("idempotency-key", format!("{writer}-{number}")), 201).await;
                        answered.fetch_add(1, Ordering::SeqCst);
                    }
                })
            })
            .collect();

        let mut made = Vec::new();
        while made.is_empty() || answered.load(Ordering::SeqCst) < WRITERS * ORDERS {
            let before = answered.load(Ordering::SeqCst);
            let file = house.folder().join(format!("{}.backup", made.len()));
            block_in_place(|| house.json(&["backup", &text(&file)]));
            made.push((file, before));
        }
        for writer in writers {
            writer.await.unwrap();
        }

        for (file, before) in made {
            let other = unstarted(Engine::Sqlite).await.unwrap();
            other.json(&["restore", &text(&file)]);
            let restored = rusqlite::Connection::open(database(&other)).unwrap();
            let count = |sql: &str| restored.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap();
            let orders = count("SELECT count(*) FROM r_orders");
            assert!(orders >= before, "{orders} of {before}");
            assert_eq!(count("SELECT count(*) FROM kept_answers"), orders);
            let lone = "SELECT count(*) FROM r_orders o WHERE NOT EXISTS \
                        (SELECT 1 FROM kept_answers WHERE replace(location, '-', '') LIKE '%' || lower(hex(o.id)))";
            assert_eq!(count(lone), 0);
        }
    }
}

#[tokio::test]
async fn a_backup_takes_the_place_of_a_damaged_store_and_of_a_newer_one() {
    let mut house = House::embedded().await;
    house.client("mine", &[]);
    let file = text(&house.folder().join("a.backup"));
    house.json(&["backup", &file]);
    let before = house.json(&["client", "list"]);
    house.stop().await;
    let database = house.data().join("valetkey.db");

    // What an upgrade leaves to a binary from before it.
    let newer = rusqlite::Connection::open(&database).unwrap();
    newer.execute("INSERT INTO refinery_schema_history VALUES (99, 'later', '', '1')", []).unwrap();
    drop(newer);
    let refused = house.fail(&["restore", &file]);
    house.json(&["restore", &file, "--replace"]);
    let after_newer = house.json(&["client", "list"]);
    let cut = fs::OpenOptions::new().write(true).open(&database).unwrap();
    cut.set_len(5000).unwrap();
    let damaged = house.fail(&["restore", &file]);
    house.json(&["restore", &file, "--replace"]);
    house.start().await;

    assert!(refused.1.contains("1 in clients"), "{}", refused.1);
    assert!(damaged.1.contains("damaged"), "{}", damaged.1);
    assert_eq!(
        fs::metadata(house.data().join("valetkey.db.damaged")).unwrap().len(),
        5000,
        "kept for who wants to look"
    );
    assert_eq!((after_newer, house.json(&["client", "list"])), (before.clone(), before));
}

#[tokio::test]
async fn a_backup_replaces_files_and_nothing_else() {
    let house = House::embedded().await;
    let (pipe, link) = (house.folder().join("pipe"), house.folder().join("link"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("elsewhere", &link).unwrap();

    for place in [&pipe, &link] {
        let refused = house.fail(&["backup", &text(place), "--force"]);

        assert_eq!(refused.0, 2, "{}", refused.1);
        assert!(refused.1.contains("no ordinary file"), "{}", refused.1);
        assert!(!fs::symlink_metadata(place).unwrap().is_file());
    }
}

#[tokio::test]
async fn a_served_store_is_known_by_every_link_to_it() {
    let mut house = House::embedded().await;
    house.client("mine", &[]);
    let (link, other) = (house.folder().join("link.db"), house.folder().join("other.db"));
    std::os::unix::fs::symlink(house.data().join("valetkey.db"), &link).unwrap();
    let (from, to) = (format!("sqlite:{}", text(&link)), format!("sqlite:{}", text(&other)));

    let served = house.fail(&["copy", "--from", &from, "--to", &to]);
    house.stop().await;
    house.json(&["copy", "--from", &from, "--to", &to]);

    assert!(served.1.contains("serving"), "{}", served.1);
}
