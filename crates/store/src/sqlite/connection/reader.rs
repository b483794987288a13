//! Readers: a few connections beside the writer. A point read takes microseconds, so it runs where it is asked for; what
//! may take longer runs there too, and is ended when it has taken its share.

use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::available_parallelism;
use std::time::Instant;

use rusqlite::{Connection, ErrorCode};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;
use valetkey_oauth::ports::StoreError;

use super::open_reader;
use crate::sqlite::store_error;

/// SQLite asks after so many steps of its machine whether to go on.
const STRIDE: i32 = 1_000;

/// Where pages have to come from a slow disk, a step takes long: no read within a budget takes more milliseconds than this.
const LONGEST: u64 = 400;
/// And all of them together no more than this.
const LONGEST_IN_ALL: u64 = 1_000;

/// How much a read may cost, in thousands of steps. Steps and not time: a machine that is busy with other things must not
/// change what is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::sqlite) struct Budget(pub(in crate::sqlite) i64);

/// Why a read ended before it was done.
pub(in crate::sqlite) enum Halt {
    /// SQLite said so; perhaps because the budget was spent.
    Sqlite(rusqlite::Error),
    /// Something else is wrong.
    Store(StoreError),
}

impl From<rusqlite::Error> for Halt {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A read within this budget is done sooner than anyone would wait for.
const BRIEF: Budget = Budget(100);

/// A handful of read connections, handed out in turn.
pub(in crate::sqlite) struct Readers {
    connections: Vec<Mutex<Reader>>,
    next: AtomicUsize,
}

struct Reader {
    connection: Connection,
    /// What the read that is under way has left.
    left: Arc<AtomicI64>,
    born: Instant,
    /// The age at which it is ended in any case.
    until: Arc<AtomicU64>,
}

impl Reader {
    fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = open_reader(path)?;
        let (left, born) = (Arc::new(AtomicI64::new(i64::MAX)), Instant::now());
        let until = Arc::new(AtomicU64::new(u64::MAX));
        let (counter, deadline) = (left.clone(), until.clone());
        let is_over =
            move || counter.fetch_sub(1, Ordering::Relaxed) <= 0 || age(born) > deadline.load(Ordering::Relaxed);
        connection.progress_handler(STRIDE, Some(is_over)).map_err(store_error)?;
        Ok(Self { connection, left, born, until })
    }
}

/// A reader that counts what it does.
pub(in crate::sqlite) struct Steps<'a> {
    reader: &'a Reader,
    until: u64,
}

impl Steps<'_> {
    /// Reads no further than the budget allows; `None` if that was not far enough.
    pub(in crate::sqlite) fn within<T>(
        &self,
        budget: Budget,
        work: impl FnOnce(&Connection) -> Result<T, Halt>,
    ) -> Result<Option<T>, StoreError> {
        let Self { reader, until } = self;
        reader.left.store(budget.0, Ordering::Relaxed);
        reader.until.store((age(reader.born) + LONGEST).min(*until), Ordering::Relaxed);
        match aside(budget, || work(&reader.connection)) {
            Ok(found) => Ok(Some(found)),
            Err(Halt::Sqlite(error)) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => Ok(None),
            Err(Halt::Sqlite(error)) => Err(store_error(error)),
            Err(Halt::Store(error)) => Err(error),
        }
    }
}

/// What may take a while lets another thread see to the tasks that wait for this one.
fn aside<T>(budget: Budget, work: impl FnOnce() -> T) -> T {
    let is_shared = || Handle::try_current().is_ok_and(|here| here.runtime_flavor() == RuntimeFlavor::MultiThread);
    if budget > BRIEF && is_shared() { block_in_place(work) } else { work() }
}

fn age(born: Instant) -> u64 {
    u64::try_from(born.elapsed().as_millis()).unwrap_or(u64::MAX)
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

    /// Reads in several steps on one connection, each within a budget of its own, all in one state of the database.
    pub(in crate::sqlite) fn read_in_steps<T>(
        &self,
        work: impl FnOnce(&Steps<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let reader = self.any();
        let _snapshot = reader.connection.unchecked_transaction().map_err(store_error)?;
        let outcome = work(&Steps { reader: &reader, until: age(reader.born) + LONGEST_IN_ALL });
        reader.left.store(i64::MAX, Ordering::Relaxed);
        reader.until.store(u64::MAX, Ordering::Relaxed);
        outcome
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
