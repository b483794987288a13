//! What nobody waits for does not go on.

use std::time::Instant;

use tokio_postgres::types::Type;

use super::super::{BY_HEART, Connections, Fault, Settings};
use super::*;

/// Much less than the server gives a statement by itself.
const SOON: Duration = Duration::from_secs(3);

fn connections() -> Option<Connections> {
    let url = valetkey_testkit::services::postgres()?;
    Some(Connections::new(&Settings { url, pool_size: 1, extra_ca: None }).unwrap())
}

/// Whoever watches does so on a connection of its own.
async fn wait_until(watch: &Connections, asked: &str, is_running: bool) {
    let count =
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query = $1 AND pid <> pg_backend_pid()";
    let begun = Instant::now();
    while watch.read(count, &[&asked]).await.unwrap()[0].get::<_, i64>(0) != i64::from(is_running) {
        assert!(begun.elapsed() < SOON, "running: {}", !is_running);
    }
}

async fn process(connections: &Connections) -> i32 {
    connections.glance("SELECT pg_backend_pid()", &[], SOON, BY_HEART).await.unwrap()[0].get(0)
}

#[tokio::test]
async fn what_takes_too_long_is_ended_over_there_and_its_connection_with_it() {
    let (Some(connections), Some(watch)) = (connections(), connections()) else { return };
    let long = "SELECT pg_sleep($1) AS too_long";
    let first = process(&connections).await;
    assert_eq!(process(&connections).await, first, "it is used again");

    let patience = Duration::from_millis(20);
    let given_up = connections.glance(long, &[(&60_f64, Type::FLOAT8)], patience, BY_HEART).await;

    assert!(given_up.is_err_and(|fault: Fault| fault.expired));
    wait_until(&watch, long, false).await;
    assert_ne!(process(&connections).await, first);
}

#[tokio::test]
async fn what_somebody_asked_who_went_away_is_ended_over_there() {
    let (Some(connections), Some(watch)) = (connections(), connections()) else { return };
    let long = "SELECT pg_sleep($1) AS nobody_waits";
    let asked = connections.clone();
    let asking = tokio::spawn(async move {
        let _ = asked.glance(long, &[(&60_f64, Type::FLOAT8)], 2 * SOON, BY_HEART).await;
    });
    wait_until(&watch, long, true).await;

    asking.abort();

    wait_until(&watch, long, false).await;
}

#[tokio::test]
async fn a_refusal_leaves_its_connection_as_it_was() {
    let Some(connections) = connections() else { return };
    let first = process(&connections).await;

    let refused = connections.glance("SELECT 1 / $1", &[(&0_i32, Type::INT4)], SOON, BY_HEART).await;

    assert!(refused.is_err_and(|fault: Fault| fault.refused));
    assert_eq!(process(&connections).await, first);
}

#[tokio::test]
async fn a_statement_that_has_to_wait_before_it_is_prepared_is_given_up_in_time() {
    let (Some(connections), Some(watch)) = (connections(), connections()) else { return };
    let table = format!("valetkey_ending_{}", std::process::id());
    let server = valetkey_testkit::services::postgres().unwrap();
    let (client, connection) = tokio_postgres::connect(&server, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&format!("CREATE TABLE {table} (number int)")).await.unwrap();
    client.batch_execute(&format!("BEGIN; LOCK TABLE {table}")).await.unwrap();
    let asked = format!("SELECT number FROM {table}");

    let begun = Instant::now();
    let given_up = connections.glance(&asked, &[], Duration::from_millis(20), BY_HEART).await;

    assert!(given_up.is_err_and(|fault: Fault| fault.expired) && begun.elapsed() < SOON);
    wait_until(&watch, &asked, false).await;
    client.batch_execute(&format!("COMMIT; DROP TABLE {table}")).await.unwrap();
}
