//! The engine choice: made here, once. Nothing else asks which database it is.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use valetkey_oauth::ports::{Ports, StoreError};
use valetkey_resources::model::Api;
use valetkey_resources::ports::Ports as ResourcePorts;
use valetkey_store::postgres::{self, Beside, Postgres};
use valetkey_store::sqlite::{self, FileLock, LockError, Sqlite};
use valetkey_store::{MigrationError, Pending, ShapeError, ShapePlan, Share, Step};

use crate::config::{Config, Database};

/// A store that is open and up to date.
pub struct Store {
    /// The engine behind the ports.
    pub ports: Ports,
    /// The same engine behind the ports of declared resources.
    pub resources: ResourcePorts,
    /// What a person calls it.
    pub name: &'static str,
    /// The same engine, for what a new declaration leaves to do.
    pub filling: Filling,
    /// The way to its tables of declared resources.
    pub shaping: Shaping,
    /// Does one process own it, so that its memory of revocations is exact?
    pub is_exclusive: bool,
}

/// The store, before it has the tables that a declaration asks for.
pub enum Shaping {
    /// SQLite, in this file.
    Sqlite(PathBuf),
    /// PostgreSQL, over the connection that brought the other tables up to date.
    Postgres(Beside),
}

impl Shaping {
    /// Gives the store these tables, unless something would be lost. What takes long is left to [`Filling`].
    pub async fn begin(
        self,
        config: &Config,
        api: &Api,
        progress: ShapeProgress<'_>,
    ) -> Result<ShapePlan, EngineError> {
        match self {
            Self::Sqlite(path) => sqlite::api_shape::begin(&path, api, &[], progress),
            Self::Postgres(mut over) => over.begin_shape(api, &[], progress).await,
        }
        .map_err(|error| EngineError::Shape { database: config.database_or_default().to_string(), error })
    }
}

/// The engine, while it fills what a new declaration asks for from the rows that were there before.
#[derive(Clone)]
pub enum Filling {
    /// SQLite.
    Sqlite(Arc<Sqlite>),
    /// PostgreSQL, and how it is reached beside the pool.
    Postgres(Arc<Postgres>, postgres::Settings),
}

impl Filling {
    /// Learns what is left to do, so that requests which need it are told to wait. Answers whether there is anything.
    pub async fn prepare(&self, api: &Api) -> Result<bool, StoreError> {
        match self {
            Self::Sqlite(engine) => engine.prepare(api),
            Self::Postgres(engine, _) => engine.prepare(api).await,
        }
    }

    /// Has a newer version of the API taken the rows of this declaration over?
    pub async fn is_superseded(&self, api: &Api) -> Result<bool, StoreError> {
        match self {
            Self::Sqlite(engine) => engine.is_superseded(api),
            Self::Postgres(engine, _) => engine.is_superseded(api).await,
        }
    }

    /// Does this share of what is left, or waits until another node has done it.
    pub async fn run(&self, api: &Api, share: Share, progress: ShapeProgress<'_>) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(engine) => engine.fill(api, share, progress).await,
            Self::Postgres(engine, settings) => engine.fill(settings, api, share, progress).await,
        }
    }
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The folder cannot be made or written.
    #[error("the data folder {path} cannot be used: {error}. Choose another with --data, or mend its permissions")]
    Folder {
        /// Which.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// Another server is there.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// The tables cannot be brought up to date.
    #[error("{database}: {error}")]
    Migration {
        /// Which database.
        database: String,
        /// Why.
        error: MigrationError,
    },
    /// The declaration does not fit the data.
    #[error("{database}: {error}")]
    Shape {
        /// Which database.
        database: String,
        /// Why.
        error: ShapeError,
    },
    /// The store cannot be opened.
    #[error("{database}: {error}")]
    Open {
        /// Which database.
        database: String,
        /// Why.
        error: StoreError,
    },
}

/// Told before each migration, and when another process has to be waited for.
pub type Progress<'a> = &'a mut (dyn FnMut(Step<'_>) + Send);

/// Does the store not exist yet?
pub fn is_new(config: &Config) -> bool {
    match config.database_or_default() {
        Database::Sqlite(path) => !path.exists(),
        Database::Postgres(_) => false,
    }
}

/// Makes this process the one that serves an embedded store. Shared ones need no lock.
pub fn lock(config: &Config) -> Result<Option<FileLock>, EngineError> {
    match config.database_or_default() {
        Database::Sqlite(path) => {
            make_folder(&path)?;
            Ok(Some(FileLock::acquire(&path)?))
        }
        Database::Postgres(_) => Ok(None),
    }
}

/// Opens the store; brings its tables up to date first.
pub async fn open(config: &Config, progress: Progress<'_>) -> Result<Store, EngineError> {
    let database = config.database_or_default();
    let opening = |error| EngineError::Open { database: database.to_string(), error };
    match &database {
        Database::Sqlite(path) => {
            migrate(config, progress).await?;
            let engine = Sqlite::open(path).map_err(opening)?;
            let (resources, filling) = (ResourcePorts::of(engine.clone()), Filling::Sqlite(engine.clone()));
            let shaping = Shaping::Sqlite(path.clone());
            Ok(Store { ports: engine.ports(), resources, name: "SQLite", filling, shaping, is_exclusive: true })
        }
        Database::Postgres(_) => {
            let settings = settings(config);
            // Side by side: the pool has its first connection when the tables are ready. It asks for none of them yet.
            let (over, engine) = tokio::join!(migrated(&settings, progress), Postgres::open(&settings));
            let over = over.map_err(|error| EngineError::Migration { database: database.to_string(), error })?;
            let engine = engine.map_err(opening)?;
            let resources = ResourcePorts::of(engine.clone());
            let filling = Filling::Postgres(engine.clone(), settings);
            let shaping = Shaping::Postgres(over);
            Ok(Store { ports: engine.ports(), resources, name: "PostgreSQL", filling, shaping, is_exclusive: false })
        }
    }
}

/// The connection over which tables were brought up to date.
async fn migrated(settings: &postgres::Settings, progress: Progress<'_>) -> Result<Beside, MigrationError> {
    let mut over = Beside::connect(settings).await?;
    over.migrate(progress).await?;
    Ok(over)
}

/// Runs what is pending; answers how many ran.
pub async fn migrate(config: &Config, progress: Progress<'_>) -> Result<usize, EngineError> {
    let database = config.database_or_default();
    match &database {
        Database::Sqlite(path) => {
            make_folder(path)?;
            sqlite::migrate(path, progress)
        }
        Database::Postgres(_) => postgres::migrate(&settings(config), progress).await,
    }
    .map_err(|error| EngineError::Migration { database: database.to_string(), error })
}

/// What would run. Changes nothing.
pub async fn pending(config: &Config) -> Result<Vec<Pending>, EngineError> {
    let database = config.database_or_default();
    match &database {
        Database::Sqlite(path) => sqlite::pending(path),
        Database::Postgres(_) => postgres::pending(&settings(config)).await,
    }
    .map_err(|error| EngineError::Migration { database: database.to_string(), error })
}

/// Told while tables of the declared API are made: rows done, rows in all, and with what.
pub type ShapeProgress<'a> = &'a mut (dyn FnMut(u64, u64, &str) + Send);

/// What a declaration would change. Changes nothing.
pub async fn plan_shape(config: &Config, api: &Api) -> Result<ShapePlan, EngineError> {
    let database = config.database_or_default();
    match &database {
        Database::Sqlite(path) => sqlite::api_shape::plan(path, api),
        Database::Postgres(_) => postgres::api_shape::plan(&settings(config), api).await,
    }
    .map_err(|error| EngineError::Shape { database: database.to_string(), error })
}

/// Gives the store all that a declaration asks for. What would be lost must be accepted by name.
pub async fn apply_shape(
    config: &Config,
    api: &Api,
    accept: &[String],
    progress: ShapeProgress<'_>,
) -> Result<ShapePlan, EngineError> {
    let database = config.database_or_default();
    match &database {
        Database::Sqlite(path) => sqlite::api_shape::apply(path, api, accept, progress),
        Database::Postgres(_) => postgres::api_shape::apply(&settings(config), api, accept, progress).await,
    }
    .map_err(|error| EngineError::Shape { database: database.to_string(), error })
}

/// Writes what follows from the documents again: columns, indexes, words.
pub async fn reindex(config: &Config, api: &Api, progress: ShapeProgress<'_>) -> Result<(), EngineError> {
    let database = config.database_or_default();
    match &database {
        Database::Sqlite(path) => sqlite::api_shape::reindex(path, api, progress),
        Database::Postgres(_) => postgres::api_shape::reindex(&settings(config), api, progress).await,
    }
    .map_err(|error| EngineError::Shape { database: database.to_string(), error })
}

/// What the engine itself finds wrong, in plain words.
pub async fn check(config: &Config) -> Result<Vec<String>, EngineError> {
    let database = config.database_or_default();
    match &database {
        Database::Sqlite(path) => sqlite::check(path),
        Database::Postgres(_) => postgres::check(&settings(config)).await,
    }
    .map_err(|error| EngineError::Migration { database: database.to_string(), error })
}

fn settings(config: &Config) -> postgres::Settings {
    let url = match config.database_or_default() {
        Database::Postgres(url) => url,
        Database::Sqlite(_) => String::new(),
    };
    settings_of(config, &url)
}

/// How a PostgreSQL is reached, with the settings that hold for each.
pub(super) fn settings_of(config: &Config, url: &str) -> postgres::Settings {
    postgres::Settings { url: url.to_owned(), pool_size: config.database_pool, extra_ca: config.database_ca.clone() }
}

/// The folder of an embedded database, closed to others.
pub(super) fn make_folder(database: &Path) -> Result<(), EngineError> {
    let folder = database.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| EngineError::Folder { path: folder.display().to_string(), error };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
    // A folder that exists may still refuse: finding out here gives a better sentence than the database does.
    let probe = folder.join(format!(".valetkey-probe-{}", std::process::id()));
    fs::write(&probe, b"").and_then(|()| fs::remove_file(&probe)).map_err(failed)
}
