//! Bringing the tables of a SQLite file up to date.

use std::fs::{File, TryLockError};
use std::path::Path;

use rusqlite::Connection;

use super::connection;
use crate::migration::{self, MigrationError, Pending, Step};

mod embedded {
    refinery::embed_migrations!("migrations/sqlite");
}

/// Which migrations would run? Changes nothing, and makes no file.
pub fn pending(path: &Path) -> Result<Vec<Pending>, MigrationError> {
    let known = embedded::migrations::runner().get_migrations().clone();
    if !path.exists() {
        return migration::pending(&known, &[]);
    }
    let mut connection = open(path)?;
    waiting(&mut connection)
}

/// Runs what is pending, each migration in its own transaction, and tells before each one.
///
/// A server and commands that start at once wait for each other here; the later ones find nothing to do.
pub fn migrate(path: &Path, mut progress: impl FnMut(Step<'_>)) -> Result<usize, MigrationError> {
    let _turn = take_turn(path, || progress(Step::Waiting))?;
    let mut connection = open(path)?;
    let waiting = waiting(&mut connection)?;
    let total = waiting.len();
    for (done, next) in waiting.iter().enumerate() {
        progress(Step::Next { done, total, migration: next });
        let target = u32::try_from(next.version).map_err(|_| MigrationError::Failed("version number".to_owned()))?;
        embedded::migrations::runner()
            .set_target(refinery::Target::Version(
                target.try_into().map_err(|_| MigrationError::Failed("version number".to_owned()))?,
            ))
            .run(&mut connection)
            .map_err(|error| MigrationError::Failed(error.to_string()))?;
    }
    Ok(total)
}

/// The newest version that is known.
pub(crate) fn newest() -> i64 {
    migration::newest(embedded::migrations::runner().get_migrations())
}

/// The last migration that ran; none in a file without any. Refuses a history that is not ours.
pub(super) fn version(connection: &Connection) -> Result<Option<i64>, MigrationError> {
    if !has_history(connection)? {
        return Ok(None);
    }
    let unavailable = |error: rusqlite::Error| MigrationError::Unavailable(error.to_string());
    let select = "SELECT version, name FROM refinery_schema_history ORDER BY version";
    let mut statement = connection.prepare(select).map_err(unavailable)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(unavailable)?;
    let applied: Vec<(i64, String)> = rows.collect::<Result<_, _>>().map_err(unavailable)?;
    migration::version(embedded::migrations::runner().get_migrations(), &applied)
}

/// Brings an empty file to a version, as an older binary would have.
pub(super) fn reach(connection: Option<&mut Connection>, version: i64) -> Result<(), MigrationError> {
    let known = embedded::migrations::runner().get_migrations().clone();
    let target = migration::target(&known, version)?;
    let Some(connection) = connection else { return Ok(()) };
    let run = embedded::migrations::runner().set_target(refinery::Target::Version(target)).run(connection);
    run.map(|_| ()).map_err(|error| MigrationError::Failed(error.to_string()))
}

/// Looks through the whole file for damage. Slow on a large one.
pub fn check(path: &Path) -> Result<Vec<String>, MigrationError> {
    let connection = open(path)?;
    let unavailable = |error: rusqlite::Error| MigrationError::Unavailable(error.to_string());
    let mut statement = connection.prepare("PRAGMA quick_check(20)").map_err(unavailable)?;
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).map_err(unavailable)?;
    let findings: Vec<String> = rows.collect::<Result<_, _>>().map_err(unavailable)?;
    Ok(if findings == ["ok"] { Vec::new() } else { findings })
}

/// Locks the folder of the database until the file is dropped. The folder, because the database may not exist yet, and
/// because its own locks do not reach over a change of its journal or over two transactions.
pub(super) fn take_turn(path: &Path, on_wait: impl FnOnce()) -> Result<File, MigrationError> {
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let failed = |error| MigrationError::Unavailable(format!("cannot lock {}: {error}", folder.display()));
    let turn = File::open(folder).map_err(failed)?;
    match turn.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            on_wait();
            turn.lock().map_err(failed)?;
        }
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    Ok(turn)
}

fn waiting(connection: &mut Connection) -> Result<Vec<Pending>, MigrationError> {
    let runner = embedded::migrations::runner();
    let applied = if has_history(connection)? {
        runner.get_applied_migrations(connection).map_err(|error| MigrationError::Failed(error.to_string()))?
    } else {
        Vec::new()
    };
    migration::pending(runner.get_migrations(), &applied)
}

/// What a history says of who made the tables; nothing where there is none, or where it was not begun.
pub(super) fn is_ours(connection: &Connection) -> Result<Option<bool>, MigrationError> {
    let unavailable = |error: rusqlite::Error| MigrationError::Unavailable(error.to_string());
    if !has_history(connection)? {
        return Ok(None);
    }
    let named = "SELECT count(*) FROM pragma_table_info('refinery_schema_history') WHERE name IN ('version', 'name')";
    if connection.query_row(named, [], |row| row.get::<_, i64>(0)).map_err(unavailable)? < 2 {
        return Ok(Some(false));
    }
    let select =
        "SELECT ifnull(CAST(version AS TEXT), ''), ifnull(CAST(name AS TEXT), '') FROM refinery_schema_history";
    let mut statement = connection.prepare(select).map_err(unavailable)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(unavailable)?;
    let applied: Vec<(String, String)> = rows.collect::<Result<_, _>>().map_err(unavailable)?;
    let known = embedded::migrations::runner();
    Ok(Some(applied).filter(|rows| !rows.is_empty()).map(|rows| migration::is_ours(known.get_migrations(), &rows)))
}

fn has_history(connection: &Connection) -> Result<bool, MigrationError> {
    connection
        .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'refinery_schema_history'")
        .and_then(|mut statement| statement.exists([]))
        .map_err(|error| MigrationError::Unavailable(error.to_string()))
}

fn open(path: &Path) -> Result<Connection, MigrationError> {
    connection::open(path).map_err(|error| MigrationError::Unavailable(error.to_string()))
}
