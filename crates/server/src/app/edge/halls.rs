//! Halls: threads that each serve connections of their own, from the first byte to the last.
//!
//! A connection never moves from one of them to another, nobody has to be woken to take a share of the work, and what was used
//! for one request lies near for the next. What computes for long has no place here: whoever shares the hall would wait. It
//! goes to threads of its own, as passwords and long lists do.

use std::io;
use std::num::NonZero;
use std::sync::{Arc, mpsc};
use std::thread::{self, available_parallelism};

use tokio::runtime::{Builder, Handle};
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use super::bind::EdgeError;

/// All halls. They are open as long as a clone of this is there; whatever still runs in them ends with the last one.
#[derive(Clone)]
pub struct Halls(Arc<[Hall]>);

struct Hall {
    runtime: Handle,
    /// Each connection that is served here has a clone.
    seat: Arc<()>,
    _open: DropGuard,
}

impl Halls {
    /// One for each core.
    pub fn open() -> Result<Self, EdgeError> {
        Self::of(available_parallelism().map_or(1, NonZero::get)).map_err(EdgeError::Halls)
    }

    fn of(count: usize) -> io::Result<Self> {
        (0..count).map(Hall::open).collect::<io::Result<Vec<_>>>().map(|halls| Self(halls.into()))
    }

    /// Serves a connection in the hall that has the fewest.
    pub(super) fn host(&self, tracker: &TaskTracker, visit: impl Future<Output = ()> + Send + 'static) {
        let Some(hall) = self.0.iter().min_by_key(|hall| Arc::strong_count(&hall.seat)) else { return };
        let seat = hall.seat.clone();
        let seated = async move {
            visit.await;
            drop(seat);
        };
        tracker.spawn_on(seated, &hall.runtime);
    }
}

impl Hall {
    fn open(number: usize) -> io::Result<Self> {
        let closed = CancellationToken::new();
        let (told, opened) = mpsc::sync_channel(1);
        let until = closed.clone();
        // The runtime is made where it ends: dropped anywhere else, it might be dropped where nobody may wait.
        let life = move || match Builder::new_current_thread().enable_all().build() {
            Err(error) => drop(told.send(Err(error))),
            Ok(runtime) => {
                drop(told.send(Ok(runtime.handle().clone())));
                runtime.block_on(until.cancelled());
            }
        };
        thread::Builder::new().name(format!("hall-{number}")).spawn(life)?;
        let runtime = opened.recv().map_err(io::Error::other)??;
        Ok(Self { runtime, seat: Arc::default(), _open: closed.drop_guard() })
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    /// A connection that is served in one of the halls until it is told to go; says in which.
    struct Visit {
        hall: String,
        leave: oneshot::Sender<()>,
    }

    async fn visit(halls: &Halls, tracker: &TaskTracker) -> Visit {
        let (told, hall) = oneshot::channel();
        let (leave, left) = oneshot::channel();
        halls.host(tracker, async move {
            told.send(thread::current().name().unwrap_or_default().to_owned()).unwrap();
            let _ = left.await;
        });
        Visit { hall: hall.await.unwrap(), leave }
    }

    #[tokio::test]
    async fn a_connection_is_served_where_the_fewest_are() {
        let (halls, tracker) = (Halls::of(2).unwrap(), TaskTracker::new());
        let [first, second, _third] =
            [visit(&halls, &tracker).await, visit(&halls, &tracker).await, visit(&halls, &tracker).await];
        assert_ne!(first.hall, second.hall);
        let fourth = visit(&halls, &tracker).await;
        assert_eq!(fourth.hall, second.hall);

        // Two are in each. Whoever leaves makes room for the next.
        for leaving in [second, fourth] {
            let hall = leaving.hall.clone();
            let before = tracker.len();
            leaving.leave.send(()).unwrap();
            while tracker.len() == before {
                tokio::task::yield_now().await;
            }
            assert_eq!(visit(&halls, &tracker).await.hall, hall);
        }
    }

    #[tokio::test]
    async fn what_is_still_served_ends_with_the_halls() {
        let (halls, tracker) = (Halls::of(1).unwrap(), TaskTracker::new());
        let mut staying = visit(&halls, &tracker).await;
        let other = halls.clone();
        drop(halls);
        assert!(!staying.leave.is_closed());

        drop(other);

        staying.leave.closed().await;
    }
}
