//! Halls: threads that each serve connections of their own, from the first byte to the last.
//!
//! A connection never moves from one core to another, nobody has to be woken to take a share of the work, and what was used
//! for one request lies near for the next. What computes for long has no place here: whoever shares the hall would wait. It
//! goes to threads of its own, as passwords and long lists do.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::{self, available_parallelism};

use tokio::net::TcpStream;
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
    pub(super) fn host<F>(
        &self,
        tracker: &TaskTracker,
        (stream, peer): (std::net::TcpStream, SocketAddr),
        receive: impl FnOnce(TcpStream, SocketAddr) -> F + Send + 'static,
    ) where
        F: Future<Output = ()> + Send,
    {
        let Some(hall) = self.0.iter().min_by_key(|hall| Arc::strong_count(&hall.seat)) else { return };
        let seat = hall.seat.clone();
        let visit = async move {
            // Here and not before: the hall that serves a connection is the one that waits for it.
            if let Ok(stream) = TcpStream::from_std(stream) {
                receive(stream, peer).await;
            }
            drop(seat);
        };
        tracker.spawn_on(visit, &hall.runtime);
    }
}

impl Hall {
    fn open(number: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (handle, closed) = (runtime.handle().clone(), CancellationToken::new());
        let until = closed.clone();
        thread::Builder::new().name(format!("hall-{number}")).spawn(move || runtime.block_on(until.cancelled()))?;
        Ok(Self { runtime: handle, seat: Arc::default(), _open: closed.drop_guard() })
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;
    use tokio::sync::{mpsc, oneshot};

    use super::*;

    /// A connection that is served in one of the halls until it is told to go; says in which.
    struct Visit {
        hall: String,
        leave: oneshot::Sender<()>,
    }

    async fn visit(halls: &Halls, tracker: &TaskTracker) -> Visit {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (_caller, arrived) = tokio::join!(TcpStream::connect(listener.local_addr().unwrap()), listener.accept());
        let (stream, peer) = arrived.unwrap();
        let (told, mut hall) = mpsc::unbounded_channel();
        let (leave, left) = oneshot::channel();
        halls.host(tracker, (stream.into_std().unwrap(), peer), async move |_stream, _peer| {
            told.send(thread::current().name().unwrap_or_default().to_owned()).unwrap();
            let _ = left.await;
        });
        Visit { hall: hall.recv().await.unwrap(), leave }
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
