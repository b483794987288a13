//! The writer: one thread, one connection. What queues up while a commit is on its way to the disk shares the next one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};
use valetkey_oauth::ports::StoreError;

use crate::sqlite::store_error;

/// More transitions than this wait outside; the caller's future waits, not a thread.
const QUEUE: usize = 4096;
/// A commit carries at most so many, so that the first does not wait for the last too long.
const BATCH: usize = 512;

/// A transition on its way through the writer.
trait Job: Send {
    /// Does the work inside its savepoint; answers whether to keep it.
    fn work(&mut self, connection: &Connection) -> bool;
    /// Tells the caller, once the commit is on disk or has failed.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

/// What a transition wants to become of what it wrote.
pub(in crate::sqlite) enum Verdict<T> {
    /// It stays.
    Keep(T),
    /// It leaves no trace but its answer.
    Undo(T),
}

struct Transition<T, F> {
    work: Option<F>,
    outcome: Option<Result<T, StoreError>>,
    caller: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Job for Transition<T, F>
where
    T: Send,
    F: FnOnce(&Connection) -> Result<Verdict<T>, StoreError> + Send,
{
    fn work(&mut self, connection: &Connection) -> bool {
        let Some(work) = self.work.take() else { return false };
        // A panic in one transition must not end the thread that all others need.
        let outcome = catch_unwind(AssertUnwindSafe(|| work(connection)))
            .unwrap_or_else(|_| Err(StoreError::Failed("a transition panicked".to_owned())));
        let (keep, outcome) = match outcome {
            Ok(Verdict::Keep(outcome)) => (true, Ok(outcome)),
            Ok(Verdict::Undo(outcome)) => (false, Ok(outcome)),
            Err(error) => (false, Err(error)),
        };
        self.outcome = Some(outcome);
        keep
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let never = || Err(StoreError::Failed("the transition never ran".to_owned()));
        let outcome = match committed {
            Ok(()) => self.outcome.unwrap_or_else(never),
            Err(error) => Err(error),
        };
        // A caller that went away does not undo what was committed.
        let _ = self.caller.send(outcome);
    }
}

/// What is asked of the thread.
enum Errand {
    /// Shares a transaction with others.
    Shared(Box<dyn Job>),
    /// Makes its own transactions, while the others wait.
    Alone(Box<dyn FnOnce(&Connection) + Send>),
}

/// The way in to the writer thread.
pub(in crate::sqlite) struct Writer {
    queue: mpsc::Sender<Errand>,
}

impl Writer {
    /// Starts the thread. It ends when the last sender is gone and the queue is empty.
    pub(in crate::sqlite) fn start(connection: Connection) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        std::thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || run(&connection, jobs))
            .map_err(|error| StoreError::Unavailable(error.to_string()))?;
        Ok(Self { queue })
    }

    /// Runs one transition and answers when it is on disk.
    pub(in crate::sqlite) async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        self.judge(move |connection| work(connection).map(Verdict::Keep)).await
    }

    /// Runs one transition that may think better of what it wrote.
    pub(in crate::sqlite) async fn judge<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<Verdict<T>, StoreError> + Send + 'static,
    {
        let (caller, answer) = oneshot::channel();
        let gone = || StoreError::Unavailable("the writer has ended".to_owned());
        let job = Box::new(Transition { work: Some(work), outcome: None, caller });
        self.queue.send(Errand::Shared(job)).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
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

fn run(connection: &Connection, mut errands: mpsc::Receiver<Errand>) {
    let mut batch: Vec<Box<dyn Job>> = Vec::with_capacity(BATCH);
    while let Some(first) = errands.blocking_recv() {
        let mut next = Some(first);
        let mut alone = None;
        while let Some(errand) = next {
            match errand {
                Errand::Shared(job) => batch.push(job),
                Errand::Alone(work) => {
                    alone = Some(work);
                    break;
                }
            }
            next = if batch.len() < BATCH { errands.try_recv().ok() } else { None };
        }
        if !batch.is_empty() {
            let committed = commit(connection, &mut batch).map_err(store_error);
            for job in batch.drain(..) {
                job.answer(committed.clone());
            }
        }
        if let Some(work) = alone {
            work(connection);
        }
    }
}

/// One transaction for all, a savepoint for each: one that fails leaves no trace and harms no other.
fn commit(connection: &Connection, batch: &mut [Box<dyn Job>]) -> rusqlite::Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let outcome = (|| {
        for job in batch.iter_mut() {
            connection.prepare_cached("SAVEPOINT transition")?.execute([])?;
            if !job.work(connection) {
                connection.prepare_cached("ROLLBACK TO transition")?.execute([])?;
            }
            connection.prepare_cached("RELEASE transition")?.execute([])?;
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    })();
    if outcome.is_err() && !connection.is_autocommit() {
        // The disk may be full; what matters is that the next batch can begin.
        let _ = connection.execute_batch("ROLLBACK");
    }
    outcome
}
