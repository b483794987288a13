//! From the database of an older release to this one: it starts, and nobody has to sign in again.

use serde_json::Value;

use super::life::Life;
use super::{execute, started};
use crate::house::{Engine, House};

/// What each version has added, taken away again, newest first.
const DOWN: [(u32, &str); 6] = [
    (
        12,
        "DROP INDEX devices_waiting; DROP INDEX devices_by_client; DROP INDEX sessions_living; \
         CREATE INDEX devices_by_asker ON devices (client_id, address)",
    ),
    (11, "DROP TABLE upstream_links; DROP TABLE upstream_answers; DROP INDEX users_by_email"),
    (10, "ALTER TABLE users DROP COLUMN scope"),
    (9, "DROP TABLE client_origins"),
    (8, "DROP TABLE api_key_secrets; DROP TABLE api_keys"),
    (7, "DROP TABLE api_usage"),
];

/// Makes the database what it would be if an older release had written it.
async fn go_down(house: &House, to: u32) {
    for (version, sql) in DOWN.iter().filter(|(version, _)| *version > to) {
        execute(house, sql).await;
        execute(house, &format!("DELETE FROM refinery_schema_history WHERE version = {version}")).await;
    }
    let pending = house.json(&["migrate", "--dry-run"]);
    let versions: Vec<_> = pending["pending"].as_array().unwrap().iter().map(|one| one["version"].clone()).collect();
    let expected: Vec<Value> = ((to + 1)..=12).map(Value::from).collect();
    assert_eq!(versions, expected, "a new migration needs its line in DOWN");
}

#[tokio::test]
async fn a_server_starts_on_the_database_of_an_older_release_and_all_goes_on() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        for version in [6, 10] {
            let Some(mut house) = started(engine).await else { continue };
            let life = Life::begin(&house).await;
            house.stop().await;
            go_down(&house, version).await;

            house.start().await;

            assert_eq!(house.json(&["migrate", "--dry-run"])["pending"], Value::Array(vec![]));
            life.goes_on(&house).await;
        }
    }
}

#[tokio::test]
async fn a_backup_of_an_older_release_is_restored_by_this_one() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = started(engine).await else { continue };
        let life = Life::begin(&house).await;
        house.stop().await;
        go_down(&house, 6).await;
        let file = house.folder().join("old.backup").display().to_string();
        let made = house.json(&["backup", &file]);

        house.json(&["restore", &file, "--replace"]);
        house.start().await;

        assert_eq!(made["schema"], 6);
        life.goes_on(&house).await;
    }
}

#[tokio::test]
async fn two_nodes_that_start_at_once_on_an_older_database_both_serve() {
    let Some(mut house) = started(Engine::Postgres).await else { return };
    let life = Life::begin(&house).await;
    house.stop().await;
    go_down(&house, 6).await;
    let mut neighbour = house.neighbour();

    tokio::join!(house.start(), neighbour.start());

    life.goes_on(&neighbour).await;
    assert_eq!(house.get("/readyz").send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_binary_that_is_older_than_the_database_does_not_start() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = started(engine).await else { continue };
        house.stop().await;
        let newer = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) \
                     SELECT 999, 'later', applied_on, checksum FROM refinery_schema_history WHERE version = 1";
        execute(&house, newer).await;

        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["client", "list"], &["backup", "x.backup"]] {
            let (code, words) = house.fail(command);

            assert_eq!(code, 1);
            assert!(words.contains("999") && words.contains("newer"), "{words}");
        }
    }
}
