//! Readers: a few connections beside the writer. A point read takes microseconds, so it runs where it is asked for. What
//! may take longer has connections of its own, waits for its turn, and is ended when it has taken its share.

use std::cell::Cell;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{LocalKey, available_parallelism};
use std::time::{Duration, Instant};

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::{Connection, ErrorCode};
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use valetkey_oauth::ports::StoreError;

use super::open_reader;
use crate::sqlite::store_error;
use crate::statement::{HAS_WORDS, has_all};

/// SQLite asks after so many steps of its machine whether to go on.
const STRIDE: i32 = 250;

/// Where pages have to come from a slow disk, little is computed and much is waited for: no read that is limited takes
/// longer than this.
const LONGEST: Duration = Duration::from_secs(1);

/// A brief read, which others wait for, takes no longer than so many times its budget, unless that is less than [`SHORT`].
const PATIENCE: u32 = 8;
const SHORT: Duration = Duration::from_millis(25);

/// What took no longer than this is charged by the clock on the wall, which is at hand. The system has to be asked for the
/// other one.
const BRIEF: Duration = Duration::from_micros(100);

/// No read works for so long beyond its budget before SQLite asks whether to go on. If the clock says that one did, then the
/// machine stood still, and it was the machine below this one that worked on something else.
const STANDSTILL: Duration = Duration::from_millis(500);

/// How much a read may cost: time on a processor. Not time on the clock: a machine that is busy with other things must not
/// change what is answered. And not steps of SQLite's machine: one that looks into a search takes as long as a thousand
/// others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::sqlite) struct Budget(pub(in crate::sqlite) Duration);

impl Budget {
    pub(in crate::sqlite) const fn micros(micros: u64) -> Self {
        Self(Duration::from_micros(micros))
    }
}

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

/// So many connections do what takes longer than a moment; whoever wants to do more of it waits.
fn slow_ones(cores: usize) -> usize {
    cores.saturating_sub(1).clamp(1, 4)
}

/// Read connections. Most are for what is done in a moment; the others keep what takes longer out of their way.
pub(in crate::sqlite) struct Readers {
    quick: Vec<Mutex<Reader>>,
    slow: Arc<[Mutex<Reader>]>,
    turns: Arc<Semaphore>,
    /// For those who are about to write: where many do, there is a commit before each of their reads.
    unmapped: Vec<Mutex<Reader>>,
}

struct Reader {
    connection: Connection,
    limit: Arc<Limit>,
    born: Instant,
}

/// When the read that is under way is ended.
struct Limit {
    /// When the thread that reads has used so many nanoseconds of a processor.
    used: AtomicU64,
    /// Not before this age of the reader, in nanoseconds: no thread is on a processor for longer than time passes.
    earliest: AtomicU64,
    /// At this age in any case.
    latest: AtomicU64,
}

impl Limit {
    const NONE: u64 = u64::MAX;

    fn lift(&self) {
        self.earliest.store(Self::NONE, Ordering::Relaxed);
    }

    fn is_over(&self, born: Instant) -> bool {
        let earliest = self.earliest.load(Ordering::Relaxed);
        if earliest == Self::NONE {
            return false;
        }
        let age = age(born);
        age >= earliest
            && (age > self.latest.load(Ordering::Relaxed) || used_here() >= self.used.load(Ordering::Relaxed))
    }
}

impl Reader {
    fn open(path: &Path, is_mapped: bool) -> Result<Self, StoreError> {
        let mut connection = open_reader(path, is_mapped)?;
        let [used, earliest, latest] = [(); 3].map(|()| AtomicU64::new(Limit::NONE));
        let limit = Arc::new(Limit { used, earliest, latest });
        let (here, born) = (limit.clone(), Instant::now());
        let is_over = move || here.is_over(born);
        let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_DIRECTONLY;
        let looks = |call: &Context<'_>| {
            let text = |place: usize| call.get_raw(place).as_str();
            Ok(has_all(text(0)?, text(1)?, text(2)?))
        };
        connection.create_scalar_function(HAS_WORDS, 3, flags, looks).map_err(store_error)?;
        connection.progress_handler(STRIDE, Some(is_over)).map_err(store_error)?;
        Ok(Self { connection, limit, born })
    }
}

/// A reader whose reads are limited: all of them together cost no more than what is left.
pub(in crate::sqlite) struct Steps<'a> {
    reader: &'a Reader,
    left: Cell<Duration>,
    until: u64,
    delay: Cell<Option<Delay>>,
}

/// Why a read may have ended that says nothing about what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Delay {
    /// Time passed in which it did nothing.
    Waited,
    /// It took far more than SQLite would have let it.
    StoodStill,
}

impl Steps<'_> {
    /// What all reads that are still to come may cost.
    pub(in crate::sqlite) fn left(&self) -> Budget {
        Budget(self.left.get())
    }

    /// Was a read held up? The first time counts: what came after it had to end.
    fn delay(&self) -> Option<Delay> {
        self.delay.get()
    }

    fn note(&self, delay: Delay) {
        self.delay.set(self.delay.get().or(Some(delay)));
    }

    /// Reads no further than the budget allows; `None` if that was not far enough.
    pub(in crate::sqlite) fn within<T>(
        &self,
        budget: Budget,
        work: impl FnOnce(&Connection) -> Result<T, Halt>,
    ) -> Result<Option<T>, StoreError> {
        let Self { reader, left, until, .. } = self;
        let share = budget.0.min(left.get());
        let (begun, used) = (age(reader.born), used_here());
        if share.is_zero() {
            return Ok(None);
        }
        if begun > *until {
            self.note(Delay::Waited);
            return Ok(None);
        }
        reader.limit.used.store(used + nanos(share), Ordering::Relaxed);
        reader.limit.latest.store(*until, Ordering::Relaxed);
        // Last: what stands before it counts only from here on.
        reader.limit.earliest.store((begun + nanos(share)).min(*until), Ordering::Relaxed);
        let outcome = work(&reader.connection);
        reader.limit.lift();
        let passed = Duration::from_nanos(age(reader.born) - begun);
        let spent = if passed <= BRIEF { passed } else { Duration::from_nanos(used_here() - used) };
        left.set(left.get().saturating_sub(spent));
        if spent > share + STANDSTILL {
            self.note(Delay::StoodStill);
        }
        match outcome {
            Ok(found) => Ok(Some(found)),
            Err(Halt::Sqlite(error)) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
                if spent < share {
                    self.note(Delay::Waited);
                }
                Ok(None)
            }
            Err(Halt::Sqlite(error)) => Err(store_error(error)),
            Err(Halt::Store(error)) => Err(error),
        }
    }
}

/// How long this thread has been on a processor, in nanoseconds.
fn used_here() -> u64 {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    nanos(Duration::try_from(used).unwrap_or_default())
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// In nanoseconds.
fn age(born: Instant) -> u64 {
    nanos(born.elapsed())
}

impl Readers {
    pub(in crate::sqlite) fn open(path: &Path) -> Result<Self, StoreError> {
        let cores = available_parallelism().map_or(2, NonZero::get);
        let open = |count: usize, is_mapped: bool| {
            (0..count).map(|_| Reader::open(path, is_mapped).map(Mutex::new)).collect::<Result<Vec<_>, _>>()
        };
        // What takes longer often meets pages that nobody has read for a while. Mapped, each of them brings its whole
        // neighbourhood along, and the time for that counts against the read.
        let slow = open(slow_ones(cores), false)?;
        let turns = Arc::new(Semaphore::new(slow.len()));
        let (quick, unmapped) = (open(cores.clamp(2, 8), true)?, open(cores.clamp(1, 4), false)?);
        Ok(Self { quick, slow: slow.into(), turns, unmapped })
    }

    /// Reads on a connection that is free.
    pub(in crate::sqlite) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        work(&own(&self.quick, &QUICK).connection)
    }

    /// The same for whoever is about to write.
    pub(in crate::sqlite) fn read_before_write<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        work(&own(&self.unmapped, &UNMAPPED).connection)
    }

    /// Reads in several steps on one connection, all of them within this budget, and in one state of the database. It runs
    /// where it is asked for, so the budget must be a small one.
    pub(in crate::sqlite) fn read_briefly<T>(
        &self,
        budget: Budget,
        work: impl FnOnce(&Steps<'_>) -> Result<T, StoreError>,
    ) -> Result<(T, Duration), StoreError> {
        let longest = (budget.0 * PATIENCE).clamp(SHORT, LONGEST);
        in_steps(&own(&self.quick, &QUICK), budget, longest, work)
    }

    /// The same for what takes longer: a few at a time, and on threads where nobody else waits. It goes on to its end if
    /// nobody wants to know any more.
    pub(in crate::sqlite) async fn read_at_length<T: Send + 'static>(
        &self,
        budget: Budget,
        work: impl FnOnce(&Steps<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<(T, Duration), StoreError> {
        let closed = |_| StoreError::Unavailable("the readers have ended".to_owned());
        let turn = self.turns.clone().acquire_owned().await.map_err(closed)?;
        let slow = self.slow.clone();
        let read = spawn_blocking(move || {
            let outcome = in_steps(&free(&slow, 0).0, budget, LONGEST, work);
            drop(turn);
            outcome
        });
        read.await.unwrap_or_else(|ended| match ended.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Err(StoreError::Unavailable("the server is ending".to_owned())),
        })
    }

    /// The same for what ends with nothing if it would cost too much. Whether it would is not known where it was held up: then it
    /// is begun once more. If it waits again, it may be later; and what takes too long again is what it seems to be.
    pub(in crate::sqlite) async fn find_at_length<T: Send + 'static>(
        &self,
        budget: Budget,
        work: impl Fn(&Steps<'_>) -> Result<Option<T>, StoreError> + Send + Sync + 'static,
    ) -> Result<Option<T>, StoreError> {
        let work = Arc::new(work);
        let read = || {
            let work = work.clone();
            self.read_at_length(budget, move |steps| Ok((work(steps)?, steps.delay())))
        };
        let ((found, delay), _) = read().await?;
        if found.is_some() || delay.is_none() {
            return Ok(found);
        }
        let ((found, delay), _) = read().await?;
        if found.is_none() && delay == Some(Delay::Waited) {
            return Err(StoreError::Unavailable("a read waits for the disk, or for the machine".to_owned()));
        }
        Ok(found)
    }
}

/// One state of the database, as long as this lives.
struct Snapshot<'a>(&'a Connection);

impl<'a> Snapshot<'a> {
    fn begin(connection: &'a Connection) -> rusqlite::Result<Self> {
        connection.prepare_cached("BEGIN")?.execute([])?;
        Ok(Self(connection))
    }
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        let ended = self.0.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
        if ended.is_err() && !self.0.is_autocommit() {
            let _ = self.0.execute_batch("ROLLBACK");
        }
    }
}

/// What was read, and what is left of the budget.
fn in_steps<T>(
    reader: &Reader,
    budget: Budget,
    longest: Duration,
    work: impl FnOnce(&Steps<'_>) -> Result<T, StoreError>,
) -> Result<(T, Duration), StoreError> {
    let _snapshot = Snapshot::begin(&reader.connection).map_err(store_error)?;
    let until = age(reader.born) + nanos(longest);
    let steps = Steps { reader, left: Cell::new(budget.0), until, delay: Cell::new(None) };
    let outcome = work(&steps)?;
    Ok((outcome, steps.left.get()))
}

thread_local! {
    /// Which of the quick ones this thread read with the last time.
    static QUICK: Cell<usize> = const { Cell::new(0) };
    /// The same for those that are not mapped.
    static UNMAPPED: Cell<usize> = const { Cell::new(0) };
}

/// The connection that this thread read with before, or another one that is free, which is its own from now on. So threads
/// part when they meet, and what a connection knows lies near the processor that asks.
fn own<'r>(readers: &'r [Mutex<Reader>], before: &'static LocalKey<Cell<usize>>) -> MutexGuard<'r, Reader> {
    let (reader, place) = free(readers, before.get());
    before.set(place);
    reader
}

/// The first connection from there on that is free, and its place.
fn free(readers: &[Mutex<Reader>], start: usize) -> (MutexGuard<'_, Reader>, usize) {
    let start = start % readers.len();
    for turn in 0..readers.len() {
        let place = (start + turn) % readers.len();
        match readers[place].try_lock() {
            Ok(connection) => return (connection, place),
            Err(TryLockError::Poisoned(poisoned)) => return (poisoned.into_inner(), place),
            Err(TryLockError::WouldBlock) => {}
        }
    }
    (readers[start].lock().unwrap_or_else(PoisonError::into_inner), start)
}

#[cfg(test)]
mod tests;
