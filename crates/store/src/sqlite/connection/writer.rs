//! The writer: one thread, one connection. What queues up while a commit is on its way to the disk shares the next one.
//!
//! Hardly any transition fails or thinks better of what it wrote. So those that share a commit run one after the other, with
//! nothing between them, and those that are alike at once; if one of them must leave no trace, all are undone and run again,
//! each in a savepoint of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;

use super::anchor::Anchor;
use super::generation::{Generation, RowGeneration, Touches};
use super::job::{Job, Transition, Verdict, Work};
use super::log::{LENGTHS, Log};
use super::open_writer;
use super::outside::{Looks, Outside};
use super::telling::tell;
use crate::sqlite::store_error;

/// More transitions than this wait outside; the caller's future waits, not a thread.
const QUEUE: usize = 4096;
/// A commit carries at most so many, so that the first does not wait for the last too long.
const BATCH: usize = 512;
/// Where so many shared the last commit, more are on their way, and are waited for: much that a commit writes does not depend on
/// how many share it.
const BUSY: usize = 4;
/// For so long. The system makes some fifty microseconds more of it.
const GATHERS: Duration = Duration::from_micros(50);
/// Where a commit takes so long, all who were there are waited for: whoever was just answered would come a moment too late, and
/// those who write would part into two halves that wait for each other.
const LONG: Duration = Duration::from_millis(2);
/// But for no more than this part of what the last commit took, and no longer than this: it may have waited for somebody else.
const SHARE: u32 = 4;
const LONGEST: Duration = Duration::from_millis(5);
/// Where one had to be undone there may be more: so many commits after it have savepoints from the beginning.
const WARY: u32 = 7;

/// What is asked of the thread.
pub(super) enum Errand {
    /// Shares a transaction with others.
    Shared(Box<dyn Job>),
    /// Makes its own transactions, while the others wait.
    Alone(Alone),
    /// Looks whether others have written.
    Look,
}

/// What makes its own transactions.
pub(super) type Alone = Box<dyn FnOnce(&Connection) + Send>;

/// The way in to the writer thread.
pub(in crate::sqlite) struct Writer {
    queue: mpsc::Sender<Errand>,
    generation: Generation,
    outside: Outside,
}

impl Writer {
    /// Opens the file, which it makes if it is missing, and starts the thread. It ends when the last sender is gone and
    /// the queue is empty.
    pub(in crate::sqlite) fn start(path: &Path) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let (mut connection, log) = (open_writer(path)?, Log::open(path)?);
        log.mind(&mut connection, LENGTHS)?;
        let anchor = Anchor::open(path, log)?;
        let (generation, outside) = (Generation::default(), Outside::default());
        let (moved, looked) = (generation.clone(), outside.clone());
        anchor.watch().map_err(|error| StoreError::Unavailable(error.to_string()))?;
        std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || run(&connection, &anchor, &moved, &looked, jobs))
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Self { queue, generation, outside })
    }

    /// Which rows there are, as a number; none where nobody can say, because that changes or because others may have written.
    pub(in crate::sqlite) fn generation(&self) -> Option<u64> {
        if self.is_alone() { self.generation.settled() } else { None }
    }

    /// The same for one row.
    pub(in crate::sqlite) fn generation_of(&self, row: Uuid) -> Option<RowGeneration> {
        if self.is_alone() { self.generation.of(row) } else { None }
    }

    /// Is it known of the last moment that nobody else has written? Asked first: what was found by then has moved its number.
    fn is_alone(&self) -> bool {
        self.outside.is_known(|| self.queue.try_send(Errand::Look).is_ok())
    }

    /// Runs one transition and answers when it is on disk. It may be run twice, the first time without a trace.
    pub(in crate::sqlite) fn run<T, F>(&self, work: F) -> impl Future<Output = Result<T, StoreError>> + Send
    where
        T: Send + 'static,
        F: Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.judge(Touches::Any, move |connection: &Connection| work(connection).map(Verdict::Keep))
    }

    /// The same for what has nothing to do with rows of the declared API, such as sessions.
    pub(in crate::sqlite) fn run_beside_rows<T, F>(&self, work: F) -> impl Future<Output = Result<T, StoreError>> + Send
    where
        T: Send + 'static,
        F: Fn(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.judge(Touches::Nothing, move |connection: &Connection| work(connection).map(Verdict::Keep))
    }

    /// Runs one transition that may think better of what it wrote. Whoever waits for it carries nothing of it: futures are moved.
    pub(in crate::sqlite) fn judge<W: Work>(
        &self,
        touches: Touches,
        work: W,
    ) -> impl Future<Output = Result<W::Outcome, StoreError>> + Send {
        let (job, answer) = Transition::new(touches, work);
        async move {
            let gone = || StoreError::Unavailable("the writer has ended".to_owned());
            self.queue.send(Errand::Shared(Box::new(job))).await.map_err(|_| gone())?;
            answer.await.map_err(|_| gone())?
        }
    }

    /// Runs what makes its own transactions. Those who wait meanwhile have their turn before the next one of these.
    pub(in crate::sqlite) async fn alone<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (caller, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable("the writer has ended".to_owned());
        let errand = move |connection: &Connection| {
            let outcome = catch_unwind(AssertUnwindSafe(|| work(connection)));
            if !connection.is_autocommit() {
                let _ = connection.execute_batch("ROLLBACK");
            }
            let panicked = |_| Err(StoreError::Failed("work on the tables panicked".to_owned()));
            let _ = caller.send(outcome.unwrap_or_else(panicked));
        };
        self.queue.send(Errand::Alone(Box::new(errand))).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// The last commit.
#[derive(Debug, Default, Clone, Copy)]
struct Last {
    /// So many shared it.
    shared: usize,
    /// So many came meanwhile.
    came: usize,
    took: Duration,
}

impl Last {
    /// Is one of those who were there worth waiting for, where so many are here so long after it?
    fn is_missed(self, here: usize, after: Duration) -> bool {
        self.took >= LONG && here < (self.shared + self.came).min(BATCH) && after < (self.took / SHARE).min(LONGEST)
    }
}

pub(super) fn run(
    connection: &Connection,
    anchor: &Anchor,
    generation: &Generation,
    outside: &Outside,
    mut errands: mpsc::Receiver<Errand>,
) {
    let mut batch: Vec<Box<dyn Job>> = Vec::with_capacity(BATCH);
    let mut wary = 0;
    let (mut last, mut ended) = (Last::default(), Instant::now());
    let mut looks = Looks::default();
    anchor.drop_here();
    while let Some(first) = errands.blocking_recv() {
        let mut alone = gather(&mut batch, Some(first), &mut errands);
        let mut waits = last.shared >= BUSY && !batch.is_empty();
        while alone.is_none() && waits {
            std::thread::sleep(GATHERS);
            alone = gather(&mut batch, None, &mut errands);
            waits = last.is_missed(batch.len(), ended.elapsed());
        }
        let mut is_new = !batch.is_empty();
        if is_new {
            let begun = Instant::now();
            last.shared = batch.len();
            let moving = generation.moves(batch.iter().map(|job| job.touches()));
            let committed = commit(connection, anchor, &mut batch, &mut wary).map_err(store_error);
            // Before anybody is told.
            drop(moving);
            last = Last { came: errands.len(), took: begun.elapsed(), ..last };
            ended = Instant::now();
            tell(&mut batch, &committed);
        }
        if let Some(work) = alone {
            anchor.weigh();
            let _moving = generation.moves([Touches::Any].into_iter());
            work(connection);
            is_new = true;
        }
        // Whoever only looks leaves it to those who write whether it is down.
        if is_new {
            anchor.drop_here();
        }
        if outside.is_asked() {
            outside.look(connection, &mut looks, || drop(generation.moves([Touches::Any].into_iter())));
        }
    }
}

/// All that wait and may share a commit; answers what is to be done alone after them.
fn gather(
    batch: &mut Vec<Box<dyn Job>>,
    mut first: Option<Errand>,
    errands: &mut mpsc::Receiver<Errand>,
) -> Option<Alone> {
    while batch.len() < BATCH {
        match first.take().or_else(|| errands.try_recv().ok())? {
            Errand::Shared(job) => batch.push(job),
            Errand::Alone(work) => return Some(work),
            // Is done after whatever else there is.
            Errand::Look => {}
        }
    }
    None
}

/// One transaction for all. One that fails leaves no trace and harms no other.
fn commit(
    connection: &Connection,
    anchor: &Anchor,
    batch: &mut [Box<dyn Job>],
    wary: &mut u32,
) -> rusqlite::Result<()> {
    if *wary > 0 && batch.len() > 1 {
        *wary -= 1;
    } else if together(connection, anchor, batch)? {
        return Ok(());
    } else {
        *wary = WARY;
    }
    apart(connection, anchor, batch)
}

/// All of them, with nothing in between. False if they have to be run again: then none of them left a trace.
fn together(connection: &Connection, anchor: &Anchor, batch: &mut [Box<dyn Job>]) -> rusqlite::Result<bool> {
    let is_single = batch.len() == 1;
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let mut rest = &mut *batch;
    while let Some((job, others)) = rest.split_first_mut() {
        let (is_kept, along) = job.work_along(others, connection);
        // Some errors end a transaction: what came after one would be on disk by itself.
        if !is_kept || connection.is_autocommit() {
            abandon(connection);
            // With nobody beside it, the answer is right already.
            return Ok(is_single && !is_kept);
        }
        rest = &mut others[along..];
    }
    anchor.weigh();
    let committed = connection.prepare_cached("COMMIT").and_then(|mut commit| commit.execute([]));
    abandon(connection);
    committed.map(|_| true)
}

/// A savepoint for each.
fn apart(connection: &Connection, anchor: &Anchor, batch: &mut [Box<dyn Job>]) -> rusqlite::Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let outcome = (|| {
        for job in batch.iter_mut() {
            connection.prepare_cached("SAVEPOINT transition")?.execute([])?;
            if !job.work(connection) {
                connection.prepare_cached("ROLLBACK TO transition")?.execute([])?;
            }
            connection.prepare_cached("RELEASE transition")?.execute([])?;
        }
        anchor.weigh();
        connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    })();
    abandon(connection);
    outcome
}

/// Ends a transaction that was not committed.
fn abandon(connection: &Connection) {
    if !connection.is_autocommit() {
        // The disk may be full; what matters is that the next batch can begin.
        let _ = connection.execute_batch("ROLLBACK");
    }
}

#[cfg(test)]
mod tests;
