//! Edits that take long: they are not done twice on the same row, and where they can be, not where others wait.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::ports::{Edit, Editing, Stored};

/// What takes longer than this is worth remembering, and not worth waiting for with others.
pub(crate) const LONG: Duration = Duration::from_millis(1);

/// So many large rows are edited at a time, however many cores there are.
const MOST: usize = 4;

/// Bytes of a row whose edit takes long, whatever it is.
pub(crate) const LARGE: usize = 64 * 1024;

/// The same edit. What it came to on a row is remembered where it took long.
pub(crate) fn remembering(edit: Edit) -> Edit {
    let last = Mutex::new(None);
    Arc::new(move |row: &Stored| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, outcome)) = &*last
            && known == row
        {
            return Clone::clone(outcome);
        }
        let begun = Instant::now();
        let outcome = edit(row);
        if begun.elapsed() > LONG {
            *last = Some((row.clone(), outcome.clone()));
        }
        outcome
    })
}

/// An edit that was done.
pub(crate) struct Done {
    pub(crate) row: Stored,
    pub(crate) outcome: Editing,
    pub(crate) is_long: bool,
}

/// Does an edit here and now.
pub(crate) fn done(edit: &Edit, row: Stored) -> Done {
    let begun = Instant::now();
    let outcome = edit(&row);
    Done { row, outcome, is_long: begun.elapsed() > LONG }
}

/// Where edits of large rows are done, apart from threads on which others wait. One for each core at a time, and a few at most: an edit
/// takes many times the room of its row, and on PostgreSQL a connection.
pub(crate) struct Apart(Arc<Semaphore>);

impl Default for Apart {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(available_parallelism().map_or(1, NonZero::get).min(MOST))))
    }
}

impl Apart {
    /// Waits for a seat.
    pub(crate) async fn seat(&self) -> Result<Seat, StoreError> {
        let seat = self.0.clone().acquire_owned().await;
        seat.map(|seat| Seat(Arc::new(seat))).map_err(|_| StoreError::Unavailable("edits have ended".to_owned()))
    }
}

/// A seat for one edit, as long as this is kept.
pub(crate) struct Seat(Arc<OwnedSemaphorePermit>);

impl Seat {
    /// Does work there. It goes on to its end if nobody wants to know any more.
    pub(crate) async fn done<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let seat = self.0.clone();
        let working = spawn_blocking(move || {
            let done = work();
            drop(seat);
            done
        });
        working.await.map_err(|ended| match ended.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => StoreError::Unavailable("the server is ending".to_owned()),
        })
    }
}
