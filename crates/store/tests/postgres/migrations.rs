//! Migrations: once for all nodes, never backwards, and a look changes nothing.

use std::sync::Arc;

use serde_json::json;
use valetkey_resources::model::{Field, Resource};
use valetkey_store::postgres::{self, Beside, Postgres, Settings};
use valetkey_store::{MigrationError, Share};
use valetkey_testkit::api;

use crate::schema::Schema;

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn of_three_migrators_one_applies() {
    let Some(schema) = Schema::make().await else { return };
    let settings = [schema.settings(), schema.settings(), schema.settings()];
    let waiting = postgres::pending(&settings[0]).await.unwrap().len();

    let nodes = settings.map(|settings| tokio::spawn(async move { postgres::migrate(&settings, |_| {}).await }));
    let mut applied = Vec::new();
    for node in nodes {
        applied.push(node.await.unwrap().unwrap());
    }

    applied.sort_unstable();
    assert_eq!(applied, [0, 0, waiting]);
    assert_eq!(postgres::pending(&schema.settings()).await.unwrap(), []);
    let mut findings = postgres::check(&schema.settings()).await.unwrap();
    // Where there is no room in memory, the suite's own server syncs nothing, and that is told.
    findings.retain(|finding| !finding.contains("fsync is off"));
    assert_eq!(findings, [""; 0]);
}

#[tokio::test]
async fn commits_that_a_crash_may_undo_are_told() {
    let Some(schema) = Schema::make().await else { return };
    let settings = schema.settings();
    let hasty = Settings { url: settings.url.replace("options=", "options=-csynchronous_commit%3Doff%20"), ..settings };

    let findings = postgres::check(&hasty).await.unwrap().join("\n");

    assert!(findings.contains("synchronous_commit or fsync is off"), "{findings}");
}

#[tokio::test]
async fn a_server_that_starts_does_all_over_one_connection_beside_its_pool() {
    let Some(schema) = Schema::make().await else { return };
    let settings = schema.settings();
    let mut over = Beside::connect(&settings).await.unwrap();
    // The pool is there while tables are still made.
    let engine = Postgres::open(&settings).await.unwrap();

    assert!(over.migrate(|_| {}).await.unwrap() > 0);
    over.begin_shape(&api::shop(), &[], &mut |_, _, _| {}).await.unwrap();

    // Nothing is left, so that nobody is reached for it: at this address there is nobody.
    let nowhere = Settings { url: "postgres://nobody@127.0.0.1:1/nothing".to_owned(), ..settings };
    engine.fill(&nowhere, &api::shop(), Share::Whole, &mut |_, _, _| {}).await.unwrap();
    assert!(!engine.prepare(&api::shop()).await.unwrap());
}

#[tokio::test]
async fn documents_are_compressed_by_the_fast_way_where_there_is_one() {
    let Some(schema) = Schema::make().await else { return };
    postgres::migrate(&schema.settings(), |_| {}).await.unwrap();

    postgres::api_shape::begin(&schema.settings(), &api::shop(), &[], &mut |_, _, _| {}).await.unwrap();

    let differs = "SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('r_orders') \
                   AND attname IN ('document', 'search') AND attcompression <> 'l' \
                   AND EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals))";
    let client = schema.client().await;
    assert_eq!(client.query_one(differs, &[]).await.unwrap().get::<_, i64>(0), 0);
    let there = "SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('r_orders') \
                 AND attname IN ('document', 'search')";
    assert_eq!(client.query_one(there, &[]).await.unwrap().get::<_, i64>(0), 2);
}

#[tokio::test]
async fn a_look_at_what_is_pending_makes_no_table() {
    let Some(schema) = Schema::make().await else { return };

    let waiting = postgres::pending(&schema.settings()).await.unwrap();

    let count = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
    let tables: i64 = schema.client().await.query_one(count, &[]).await.unwrap().get(0);
    assert!(!waiting.is_empty() && waiting[0].sql.contains("CREATE TABLE clients"));
    assert_eq!(tables, 0);
}

#[tokio::test]
async fn a_database_of_a_newer_binary_is_refused() {
    let Some(schema) = Schema::make().await else { return };
    postgres::migrate(&schema.settings(), |_| {}).await.unwrap();
    let newer = "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) \
                 SELECT 999, 'from_the_future', applied_on, checksum FROM refinery_schema_history LIMIT 1";
    schema.client().await.batch_execute(newer).await.unwrap();

    let refused = postgres::migrate(&schema.settings(), |_| {}).await.unwrap_err();

    assert!(matches!(refused, MigrationError::DatabaseIsNewer { found: 999, .. }), "{refused}");
}

#[tokio::test]
async fn a_failed_migration_leaves_nothing_and_can_be_tried_again() {
    let Some(schema) = Schema::make().await else { return };
    let client = schema.client().await;
    client.batch_execute("CREATE TABLE keys (a_stranger int)").await.unwrap();

    let failed = postgres::migrate(&schema.settings(), |_| {}).await.unwrap_err();
    client.batch_execute("DROP TABLE keys").await.unwrap();
    let applied = postgres::migrate(&schema.settings(), |_| {}).await.unwrap();

    assert!(failed.to_string().contains("\"keys\" already exists"), "{failed}");
    assert!(applied > 0);
}

#[tokio::test]
async fn a_check_names_the_tables_that_may_not_be_used() {
    let Some(schema) = Schema::make().await else { return };
    postgres::migrate(&schema.settings(), |_| {}).await.unwrap();
    let client = schema.client().await;
    let role = format!("reader_of_{}", schema.name());
    let make = format!(
        "CREATE ROLE {role} LOGIN PASSWORD 'reader'; GRANT USAGE ON SCHEMA {0} TO {role}; \
         GRANT SELECT ON ALL TABLES IN SCHEMA {0} TO {role}",
        schema.name()
    );
    client.batch_execute(&make).await.unwrap();

    let findings = postgres::check(&schema.settings_of(&role, "reader")).await.unwrap().join("\n");
    client.batch_execute(&format!("DROP OWNED BY {role}; DROP ROLE {role}")).await.unwrap();

    assert!(findings.contains("the table sessions"), "{findings}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 3)]
async fn of_three_nodes_with_a_new_declaration_one_applies_it() {
    let Some(schema) = Schema::make().await else { return };
    postgres::migrate(&schema.settings(), |_| {}).await.unwrap();
    let before = Resource::new("things", "thing", vec![Field::new("size", json!({"type": "integer"}))]);
    let apply = async |settings, resource: Resource| {
        let api = api::of(vec![Arc::new(resource)]);
        postgres::api_shape::apply(&settings, &api, &[], &mut |_, _, _| {}).await.unwrap()
    };
    apply(schema.settings(), before).await;
    let insert = "INSERT INTO r_things (id, revision, created_at, updated_at, document) \
                  SELECT gen_random_uuid(), 1, 0, 0, '{\"size\":1}' FROM generate_series(1, 5000)";
    schema.client().await.batch_execute(insert).await.unwrap();
    let after = Resource::new("things", "thing", vec![api::listed("size", json!({"type": "integer"}))]);

    // An index is made beside others only once older statements are done: nobody may wait for the lock in one.
    let (one, two, three) = tokio::join!(
        apply(schema.settings(), after.clone()),
        apply(schema.settings(), after.clone()),
        apply(schema.settings(), after.clone())
    );

    let idle = [one, two, three].iter().filter(|plan| plan.is_empty()).count();
    assert_eq!(idle, 2);
    let filled = "SELECT count(*) FROM r_things WHERE f_size = 1";
    let filled: i64 = schema.client().await.query_one(filled, &[]).await.unwrap().get(0);
    assert_eq!(filled, 5000);
}
