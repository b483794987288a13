//! Statements that are waited for no longer. PostgreSQL does not notice that, and would go on: it is told, on a connection of
//! its own.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::{CancelToken, Client};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::settings::STATEMENT;

/// So many are told at a time.
const MOST: usize = 2;
/// What is given up sooner than this after it was asked may not have begun over there.
const EARLY: Duration = Duration::from_millis(5);
/// It is told once more then, after so long.
const AGAIN: Duration = Duration::from_millis(100);

/// Tells PostgreSQL to end statements.
#[derive(Clone)]
pub(super) struct Ending {
    tls: MakeRustlsConnect,
    places: Arc<Semaphore>,
}

impl Ending {
    /// On connections that are made like this.
    pub(super) fn new(tls: MakeRustlsConnect) -> Self {
        Self { tls, places: Arc::new(Semaphore::new(MOST)) }
    }

    /// Tells it, once there is a place. By then, the statement may have ended by itself.
    async fn tell(self, token: CancelToken, is_early: bool) {
        let telling = async {
            let _place = self.places.acquire().await.ok()?;
            token.cancel_query(self.tls.clone()).await.ok()?;
            if is_early {
                sleep(AGAIN).await;
                token.cancel_query(self.tls.clone()).await.ok()?;
            }
            Some(())
        };
        if timeout(STATEMENT, telling).await.ok().flatten().is_none() {
            tracing::debug!("PostgreSQL could not be told to end a statement");
        }
    }
}

/// A statement that was asked. Unless it was answered when this goes, PostgreSQL is told to end it. The connection is then of no
/// more use: the word may arrive when it is asked something else.
pub(super) struct Unanswered<'a> {
    client: &'a Client,
    ending: &'a Ending,
    asked: Instant,
    is_answered: bool,
}

impl<'a> Unanswered<'a> {
    /// One that is asked on this connection.
    pub(super) fn new(client: &'a Client, ending: &'a Ending) -> Self {
        Self { client, ending, asked: Instant::now(), is_answered: false }
    }

    /// It was answered.
    pub(super) fn answered(mut self) {
        self.is_answered = true;
    }
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if self.is_answered {
            return;
        }
        // Where nothing runs any more, nobody can be told.
        if let Ok(runtime) = Handle::try_current() {
            let is_early = self.asked.elapsed() < EARLY;
            runtime.spawn(self.ending.clone().tell(self.client.cancel_token(), is_early));
        }
    }
}

#[cfg(test)]
mod tests;
