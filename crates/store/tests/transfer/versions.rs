//! Backups of older versions, and of newer ones.

use std::fs;

use refinery::{Runner, Target, load_sql_migrations};
use rusqlite::Connection;
use valetkey_store::sqlite;
use valetkey_store::transfer::TransferError;

use crate::place::{Place, full};

/// A file as an older binary would have left it, with a user and a browser that is signed in.
fn older(version: u32) -> Place {
    let place = Place::file();
    let known = load_sql_migrations(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite")).unwrap();
    let mut connection = Connection::open(place.path()).unwrap();
    Runner::new(&known).set_target(Target::Version(version.try_into().unwrap())).run(&mut connection).unwrap();
    let rows = "INSERT INTO users (id, username, username_key, password_hash, admin, created_at) \
                VALUES (X'00000000000000000000000000000001', 'Ada', 'ada', 'h', 1, 5);";
    connection.execute_batch(rows).unwrap();
    if (2..5).contains(&version) {
        let rows = "INSERT INTO sign_ins (id, user_id, cookie, authenticated_at, methods, created_at, expires_at) VALUES \
                    (X'00000000000000000000000000000002', X'00000000000000000000000000000001', X'aa', 77, 'pwd', 5, 99)";
        connection.execute_batch(rows).unwrap();
    }
    place
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_each_older_version_is_restored_and_brought_up_to_date() {
    let newest = sqlite::pending(&Place::file().path()).unwrap().len() as u32;
    for version in 1..newest {
        let (origin, folder) = (older(version), tempfile::tempdir().unwrap());
        let (file, backup) = origin.back_up(&folder).await;
        assert_eq!(backup.schema, i64::from(version));
        for place in Place::each().await {
            let restored = place.restore(&file, false).await.unwrap();

            assert_eq!(restored.schema, i64::from(version));
            let kept = "SELECT CAST(count(*) AS bigint) FROM users WHERE username = 'Ada' AND profile = '{}' AND scope IS NULL";
            assert_eq!(place.count(kept).await, 1);
            // V5 tells when a browser was last seen by when it signed in; that must happen to rows that were restored.
            let seen = "SELECT CAST(count(*) AS bigint) FROM sign_ins WHERE seen_at <> authenticated_at";
            assert_eq!(place.count(seen).await, 0);
            assert_eq!(place.tallies().await.len(), 21);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_of_an_older_version_arrives_up_to_date_and_leaves_its_source_alone() {
    for place in Place::each().await {
        let origin = older(4);

        let copied = origin.copy_to(&place).await.unwrap();

        assert_eq!(copied.schema, 4);
        assert_eq!(place.count("SELECT CAST(count(*) AS bigint) FROM sign_ins WHERE seen_at = 77").await, 1);
        assert_eq!(origin.count("SELECT max(version) FROM refinery_schema_history").await, 4);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_a_newer_version_is_refused_by_its_name() {
    let (origin, folder) = (full(1).await, tempfile::tempdir().unwrap());
    let (file, _) = origin.back_up(&folder).await;
    let bytes = fs::read(&file).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let known = text.split("\"schema\":").nth(1).unwrap().split(',').next().unwrap();
    let newer = text.replacen(&format!("\"schema\":{known},"), "\"schema\":999,", 1);
    let other = folder.path().join("newer.backup");
    fs::write(&other, newer.as_bytes()).unwrap();

    let refused = Place::file().restore(&other, true).await.unwrap_err();

    assert!(matches!(refused, TransferError::Newer { found: 999, .. }), "{refused}");
    assert!(refused.to_string().contains("newer"), "{refused}");
}
