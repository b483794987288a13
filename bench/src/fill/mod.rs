//! Many rows at once, written into the tables of a store as the server itself would write them. The only place of the bench
//! that knows them; a test asks a server for what was filled.

mod postgres;
mod row;
mod sqlite;

pub use row::millis;

use uuid::Uuid;

use crate::house::Settings;

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
    /// Into the store of a server that was started so.
    pub async fn of(settings: &Settings) -> anyhow::Result<Self> {
        Ok(match &settings.database {
            None => Self::Sqlite(sqlite::File::open(&settings.folder.join("data/valetkey.db"))?),
            Some(url) => Self::Postgres(postgres::Server::open(url).await?),
        })
    }

    /// Many rows are to come, and nobody looks until [`settle`](Self::settle).
    pub async fn hurry(&mut self) -> anyhow::Result<()> {
        match self {
            // Its indexes are filled nearly in order, which costs little.
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(server) => server.hurry().await,
        }
    }

    /// So many sessions more, of many people.
    pub async fn sessions(&mut self, count: u64) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(file) => file.sessions(count),
            Self::Postgres(server) => server.sessions(count).await,
        }
    }

    /// So many sessions more, all of which end at one moment (in milliseconds since 1970).
    pub async fn ending(&mut self, count: u64, at: i64) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(file) => file.ending(count, at),
            Self::Postgres(server) => server.ending(count, at).await,
        }
    }

    /// So many people more, called `NAME-0` and so on, with the password of the one called `NAME`.
    pub async fn people(&mut self, like: &str, count: u64) -> anyhow::Result<()> {
        match self {
            Self::Sqlite(file) => file.people(like, count),
            Self::Postgres(server) => server.people(like, count).await,
        }
    }

    /// So many orders more; their ids.
    pub async fn orders(&mut self, count: u64) -> anyhow::Result<Vec<Uuid>> {
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
