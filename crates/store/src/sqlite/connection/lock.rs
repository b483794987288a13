//! One server per file. Commands of an operator do not take this lock: they may run beside it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Held as long as this process serves the file. The system releases it if the process dies in any way.
#[derive(Debug)]
pub struct FileLock {
    _files: Vec<File>,
}

/// Why the lock was not to be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another server has it.
    #[error(
        "another valetkey (process {holder}) is serving {path}. Stop it, or give this one its own folder with --data"
    )]
    Held {
        /// The database.
        path: PathBuf,
        /// Which process, as far as known.
        holder: String,
    },
    /// The lock file could not be made.
    #[error("cannot lock {path}: {error}")]
    Io {
        /// The database.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

impl FileLock {
    /// Is a server serving this database?
    pub(in crate::sqlite) fn is_held(database: &Path) -> bool {
        is_taken(&beside(database)) || is_taken(&as_before(database))
    }

    /// Takes the lock of a database, or says who has it.
    pub fn acquire(database: &Path) -> Result<Self, LockError> {
        let mut files = vec![take(database, &beside(database))?];
        // The name of a file without an ending is the same as before.
        if beside(database) != as_before(database) {
            files.push(take_as_before(database)?);
        }
        Ok(Self { _files: files })
    }
}

fn take(database: &Path, lock: &Path) -> Result<File, LockError> {
    let failed = |error| LockError::Io { path: database.to_owned(), error };
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(lock).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(held(database, &mut file)),
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).map_err(failed)?;
    writeln!(file, "{}", std::process::id()).map_err(failed)?;
    Ok(file)
}

/// One lock for a file, by whatever links it is reached.
fn beside(database: &Path) -> PathBuf {
    let mut name = found(database).into_os_string();
    name.push(".lock");
    name.into()
}

fn found(database: &Path) -> PathBuf {
    database.canonicalize().unwrap_or_else(|_| database.to_owned())
}

/// What older binaries lock: a name that `a.db` and `a.sqlite` have in common. Needed for one release, until none is left.
fn as_before(database: &Path) -> PathBuf {
    found(database).with_extension("lock")
}

fn is_taken(lock: &Path) -> bool {
    File::open(lock).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Keeps older binaries out, and nobody else: they want this lock for themselves alone.
fn take_as_before(database: &Path) -> Result<File, LockError> {
    let failed = |error| LockError::Io { path: database.to_owned(), error };
    let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(as_before(database));
    let mut file = open.map_err(failed)?;
    match file.try_lock_shared() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(held(database, &mut file)),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

fn held(database: &Path, file: &mut File) -> LockError {
    let mut holder = String::new();
    let _ = file.read_to_string(&mut holder);
    let holder = if holder.trim().is_empty() { "unknown".to_owned() } else { holder.trim().to_owned() };
    LockError::Held { path: database.to_owned(), holder }
}
