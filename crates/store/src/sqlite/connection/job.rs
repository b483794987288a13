//! What goes through the writer: some work, and whoever waits for its outcome.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rusqlite::Connection;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use valetkey_oauth::ports::StoreError;

use super::generation::Touches;

/// What a transition wants to become of what it wrote.
pub(in crate::sqlite) enum Verdict<T> {
    /// It stays.
    Keep(T),
    /// It leaves no trace but its answer.
    Undo(T),
}

/// What a transition does. May be asked again if what it wrote was undone.
pub(in crate::sqlite) trait Work: Send + Sized + 'static {
    /// What it comes to.
    type Outcome: Send + 'static;

    /// Does it by itself.
    fn alone(&self, connection: &Connection) -> Result<Verdict<Self::Outcome>, StoreError>;

    /// Can it be done at once with what comes after it?
    fn goes_with(&self, _next: &Self) -> bool {
        false
    }

    /// Does all of these at once, as if in their order, and keeps what they wrote: an outcome for each. None if they are to be
    /// done one at a time, and what was written is to be undone before.
    fn at_once(_all: &[&Self], _connection: &Connection) -> Result<Option<Vec<Self::Outcome>>, StoreError> {
        Ok(None)
    }
}

impl<T, F> Work for F
where
    T: Send + 'static,
    F: Fn(&Connection) -> Result<Verdict<T>, StoreError> + Send + 'static,
{
    type Outcome = T;

    fn alone(&self, connection: &Connection) -> Result<Verdict<T>, StoreError> {
        self(connection)
    }
}

/// A transition on its way through the writer.
pub(super) trait Job: Any + Send {
    /// Does the work; answers whether to keep it. May be asked again if what it wrote was undone.
    fn work(&mut self, connection: &Connection) -> bool;

    /// The same at once with those of the next ones that it goes with; answers how many those are.
    fn work_along(&mut self, _next: &mut [Box<dyn Job>], connection: &Connection) -> (bool, usize) {
        (self.work(connection), 0)
    }

    /// What may it change of the rows of the declared API?
    fn touches(&self) -> Touches;

    /// Where the caller waits, if that is known.
    fn home(&self) -> Option<&Handle>;

    /// Tells the caller, once the commit is on disk or has failed.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

/// Some work, and the way back to whoever waits.
pub(super) struct Transition<W: Work> {
    work: W,
    touches: Touches,
    home: Option<Handle>,
    outcome: Option<Result<W::Outcome, StoreError>>,
    caller: oneshot::Sender<Result<W::Outcome, StoreError>>,
}

/// Where its outcome will be.
type Answer<T> = oneshot::Receiver<Result<T, StoreError>>;

impl<W: Work> Transition<W> {
    pub(super) fn new(touches: Touches, work: W) -> (Self, Answer<W::Outcome>) {
        let (caller, answer) = oneshot::channel();
        (Self { work, touches, home: Handle::try_current().ok(), outcome: None, caller }, answer)
    }
}

impl<W: Work> Job for Transition<W> {
    fn work(&mut self, connection: &Connection) -> bool {
        let (is_kept, outcome) = match guarded(|| self.work.alone(connection)) {
            Ok(Verdict::Keep(outcome)) => (true, Ok(outcome)),
            Ok(Verdict::Undo(outcome)) => (false, Ok(outcome)),
            Err(error) => (false, Err(error)),
        };
        self.outcome = Some(outcome);
        is_kept
    }

    fn work_along(&mut self, next: &mut [Box<dyn Job>], connection: &Connection) -> (bool, usize) {
        let along: Vec<&mut Self> = next
            .iter_mut()
            .map(|job| -> &mut dyn Any { &mut **job })
            .map_while(|job| job.downcast_mut::<Self>().filter(|job| self.work.goes_with(&job.work)))
            .collect();
        if along.is_empty() {
            return (self.work(connection), 0);
        }
        let all: Vec<&W> = [&self.work].into_iter().chain(along.iter().map(|job| &job.work)).collect();
        let outcomes = guarded(|| W::at_once(&all, connection)).unwrap_or_else(|error| {
            // Each one by itself finds out what went wrong, if it does so again.
            tracing::debug!(%error, count = all.len(), "what goes together is done one by one");
            None
        });
        let Some(outcomes) = outcomes.filter(|outcomes| outcomes.len() == all.len()) else { return (false, 0) };
        let count = along.len();
        for (job, outcome) in [self].into_iter().chain(along).zip(outcomes) {
            job.outcome = Some(Ok(outcome));
        }
        (true, count)
    }

    fn touches(&self) -> Touches {
        self.touches
    }

    fn home(&self) -> Option<&Handle> {
        self.home.as_ref()
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

/// A panic in one transition must not end the thread that all others need.
fn guarded<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(StoreError::Failed("a transition panicked".to_owned())))
}

#[cfg(test)]
mod tests;
