//! One connection that commits for all who wait, and a pool that reads by key.

use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio_postgres::{Client, NoTls};
use uuid::Uuid;

use super::group::{ROW, Waiting, ask};

/// As many connections as the server has by default.
const POOL: usize = 16;
/// Rows that are read.
const ROWS: i32 = 100_000;

async fn connect(url: &str) -> anyhow::Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

/// Inserts a second.
pub async fn inserts(url: &str, waiting: usize, time: Duration) -> anyhow::Result<f64> {
    let client = connect(url).await?;
    client
        .batch_execute("DROP TABLE IF EXISTS ceiling; CREATE TABLE ceiling (id uuid PRIMARY KEY, text text NOT NULL)")
        .await?;
    let (queue, jobs) = mpsc::channel(4096);
    let writer = tokio::spawn(run(client, jobs));
    let rate = ask(queue, waiting, time).await;
    writer.await??;
    Ok(rate)
}

async fn run(client: Client, mut jobs: mpsc::Receiver<Waiting>) -> anyhow::Result<()> {
    let insert = client.prepare("INSERT INTO ceiling SELECT id, $2 FROM unnest($1::uuid[]) AS r (id)").await?;
    let mut place = 0_u128;
    let mut batch = Vec::new();
    while let Some(first) = jobs.recv().await {
        batch.push(first);
        while let Ok(next) = jobs.try_recv() {
            batch.push(next);
        }
        let ids: Vec<Uuid> = (0..batch.len()).map(|at| Uuid::from_u128((place + at as u128) << 16)).collect();
        place += batch.len() as u128;
        client.execute(&insert, &[&ids, &ROW]).await?;
        for waiting in batch.drain(..) {
            let _ = waiting.done.send(());
        }
    }
    client.batch_execute("DROP TABLE ceiling").await?;
    Ok(())
}

/// Reads by key a second.
pub async fn reads(url: &str, readers: usize, time: Duration) -> anyhow::Result<f64> {
    let setup = connect(url).await?;
    let fill = format!(
        "DROP TABLE IF EXISTS ceiling; CREATE TABLE ceiling (id integer PRIMARY KEY, text text NOT NULL); \
         INSERT INTO ceiling SELECT n, '{ROW}' FROM generate_series(1, {ROWS}) AS r (n); ANALYZE ceiling"
    );
    setup.batch_execute(&fill).await?;
    let mut pool = Vec::new();
    for _ in 0..POOL.min(readers) {
        pool.push(connect(url).await?);
    }
    let start = Instant::now();
    let tasks: Vec<_> = pool
        .into_iter()
        .enumerate()
        .map(|(number, client)| tokio::spawn(read(client, i32::try_from(number).unwrap_or_default(), start, time)))
        .collect();
    let mut sum = 0;
    for task in tasks {
        sum += task.await??;
    }
    #[expect(clippy::cast_precision_loss)]
    let rate = sum as f64 / start.elapsed().as_secs_f64();
    setup.batch_execute("DROP TABLE ceiling").await?;
    Ok(rate)
}

async fn read(client: Client, number: i32, start: Instant, time: Duration) -> anyhow::Result<u64> {
    let find = client.prepare("SELECT text FROM ceiling WHERE id = $1").await?;
    let mut key = number;
    let mut count = 0;
    while start.elapsed() < time {
        key = (key + 7919) % ROWS;
        let row = client.query_one(&find, &[&(key + 1)]).await?;
        let _: &str = row.get(0);
        count += 1;
    }
    Ok(count)
}
