//! Who waits for whom while tables are brought up to date.

use std::time::Duration;

use tokio::sync::mpsc::unbounded_channel;
use tokio::time::timeout;
use valetkey_store::Step;
use valetkey_store::postgres;

use crate::schema::Schema;

const TAKE: &str = "SELECT pg_advisory_lock(x'56616c65746b6579'::bigint # hashtext(current_schema())::bigint)";
const LONG: Duration = Duration::from_secs(20);

/// Brings tables up to date while another process has the turn, which gives it back as soon as it hears of a wait.
async fn beside(schema: &Schema, other: tokio_postgres::Client) -> (usize, usize) {
    let (told, mut heard) = unbounded_channel();
    let settings = schema.settings();
    let node = tokio::spawn(async move {
        let mut waits = 0;
        let tell = |step: Step<'_>| {
            if step == Step::Waiting {
                waits += 1;
                let _ = told.send(());
            }
        };
        let applied = postgres::migrate(&settings, tell).await.unwrap();
        (applied, waits)
    });
    // Nothing, once the other side has ended without a word.
    let _ = timeout(LONG, heard.recv()).await.expect("it neither ends nor says that it waits");
    drop(other);
    timeout(LONG, node).await.expect("its turn comes").unwrap()
}

#[tokio::test]
async fn who_waits_for_another_process_says_so_once() {
    let Some(schema) = Schema::make().await else { return };
    let other = schema.client().await;
    other.execute(TAKE, &[]).await.unwrap();

    let (applied, waits) = beside(&schema, other).await;

    assert!(applied > 0);
    assert_eq!(waits, 1);
}

#[tokio::test]
async fn who_has_nothing_to_do_waits_for_nobody() {
    let Some(schema) = Schema::make().await else { return };
    postgres::migrate(&schema.settings(), |_| {}).await.unwrap();
    let other = schema.client().await;
    other.execute(TAKE, &[]).await.unwrap();

    assert_eq!(beside(&schema, other).await, (0, 0));
}

#[tokio::test]
async fn who_has_nothing_to_do_waits_for_rows_that_are_moved() {
    let Some(schema) = Schema::make().await else { return };
    postgres::migrate(&schema.settings(), |_| {}).await.unwrap();
    let other = schema.client().await;
    other.batch_execute("SET application_name = 'valetkey transfer'").await.unwrap();
    other.execute(TAKE, &[]).await.unwrap();

    assert_eq!(beside(&schema, other).await, (0, 1));
}
