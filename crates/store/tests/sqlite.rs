//! SQLite passes the suite, and what only a file can get wrong.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::Connection;
use tempfile::TempDir;
use valetkey_oauth::model::ClientSecret;
use valetkey_oauth::ports::{ClientRegistration, Ports};
use valetkey_resources::model::Api;
use valetkey_store::sqlite::{self, FileLock, LockError, Sqlite};
use valetkey_store::{MigrationError, ShapeError, ShapePlan, Share, Step};
use valetkey_testkit::api::shop;
use valetkey_testkit::build;

fn fresh() -> Option<(Ports, TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    sqlite::migrate(&path, |_| {}).unwrap();
    Some((Sqlite::open(&path).unwrap().ports(), folder))
}

valetkey_testkit::conformance!(fresh());

fn fresh_shop() -> Option<(valetkey_resources::ports::Ports, TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    sqlite::migrate(&path, |_| {}).unwrap();
    sqlite::api_shape::apply(&path, &shop(), &[], &mut |_, _, _| {}).unwrap();
    Some((Sqlite::open(&path).unwrap().resource_ports(), folder))
}

valetkey_testkit::resource_conformance!(fresh_shop());

mod shapes;

type Filled = Result<(), valetkey_oauth::ports::StoreError>;

/// A file without tables of an API.
struct Fresh(TempDir);

impl Fresh {
    fn path(&self) -> PathBuf {
        self.0.path().join("valetkey.db")
    }

    fn make() -> Option<Self> {
        let fresh = Self(tempfile::tempdir().unwrap());
        sqlite::migrate(&fresh.path(), |_| {}).unwrap();
        Some(fresh)
    }
}

impl shapes::Engine for Fresh {
    async fn plan(&self, api: &Api) -> Result<ShapePlan, ShapeError> {
        sqlite::api_shape::plan(&self.path(), api)
    }

    async fn apply(&self, api: &Api, accept: &[String], told: &mut shapes::Told) -> Result<ShapePlan, ShapeError> {
        let mut tell = |done, total, what: &str| told.push((done, total, what.to_owned()));
        sqlite::api_shape::apply(&self.path(), api, accept, &mut tell)
    }

    async fn begin(&self, api: &Api) -> Result<ShapePlan, ShapeError> {
        sqlite::api_shape::begin(&self.path(), api, &[], &mut |_, _, _| {})
    }

    type Server = Arc<Sqlite>;

    async fn serve(&self, api: &Api) -> Arc<Sqlite> {
        let server = Sqlite::open(&self.path()).unwrap();
        server.prepare(api).unwrap();
        server
    }

    fn ports_of(&self, server: &Arc<Sqlite>) -> valetkey_resources::ports::Ports {
        server.clone().resource_ports()
    }

    async fn fill(&self, server: &Arc<Sqlite>, api: &Api, share: Share, told: shapes::Tell<'_>) -> Filled {
        server.fill(api, share, told).await
    }

    async fn reindex(&self, api: &Api) -> Result<(), ShapeError> {
        sqlite::api_shape::reindex(&self.path(), api, &mut |_, _, _| {})
    }

    async fn ports(&self) -> valetkey_resources::ports::Ports {
        Sqlite::open(&self.path()).unwrap().resource_ports()
    }

    async fn damage(&self, sql: &str) {
        Connection::open(self.path())
            .unwrap()
            .execute_batch(&sql.replace("bigint", "INTEGER").replace("('0192", "(X'0192"))
            .unwrap();
    }
}

shapes!(Fresh::make());

#[test]
fn a_second_server_on_one_file_is_refused_and_told_who_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    let first = FileLock::acquire(&path).unwrap();

    let second = FileLock::acquire(&path).unwrap_err();
    drop(first);
    let third = FileLock::acquire(&path);

    assert!(matches!(second, LockError::Held { .. }));
    assert!(second.to_string().contains(&format!("process {}", std::process::id())), "{second}");
    assert!(third.is_ok());
}

#[test]
fn a_file_without_an_ending_has_one_lock() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");

    let held = sqlite::FileLock::acquire(&path).unwrap();

    assert!(sqlite::FileLock::acquire(&path).is_err());
    drop(held);
    assert!(sqlite::FileLock::acquire(&path).is_ok());
}

#[test]
fn two_files_that_differ_in_their_ending_are_served_beside_each_other() {
    let folder = tempfile::tempdir().unwrap();

    let _first = FileLock::acquire(&folder.path().join("a.db")).unwrap();
    let second = FileLock::acquire(&folder.path().join("a.sqlite"));

    assert!(second.is_ok(), "{second:?}");
}

#[test]
fn a_binary_from_before_and_one_of_today_keep_each_other_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    let before = fs::File::create(folder.path().join("valetkey.lock")).unwrap();

    before.try_lock().unwrap();
    let today = FileLock::acquire(&path);
    before.unlock().unwrap();
    let _today = FileLock::acquire(&path).unwrap();

    assert!(matches!(today, Err(LockError::Held { .. })), "{today:?}");
    assert!(before.try_lock().is_err());
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    let letter = "Dear reader, this is a letter and not a database. ".repeat(100);
    fs::write(&path, &letter).unwrap();

    let migrated = sqlite::migrate(&path, |_| {}).unwrap_err();
    let opened = Sqlite::open(&path).err().unwrap();

    assert!(migrated.to_string().contains("not a database"), "{migrated}");
    assert!(opened.to_string().contains("not a database"), "{opened}");
    assert_eq!(fs::read_to_string(&path).unwrap(), letter);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_transition_that_fails_in_a_batch_harms_no_other() {
    let (ports, _folder) = fresh().unwrap();

    // Every other one has the same secret twice, which fails after its client row was written.
    let callers: Vec<_> = (0..64)
        .map(|number| {
            let clients = ports.clients.clone();
            tokio::spawn(async move {
                let mut client = build::client(&format!("app-{number:02}"));
                if number % 2 == 1 {
                    let twin: ClientSecret = client.secrets[0].clone();
                    client.secrets.push(twin);
                }
                clients.register(&client).await
            })
        })
        .collect();
    let mut outcomes = Vec::new();
    for caller in callers {
        outcomes.push(caller.await.unwrap());
    }

    for (number, outcome) in outcomes.iter().enumerate() {
        match number % 2 {
            0 => assert_eq!(*outcome.as_ref().unwrap(), ClientRegistration::Registered),
            _ => assert!(outcome.is_err()),
        }
    }
    let stored: Vec<_> = ports.clients.list().await.unwrap().into_iter().map(|client| client.id.to_string()).collect();
    let expected: Vec<_> = (0..64).step_by(2).map(|number| format!("app-{number:02}")).collect();
    assert_eq!(stored, expected);
}

#[test]
fn a_look_at_what_is_pending_makes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");

    let waiting = sqlite::pending(&path).unwrap();

    assert!(!waiting.is_empty() && waiting[0].sql.contains("CREATE TABLE clients"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn who_waits_for_another_process_says_so_once() {
    let folder = tempfile::tempdir().unwrap();
    let other = fs::File::open(folder.path()).unwrap();
    other.lock().unwrap();
    let (mut other, mut waits) = (Some(other), 0);

    let applied = sqlite::migrate(&folder.path().join("valetkey.db"), |step| {
        if step == Step::Waiting {
            waits += 1;
            other = None;
        }
    });

    assert!(applied.unwrap() > 0);
    assert_eq!(waits, 1);
}

#[test]
fn a_database_of_a_newer_binary_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    sqlite::migrate(&path, |_| {}).unwrap();
    let newer = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) \
                 SELECT 999, 'from_the_future', applied_on, checksum FROM refinery_schema_history LIMIT 1";
    Connection::open(&path).unwrap().execute_batch(newer).unwrap();

    let refused = sqlite::migrate(&path, |_| {}).unwrap_err();

    assert!(matches!(refused, MigrationError::DatabaseIsNewer { found: 999, .. }), "{refused}");
    assert!(refused.to_string().contains("newer"), "{refused}");
}

#[test]
fn a_failed_migration_leaves_nothing_and_can_be_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("CREATE TABLE keys (a_stranger INTEGER)").unwrap();

    let failed = sqlite::migrate(&path, |_| {}).unwrap_err();
    let left: i64 = connection
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'clients'", [], |row| row.get(0))
        .unwrap();
    connection.execute_batch("DROP TABLE keys").unwrap();
    let applied = sqlite::migrate(&path, |_| {}).unwrap();
    let again = sqlite::migrate(&path, |_| {}).unwrap();

    assert!(failed.to_string().contains("migration"), "{failed}");
    assert_eq!(left, 0);
    assert!(applied > 0 && again == 0);
    assert_eq!(sqlite::check(&path).unwrap(), [""; 0]);
}

#[test]
fn an_index_that_an_earlier_release_made_otherwise_is_made_anew_while_lists_use_it() {
    let fresh = Fresh::make().unwrap();
    sqlite::api_shape::apply(&fresh.path(), &shop(), &[], &mut |_, _, _| {}).unwrap();
    let connection = Connection::open(fresh.path()).unwrap();
    let form = || {
        let select = "SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'r_orders' AND sql LIKE 'CREATE INDEX%(\"f_amount\", id%'";
        connection.query_row(select, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))).unwrap()
    };
    let (name, made) = form();
    let (earlier, _) = made.split_once(", id").unwrap();
    connection.execute_batch(&format!("DROP INDEX \"{name}\"; {earlier}, id)")).unwrap();

    let mut told = Vec::new();
    sqlite::api_shape::begin(&fresh.path(), &shop(), &[], &mut |_, _, _| {}).unwrap();
    let between = form().1;
    sqlite::api_shape::apply(&fresh.path(), &shop(), &[], &mut |done, all, what| {
        told.push(format!("{done} of {all} {what}"));
    })
    .unwrap();

    assert!(made.contains(", id, \"f_gift\""), "{made}");
    assert_eq!(between, format!("{earlier}, id)"));
    assert_eq!(form().1, made);
    assert_eq!(told.len(), 1, "{told:?}");
}

#[tokio::test]
async fn sessions_leave_the_generation_of_the_rows_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("valetkey.db");
    sqlite::migrate(&path, |_| {}).unwrap();
    sqlite::api_shape::apply(&path, &shop(), &[], &mut |_, _, _| {}).unwrap();
    let engine = Sqlite::open(&path).unwrap();
    let (ports, rows) = (engine.clone().ports(), engine.resource_ports().rows);
    // It looks whether others have written, which is done before the second commit.
    rows.generation();
    for app in ["one", "two"] {
        ports.clients.register(&build::client(app)).await.unwrap();
    }
    let before = rows.generation();

    let session = build::session(1);
    ports.sessions.open(&session, &build::opening()).await.unwrap();
    ports.sessions.rotate(session.id, session.generation, &build::rotation(session.created_at)).await.unwrap();

    assert!(before.is_some());
    assert_eq!(rows.generation(), before);
    // Whoever does not say that no row changes may have changed one.
    ports.clients.register(&build::client("app")).await.unwrap();
    assert_ne!(rows.generation(), before);
}
