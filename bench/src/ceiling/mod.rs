//! What the machine gives at best: commits shared by all who wait, point reads, one signature, passwords. Nothing of ours is in here.

mod group;
mod hashing;
mod postgres;
mod signature;
mod sqlite;

pub use hashing::hashes;

use std::time::Duration;

use serde::Serialize;

use crate::measure::median;

/// Everything that is measured without a server.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Ceilings {
    /// Inserts a second, SQLite with FULL, as many waiting as there are connections.
    pub sqlite_inserts: Option<f64>,
    /// Inserts a second, PostgreSQL, the same.
    pub postgres_inserts: Option<f64>,
    /// Point reads a second with tokio-postgres.
    pub postgres_reads: Option<f64>,
    /// Processor time of one ES256 signature, in microseconds.
    pub signature: f64,
}

impl Ceilings {
    /// What needs no database.
    pub fn of_the_machine() -> anyhow::Result<Self> {
        Ok(Self { signature: median(signature::micros()?), ..Self::default() })
    }

    /// Signs before and after some work that signs, so that both meet the same weather.
    pub async fn sign_beside<T>(&mut self, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
        let mut tries = signature::micros()?;
        let done = work.await?;
        tries.extend(signature::micros()?);
        self.signature = median(tries);
        Ok(done)
    }

    /// Reads by key before and after some work that reads by key, for the same reason.
    pub async fn read_beside<T>(
        &mut self,
        url: &str,
        waiting: usize,
        time: Duration,
        work: impl Future<Output = anyhow::Result<T>>,
    ) -> anyhow::Result<T> {
        let before = postgres::reads(url, waiting, time).await?;
        let done = work.await?;
        let after = postgres::reads(url, waiting, time).await?;
        self.postgres_reads = Some(f64::midpoint(before, after));
        Ok(done)
    }

    /// SQLite, in this folder.
    pub async fn add_sqlite(&mut self, folder: &std::path::Path, waiting: usize, time: Duration) -> anyhow::Result<()> {
        self.sqlite_inserts = Some(sqlite::inserts(folder, waiting, time).await?);
        Ok(())
    }

    /// PostgreSQL, in a table of its own.
    pub async fn add_postgres(&mut self, url: &str, waiting: usize, time: Duration) -> anyhow::Result<()> {
        self.postgres_inserts = Some(postgres::inserts(url, waiting, time).await?);
        self.postgres_reads = Some(postgres::reads(url, waiting, time).await?);
        Ok(())
    }
}
