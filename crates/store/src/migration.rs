//! What both engines say about migrations: which wait, and why they cannot run.

use refinery::Migration;

/// Where it is written which migrations ran.
pub(crate) const HISTORY: &str = "refinery_schema_history";

/// A migration that has not run yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    /// Its number.
    pub version: i64,
    /// Its name.
    pub name: String,
    /// The statements, for those who want to read before they run.
    pub sql: String,
}

/// How far tables are on the way to the newest version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// Another process changes tables, and this one waits until it is done. Told once.
    Waiting,
    /// So many of so many migrations have run, and this one is next.
    Next {
        /// How many have run.
        done: usize,
        /// How many there are.
        total: usize,
        /// Which is next.
        migration: &'a Pending,
    },
}

/// What is told of a wait for another process.
pub(crate) const WAITING: &str = "waiting for another process that changes the tables";

/// Why the tables could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    /// A newer binary was here.
    #[error(
        "the database is at version {found}, and this binary knows versions up to {known}: \
         a newer valetkey has used it. Start that newer binary, or restore a backup from before the upgrade"
    )]
    DatabaseIsNewer {
        /// What the database says.
        found: i64,
        /// What the binary knows.
        known: i64,
    },
    /// Rows are still missing.
    #[error(
        "a copy from {0} into this database was not finished, so that rows are missing. Run that copy again; it goes on \
         where it was"
    )]
    HalfCopied(String),
    /// A migration failed; those before it stay applied, and the next start goes on from there.
    #[error("a migration failed: {0}")]
    Failed(String),
    /// The database did not answer.
    #[error("the database did not answer: {0}")]
    Unavailable(String),
}

/// Which of the known migrations are not applied? Refuses a database that has unknown ones.
pub(crate) fn pending(known: &[Migration], applied: &[Migration]) -> Result<Vec<Pending>, MigrationError> {
    let ran: Vec<(i64, String)> =
        applied.iter().map(|migration| (migration.version().into(), migration.name().to_owned())).collect();
    version(known, &ran)?;
    let mut waiting: Vec<Pending> = known
        .iter()
        .filter(|migration| !applied.iter().any(|done| done.version() == migration.version()))
        .map(|migration| Pending {
            version: migration.version().into(),
            name: migration.name().to_owned(),
            sql: migration.sql().unwrap_or_default().to_owned(),
        })
        .collect();
    // They come in the order of their file names, where the tenth stands before the second.
    waiting.sort_by_key(|migration| migration.version);
    Ok(waiting)
}

/// The last of the migrations that ran. Refuses those of a newer binary, and those of another program.
pub(crate) fn version(known: &[Migration], applied: &[(i64, String)]) -> Result<Option<i64>, MigrationError> {
    let newest = newest(known);
    for (version, name) in applied {
        if *version > newest {
            return Err(MigrationError::DatabaseIsNewer { found: *version, known: newest });
        }
        if !known.iter().any(|ours| i64::from(ours.version()) == *version && ours.name() == name) {
            return Err(MigrationError::Failed(format!("the migration V{version} `{name}` is not one of valetkey")));
        }
    }
    Ok(applied.iter().map(|(version, _)| *version).max())
}

/// Is a history ours, by the numbers and names in it? A newer binary has added to it, and has all of ours before that.
/// Texts, because a table of another program may hold anything.
pub(crate) fn is_ours(known: &[Migration], applied: &[(String, String)]) -> bool {
    let newest = newest(known);
    let is_known = |version: i64, name: &str| {
        version > newest || known.iter().any(|ours| i64::from(ours.version()) == version && ours.name() == name)
    };
    let versions: Option<Vec<i64>> =
        applied.iter().map(|(version, name)| version.parse().ok().filter(|version| is_known(*version, name))).collect();
    versions.is_some_and(|versions| versions.iter().any(|version| *version <= newest))
}

/// A version to stop at. Refuses one that is not known.
pub(crate) fn target<T: TryFrom<i64>>(known: &[Migration], version: i64) -> Result<T, MigrationError> {
    let newest = newest(known);
    if version > newest {
        return Err(MigrationError::DatabaseIsNewer { found: version, known: newest });
    }
    let is_known = known.iter().any(|migration| i64::from(migration.version()) == version);
    let unknown = || MigrationError::Failed(format!("there is no version {version} of the tables"));
    if is_known { version.try_into().map_err(|_| unknown()) } else { Err(unknown()) }
}

/// The newest version that is known.
pub(crate) fn newest(known: &[Migration]) -> i64 {
    known.iter().map(|migration| i64::from(migration.version())).max().unwrap_or(0)
}
