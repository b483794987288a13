//! One thread that commits for all who wait: WAL, FULL, one row each.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, params};
use tokio::sync::mpsc;
use uuid::Uuid;

use super::group::{ROW, Waiting, ask};

/// Inserts a second.
pub async fn inserts(folder: &Path, waiting: usize, time: Duration) -> anyhow::Result<f64> {
    let connection = Connection::open(folder.join("ceiling.db"))?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "wal_autocheckpoint", 16_384)?;
    connection.execute_batch("CREATE TABLE rows (id BLOB PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID")?;
    grow(&connection)?;
    let (queue, jobs) = mpsc::channel(4096);
    let thread = std::thread::spawn(move || run(&connection, jobs));
    let rate = ask(queue, waiting, time).await;
    thread.join().map_err(|_| anyhow::anyhow!("the writer panicked"))??;
    Ok(rate)
}

/// Lets the log reach the length at which it starts anew: from then on, commits overwrite it, and the file system has less to
/// write down. A server that has run for a minute is there.
fn grow(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(
        "CREATE TABLE ballast (bytes BLOB); \
         INSERT INTO ballast WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 80) \
         SELECT zeroblob(1000000) FROM n; DELETE FROM ballast",
    )?;
    connection.query_row("PRAGMA wal_checkpoint(RESTART)", [], |_| Ok(()))
}

fn run(connection: &Connection, mut jobs: mpsc::Receiver<Waiting>) -> anyhow::Result<()> {
    let mut place = 0_u128;
    let mut batch = Vec::new();
    while let Some(first) = jobs.blocking_recv() {
        batch.push(first);
        while let Ok(next) = jobs.try_recv() {
            batch.push(next);
        }
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for _ in &batch {
            place += 1;
            let mut insert = connection.prepare_cached("INSERT INTO rows VALUES (?1, ?2)")?;
            insert.execute(params![Uuid::from_u128(place << 16), ROW])?;
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
        for waiting in batch.drain(..) {
            let _ = waiting.done.send(());
        }
    }
    Ok(())
}
