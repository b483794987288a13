//! What is known from memory counts for as long as the writer looks, and what others commit is found.

use std::path::Path;

use serde_json::{Value, json};
use valetkey_testkit::api::{USERS, shop};
use valetkey_testkit::build::id;
use valetkey_testkit::conformance::resources::Shop;

use super::*;
use crate::sqlite::{Sqlite, api_shape, migrate};

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A file with a table, and connections to it.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        desk.connection().execute_batch("PRAGMA journal_mode = wal; CREATE TABLE notes (number INTEGER)").unwrap();
        desk
    }

    fn connection(&self) -> Connection {
        Connection::open(self.0.path().join("notes.db")).unwrap()
    }
}

fn write(connection: &Connection) {
    connection.execute("INSERT INTO notes VALUES (1)", []).unwrap();
}

/// Looks; was there something?
fn finds(outside: &Outside, connection: &Connection, looks: &mut Looks) -> bool {
    let mut found = false;
    outside.look(connection, looks, || found = true);
    found
}

#[test]
fn what_others_commit_is_found_and_what_the_writer_commits_is_not() {
    let (desk, outside, mut looks) = (Desk::new(), Outside::default(), Looks::default());
    let (writer, other) = (desk.connection(), desk.connection());

    assert!(finds(&outside, &writer, &mut looks), "before the first look anything may have happened");
    assert!(!finds(&outside, &writer, &mut looks));
    write(&writer);
    assert!(!finds(&outside, &writer, &mut looks));
    write(&other);
    assert!(finds(&outside, &writer, &mut looks));
    // One that the writer has met before it looks.
    write(&other);
    write(&writer);
    assert!(finds(&outside, &writer, &mut looks));
    assert!(!finds(&outside, &writer, &mut looks));
}

#[test]
fn nothing_is_known_before_the_first_look_nor_long_after_the_last_one() {
    let (desk, outside) = (Desk::new(), Outside::default());
    assert!(!outside.is_known(|| false));

    outside.look(&desk.connection(), &mut Looks::default(), || {});
    let looked = millis(outside.0.looked.load(Ordering::Relaxed));

    assert!(outside.is_known_after(looked + TOO_OLD, || false));
    assert!(!outside.is_known_after(looked + TOO_OLD + millis(1), || false));
}

#[test]
fn a_look_that_fails_does_not_count() {
    let (desk, outside) = (Desk::new(), Outside::default());
    let mut broken = desk.connection();
    broken.progress_handler(1, Some(|| true)).unwrap();

    outside.look(&broken, &mut Looks::default(), || panic!("nobody has looked"));

    assert!(!outside.is_known(|| false));
}

#[test]
fn of_those_who_come_at_once_one_asks_for_a_look() {
    let (desk, outside, mut asked) = (Desk::new(), Outside::default(), 0);
    let mut ask = |now: Duration, can: bool| {
        let ask = || {
            asked += 1;
            can
        };
        outside.is_known_after(now, ask);
        std::mem::take(&mut asked)
    };

    // Whoever could not ask leaves it to the next one.
    assert_eq!([ask(millis(1), false), ask(millis(1), true), ask(millis(1), true)], [1, 1, 0]);
    outside.look(&desk.connection(), &mut Looks::default(), || {});
    let looked = millis(outside.0.looked.load(Ordering::Relaxed));
    assert_eq!([ask(looked + OLD, true), ask(looked + OLD + millis(1), true), ask(looked + TOO_OLD, true)], [0, 1, 0]);
}

/// A store with a row that was asked for again and again. It has looked for what others write: that is sure after the second
/// commit.
async fn store_that_knows(path: &Path) -> Shop {
    migrate(path, |_| {}).unwrap();
    api_shape::apply(path, &shop(), &[], &mut |_, _, _| {}).unwrap();
    let shop = Shop::new(Sqlite::open(path).unwrap().resource_ports());
    shop.find(USERS, id(1)).await;
    for number in 1..3 {
        shop.create(USERS, id(number), json!({"name": "Ada", "email": format!("{number}@example.com")})).await;
    }
    for _ in 0..3 {
        assert_eq!(shop.document(USERS, id(1)).await["name"], "Ada");
    }
    shop
}

/// As somebody who writes into the file by hand.
fn rename(path: &Path, number: u128) {
    let beside = Connection::open(path).unwrap();
    beside.busy_timeout(Duration::from_secs(5)).unwrap();
    let update = "UPDATE r_users SET document = replace(document, 'Ada', 'Eve') WHERE id = ?1";
    assert_eq!(beside.execute(update, [id(number)]).unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_others_write_takes_effect_within_a_second() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    let shop = store_that_knows(&path).await;

    rename(&path, 1);
    let written = Instant::now();
    let is_new = |document: Value| document["name"] == "Eve";
    loop {
        let asked = written.elapsed();
        if is_new(shop.document(USERS, id(1)).await) {
            break;
        }
        assert!(asked < Duration::from_secs(1), "it is as it was");
        tokio::task::yield_now().await;
    }

    // From then on it stays so.
    for _ in 0..100 {
        assert!(is_new(shop.document(USERS, id(1)).await));
    }
}

#[tokio::test]
async fn a_row_that_is_asked_for_again_is_not_looked_up_again() {
    // On a machine that stands still for a second, the server looks first.
    for _ in 0..10 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("valetkey.db");
        let shop = store_that_knows(&path).await;

        // Which nobody but the file knows of for a moment.
        rename(&path, 1);
        rename(&path, 2);

        let known = shop.document(USERS, id(1)).await["name"].clone();
        assert_eq!(shop.document(USERS, id(2)).await["name"], "Eve");
        if known == "Ada" {
            return;
        }
    }
    panic!("each row is looked up each time");
}
