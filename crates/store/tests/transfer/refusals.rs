//! What must not happen to data that is there.

use std::fs;
use std::sync::Arc;

use valetkey_store::postgres::{self, Postgres};
use valetkey_store::sqlite::FileLock;
use valetkey_store::transfer::TransferError;

use crate::place::{Place, full};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_has_rows_is_filled_only_if_they_may_go() {
    let (origin, folder) = (full(3).await, tempfile::tempdir().unwrap());
    let (file, backup) = origin.back_up(&folder).await;
    for place in Place::each().await {
        place.migrate().await;
        place.execute("INSERT INTO clients (id, document, created_at) VALUES ('mine', '{}', 1)").await;
        let before = place.tallies().await;

        let restored = place.restore(&file, false).await.unwrap_err();
        let copied = origin.copy_to(&place).await.unwrap_err();
        let after = place.tallies().await;
        let replaced = place.restore(&file, true).await.unwrap();

        assert!(
            restored.to_string().contains("1 in clients") && restored.to_string().contains("--replace"),
            "{restored}"
        );
        assert!(matches!(copied, TransferError::Occupied { .. }), "{copied}");
        assert_eq!(before, after);
        assert_eq!(replaced.replaced, [("clients".to_owned(), 1)]);
        assert_eq!(place.tallies().await, backup.tables);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_of_another_program_are_never_removed() {
    let (origin, folder) = (full(1).await, tempfile::tempdir().unwrap());
    let (file, _) = origin.back_up(&folder).await;
    for place in Place::each().await {
        place.execute("CREATE TABLE users (theirs integer); INSERT INTO users VALUES (1)").await;

        let restored = place.restore(&file, true).await.unwrap_err();
        let copied = origin.copy_to(&place).await.unwrap_err();

        assert!(matches!(restored, TransferError::Foreign { .. }), "{restored}");
        assert!(matches!(copied, TransferError::Foreign { .. }), "{copied}");
        assert_eq!(place.count("SELECT CAST(count(*) AS bigint) FROM users").await, 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_of_another_program_with_a_history_like_ours_are_never_removed() {
    let (origin, folder) = (full(1).await, tempfile::tempdir().unwrap());
    let (file, _) = origin.back_up(&folder).await;
    let histories = [
        "CREATE TABLE refinery_schema_history (version integer, name text); \
         INSERT INTO refinery_schema_history VALUES (1, 'theirs'), (2, 'theirs_too')",
        "CREATE TABLE refinery_schema_history (version integer, name text); \
         INSERT INTO refinery_schema_history VALUES (20260101, 'theirs')",
        "CREATE TABLE refinery_schema_history (version text, name text); \
         INSERT INTO refinery_schema_history VALUES ('first', NULL)",
        "CREATE TABLE refinery_schema_history (step text); INSERT INTO refinery_schema_history VALUES ('first')",
        "CREATE TABLE refinery_schema_history (version integer, name text)",
    ];
    for history in histories {
        for place in Place::each().await {
            place.execute("CREATE TABLE users (theirs integer); INSERT INTO users VALUES (1)").await;
            place.execute(history).await;

            let restored = place.restore(&file, true).await.unwrap_err();
            let copied = origin.copy_to(&place).await.unwrap_err();

            assert!(matches!(restored, TransferError::Foreign { .. }), "{history}: {restored}");
            assert!(matches!(copied, TransferError::Foreign { .. }), "{history}: {copied}");
            assert_eq!(place.count("SELECT CAST(count(*) AS bigint) FROM users").await, 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_backup_changes_nothing() {
    let (origin, folder) = (full(3).await, tempfile::tempdir().unwrap());
    let (file, _) = origin.back_up(&folder).await;
    let bytes = fs::read(&file).unwrap();
    for place in Place::each().await {
        place.migrate().await;
        place.execute("INSERT INTO clients (id, document, created_at) VALUES ('mine', '{}', 1)").await;
        let before = place.tallies().await;

        for (cut, flip) in [(bytes.len() - 1, None), (bytes.len() / 2, None), (bytes.len(), Some(bytes.len() / 2))] {
            let mut other = bytes[..cut].to_vec();
            if let Some(at) = flip {
                other[at] ^= 0x20;
            }
            let broken = folder.path().join("broken.backup");
            fs::write(&broken, other).unwrap();
            assert!(place.restore(&broken, true).await.is_err());
        }

        assert_eq!(place.tallies().await, before);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_served_is_not_filled() {
    let (origin, folder) = (full(1).await, tempfile::tempdir().unwrap());
    let (file, _) = origin.back_up(&folder).await;
    for place in Place::each().await {
        place.migrate().await;
        let refused = match &place {
            Place::File(_) => {
                let _server = FileLock::acquire(&place.path()).unwrap();
                place.restore(&file, true).await.unwrap_err()
            }
            Place::Schema(schema) => {
                let _server: Arc<Postgres> = Postgres::open(&schema.settings()).await.unwrap();
                place.restore(&file, true).await.unwrap_err()
            }
        };

        let in_use = matches!(refused, TransferError::InUse { .. } | TransferError::Locked(_));
        assert!(in_use, "{refused}");
        assert_eq!(place.count("SELECT CAST(count(*) AS bigint) FROM clients").await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_another_process_has_open_is_not_replaced_under_it() {
    let (origin, folder) = (full(1).await, tempfile::tempdir().unwrap());
    let (file, _) = origin.back_up(&folder).await;
    let place = Place::file();
    place.migrate().await;
    let other = rusqlite::Connection::open(place.path()).unwrap();
    other.execute_batch("BEGIN; SELECT count(*) FROM clients").unwrap();

    let refused = place.restore(&file, true).await.unwrap_err();
    other.execute_batch("COMMIT").unwrap();
    drop(other);

    assert!(matches!(refused, TransferError::InUse { .. }), "{refused}");
    let left: Vec<_> =
        fs::read_dir(place.path().parent().unwrap()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("working")), "{left:?}");
    assert_eq!(place.count("SELECT count(*) FROM clients").await, 0);
    place.restore(&file, true).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_zero_byte_that_postgres_cannot_hold_is_named() {
    let Some(schema) = Place::schema().await else { return };
    let origin = full(1).await;
    origin.execute("UPDATE users SET name = 'a' || char(0) || 'b'").await;

    let refused = origin.copy_to(&schema).await.unwrap_err();

    assert!(matches!(&refused, TransferError::ZeroByte { table, .. } if table == "users"), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_server_starts_with_half_a_copy() {
    let Some(schema) = Place::schema().await else { return };
    let origin = full(1).await;
    origin.execute("UPDATE sessions SET scope = char(0)").await;
    origin.copy_to(&schema).await.unwrap_err();
    let Place::Schema(there) = &schema else { return };

    let started = postgres::migrate(&there.settings(), |_| {}).await.unwrap_err();
    origin.execute("UPDATE sessions SET scope = 'mended'").await;
    origin.copy_to(&schema).await.unwrap();

    assert!(started.to_string().contains("was not finished"), "{started}");
    assert_eq!(postgres::migrate(&there.settings(), |_| {}).await.unwrap(), 0);
}
