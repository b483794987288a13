//! What callers can make long is found in an index of its own.

use valetkey_store::postgres;

use crate::schema::Schema;

/// What PostgreSQL does for a statement where it has reason not to read the whole table.
async fn plan_of(sql: &str) -> Option<String> {
    let schema = Schema::make().await?;
    postgres::migrate(&schema.settings(), |_| {}).await.unwrap();
    let client = schema.client().await;
    client.batch_execute("SET enable_seqscan = off; SET enable_bitmapscan = off").await.unwrap();
    let steps = client.query(&format!("EXPLAIN {sql}"), &[]).await.unwrap();
    Some(steps.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>().join("\n"))
}

#[tokio::test]
async fn devices_that_wait_are_counted_in_an_index_of_their_own() {
    let waiting = "SELECT 1 FROM devices \
                   WHERE client_id = 'app' AND address = '192.0.2.7' AND state = 'pending' AND expires_at > 5 LIMIT 9";

    let Some(plan) = plan_of(waiting).await else { return };

    assert!(plan.contains("devices_waiting") && !plan.contains("Filter"), "{plan}");
}

#[tokio::test]
async fn what_an_app_has_is_found_without_what_it_had() {
    let living = "SELECT id FROM sessions WHERE subject = 'alice' AND client_id = 'app' AND ended IS NULL \
                  ORDER BY id LIMIT 9 FOR UPDATE";

    let Some(plan) = plan_of(living).await else { return };

    assert!(plan.contains("Index Scan using sessions_living") && !plan.contains("Sort"), "{plan}");
}
