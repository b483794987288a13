//! Readers: a few connections beside the writer. A point read takes microseconds, so it runs where it is asked for; what
//! may take longer runs there too, and is ended when it has taken its share.

use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::available_parallelism;

use rusqlite::{Connection, ErrorCode};
use valetkey_oauth::ports::StoreError;

use super::open_reader;
use crate::sqlite::store_error;

/// SQLite asks after so many steps of its machine whether to go on.
const STRIDE: i32 = 1_000;

/// How much a read may cost, in thousands of steps. Steps and not time: a machine that is busy with other things must not
/// change what is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sqlite) struct Budget(pub(in crate::sqlite) i64);

/// A handful of read connections, handed out in turn.
pub(in crate::sqlite) struct Readers {
    connections: Vec<Mutex<Reader>>,
    next: AtomicUsize,
}

struct Reader {
    connection: Connection,
    /// What the read that is under way has left.
    left: Arc<AtomicI64>,
}

impl Reader {
    fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = open_reader(path)?;
        let left = Arc::new(AtomicI64::new(i64::MAX));
        let counter = left.clone();
        let is_spent = move || counter.fetch_sub(1, Ordering::Relaxed) <= 0;
        connection.progress_handler(STRIDE, Some(is_spent)).map_err(store_error)?;
        Ok(Self { connection, left })
    }
}

impl Readers {
    pub(in crate::sqlite) fn open(path: &Path) -> Result<Self, StoreError> {
        let count = available_parallelism().map_or(2, |cores| cores.get().clamp(2, 8));
        let connections = (0..count).map(|_| Reader::open(path).map(Mutex::new)).collect::<Result<_, _>>()?;
        Ok(Self { connections, next: AtomicUsize::new(0) })
    }

    /// Reads on the first connection that is free.
    pub(in crate::sqlite) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let reader = self.any();
        reader.left.store(i64::MAX, Ordering::Relaxed);
        work(&reader.connection)
    }

    /// Reads no further than the budget allows; `None` if that was not far enough.
    pub(in crate::sqlite) fn read_within<T>(
        &self,
        budget: Budget,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, StoreError> {
        let reader = self.any();
        reader.left.store(budget.0, Ordering::Relaxed);
        let outcome = work(&reader.connection);
        reader.left.store(i64::MAX, Ordering::Relaxed);
        match outcome {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => Ok(None),
            Err(error) => Err(store_error(error)),
        }
    }

    fn any(&self) -> MutexGuard<'_, Reader> {
        let start = self.next.fetch_add(1, Ordering::Relaxed) % self.connections.len();
        for turn in 0..self.connections.len() {
            match self.connections[(start + turn) % self.connections.len()].try_lock() {
                Ok(connection) => return connection,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        self.connections[start].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
