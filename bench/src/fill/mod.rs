//! Many rows at once, written into the tables of a store as the server itself would write them. The only place of the bench
//! that knows them; a test asks a server for what was filled.

mod postgres;
mod row;
mod sqlite;

use std::path::PathBuf;

/// A way into the tables of one store.
pub enum Fill {
    Sqlite(sqlite::File),
    Postgres(postgres::Server),
}

/// What a table takes on disk, with its indexes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footprint {
    pub rows: u64,
    pub bytes: u64,
}

impl Footprint {
    /// Bytes for each row.
    pub fn each(self) -> f64 {
        #[expect(clippy::cast_precision_loss)]
        let each = self.bytes as f64 / self.rows.max(1) as f64;
        each
    }
}

impl Fill {
    /// Into the file of a running server.
    pub fn sqlite(path: &PathBuf) -> anyhow::Result<Self> {
        Ok(Self::Sqlite(sqlite::File::open(path)?))
    }

    /// Into the database of a running server.
    pub async fn postgres(url: &str) -> anyhow::Result<Self> {
        Ok(Self::Postgres(postgres::Server::open(url).await?))
    }

    /// So many sessions more, of many people.
    pub async fn sessions(&mut self, count: u64) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(file) => file.sessions(count),
            Self::Postgres(server) => server.sessions(count).await,
        }
    }

    /// So many orders more.
    pub async fn orders(&mut self, count: u64) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(file) => file.orders(count),
            Self::Postgres(server) => server.orders(count).await,
        }
    }

    /// Leaves the store as a server has it that was never in a hurry: the log in the file, statistics up to date.
    pub async fn settle(&mut self) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(file) => file.settle(),
            Self::Postgres(server) => server.settle().await,
        }
    }

    /// What sessions and orders take.
    pub async fn footprints(&mut self) -> anyhow::Result<(Footprint, Footprint)> {
        match self {
            Self::Sqlite(file) => file.footprints(),
            Self::Postgres(server) => server.footprints().await,
        }
    }
}
