//! How the server is reached: the pool, how long anyone waits, and what may be tried again.
//!
//! A server that went away is noticed within seconds and used again once it is back, without a restart of ours.

mod by_heart;
mod crowd;
mod doubt;
mod ending;
mod fault;
mod gathering;
mod lease;
mod manner;
mod room;
mod settings;
mod tls;
mod way;

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

pub(super) use by_heart::{ByHeart, Learnt, Number};
pub(super) use crowd::{Crowd, Visit};
pub(super) use doubt::Doubt;
pub(super) use fault::Fault;
pub(super) use gathering::{Bounds, Gathering};
pub(super) use lease::{Lease, Typed, Values};
pub(super) use manner::{BY_HEART, Manner, PLANNED, UNSORTED};
pub use settings::Settings;

use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod, Runtime, TimeoutType, Timeouts};
use tokio::time::{Instant, timeout_at};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Row};
use valetkey_oauth::ports::StoreError;

use ending::Ending;
use room::Room;
use way::Way;

/// How much longer a caller waits for a connection that others use than it takes to make one, or to give that up.
const LONGER: Duration = Duration::from_secs(1);
/// How long a connection may take to be made where that was in vain before.
const SOON: Duration = Duration::from_millis(250);
/// What took longer than this is no accident of one connection: trying again would only keep the caller waiting.
const BLIP: Duration = Duration::from_secs(2);
/// How often a transition that PostgreSQL undid is tried again.
pub(super) const ATTEMPTS: usize = 4;

/// The pool, and the ways to use it. Those who ask alike share a statement: see [`Gathering`].
#[derive(Clone)]
pub(super) struct Connections {
    pool: Pool,
    room: Room,
    /// How long a caller waits for a connection.
    wait: Duration,
    ending: Ending,
    way: Arc<Way>,
}

impl Connections {
    /// Prepares the pool; connects to nothing yet.
    pub(super) fn new(settings: &Settings) -> Result<Self, StoreError> {
        let config = settings.config()?;
        let tls = tls::connector(&config, settings.extra_ca.as_deref())?;
        let connect = settings::connect_timeout(&config);
        let wait = connect + LONGER;
        // Fast: a connection that is known to be closed is replaced, and no question is asked of the others. What a
        // question would find out is found out by the statement itself; see `Fault`.
        let manager =
            Manager::from_config(config, tls.clone(), ManagerConfig { recycling_method: RecyclingMethod::Fast });
        let size = settings.pool_size.max(1);
        let pool = Pool::builder(manager)
            .max_size(size)
            .runtime(Runtime::Tokio1)
            .wait_timeout(Some(wait))
            .create_timeout(Some(connect))
            .recycle_timeout(Some(connect))
            .build()
            .map_err(|error| StoreError::Failed(error.to_string()))?;
        Ok(Self { pool, room: Room::new(size), wait, ending: Ending::new(tls), way: Arc::default() })
    }

    /// A connection for a transition that needs more than one statement.
    pub(super) async fn lease(&self) -> Result<Lease, Fault> {
        let until = Instant::now() + self.wait;
        let seat = timeout_at(until, self.room.enter()).await.ok().flatten().ok_or_else(Fault::all_busy)?;
        let mut connection = self.pool.get().await;
        let soon = Timeouts { create: Some(SOON), ..self.pool.timeouts() };
        // Nothing was asked yet, and meanwhile one may rest that somebody else used.
        if matches!(connection, Err(PoolError::Backend(_))) {
            connection = self.pool.timeout_get(&soon).await;
        }
        while matches!(connection, Err(PoolError::Timeout(TimeoutType::Create))) && Instant::now() < until {
            connection = self.pool.timeout_get(&soon).await;
        }
        self.room.fit(self.pool.status().size);
        Ok(Lease::new(connection.map_err(Fault::no_connection)?, seat))
    }

    /// No connection keeps this statement any longer.
    pub(super) fn forget(&self, (sql, kinds): &Learnt) {
        self.pool.manager().statement_caches.remove(sql, kinds);
    }

    /// One statement that changes nothing, and so may be asked again if the connection broke.
    pub(super) async fn read(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, StoreError> {
        self.repeat(sql, values, |fault| fault.undone || fault.lost).await
    }

    /// One statement that changes something, atomic by itself. It is tried again only if PostgreSQL says that it was
    /// undone: a rotation that took place and is tried again would look like a theft.
    pub(super) async fn write(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, StoreError> {
        self.repeat(sql, values, |fault| fault.undone).await
    }

    /// One statement that changes nothing, and may take so long and no longer.
    pub(super) async fn glance(
        &self,
        sql: &str,
        values: Typed<'_>,
        patience: Duration,
        manner: Manner,
    ) -> Result<Vec<Row>, Fault> {
        let mut lease = self.lease().await?;
        let asked = Instant::now();
        let rows = match manner {
            Manner::Kept => lease.kept(sql, values, self.way.longer(patience), &self.ending).await?,
            Manner::Planned(settings) => lease.glance(sql, values, patience, settings).await?,
        };
        self.way.took(asked.elapsed());
        Ok(rows)
    }

    /// One statement for several callers, atomic by itself. None: PostgreSQL refused it or gave it up, because of one of them
    /// or of all, and nothing happened.
    pub(super) async fn write_together(&self, sql: &str, values: Values<'_>) -> Result<Option<Vec<Row>>, StoreError> {
        let once = || async {
            match self.lease().await?.rows(sql, values).await {
                Err(fault) if fault.is_for_each() => Ok(None),
                other => other.map(Some),
            }
        };
        self.attempt(|fault| fault.undone, once).await
    }

    async fn repeat(&self, sql: &str, values: Values<'_>, again: fn(&Fault) -> bool) -> Result<Vec<Row>, StoreError> {
        self.attempt(again, || async { self.lease().await?.rows(sql, values).await }).await
    }

    /// Tries a transition again as long as `again` allows, a few times.
    pub(super) async fn attempt<T, F>(&self, again: fn(&Fault) -> bool, once: impl Fn() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, Fault>>,
    {
        let (mut left, began) = (ATTEMPTS, Instant::now());
        loop {
            let fault = match once().await {
                Ok(done) => return Ok(done),
                Err(fault) => fault,
            };
            if fault.lost {
                // What broke one connection has most likely broken those that rest as well, unless they were made since.
                self.pool.retain(|_, connection| connection.created > began.into_std());
            }
            left -= 1;
            if left == 0 || !again(&fault) || began.elapsed() > BLIP {
                return Err(fault.into());
            }
            tracing::debug!(%fault, "a statement is tried again");
        }
    }
}

/// A connection beside the pool, for migrations: they take longer than a statement may, and hold a lock of the session.
pub(super) async fn direct(settings: &Settings) -> Result<Client, StoreError> {
    let mut config = settings.config()?;
    config.options(settings::without_limits(&config));
    let tls = tls::connector(&config, settings.extra_ca.as_deref())?;
    let (client, connection) = tokio::time::timeout(settings::connect_timeout(&config), config.connect(tls))
        .await
        .map_err(|_| StoreError::Unavailable(format!("no connection in time. {NOBODY_THERE}")))?
        .map_err(explained)?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(error = %Fault::from(error), "the connection for migrations broke");
        }
    });
    Ok(client)
}

const NOBODY_THERE: &str = "Is PostgreSQL running there? Check the host and the port in `database`.";

/// Why there is no connection, and what to do about it.
fn explained(error: tokio_postgres::Error) -> StoreError {
    use std::io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable, NotFound};

    let cause = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    let is_away = cause.is_some_and(|cause| {
        matches!(cause.kind(), ConnectionRefused | HostUnreachable | NetworkUnreachable | NotFound)
    });
    let advice = match error.code().map(SqlState::code) {
        None if is_away => NOBODY_THERE,
        Some("28000" | "28P01") => "Check the name and the password in `database`, and pg_hba.conf over there.",
        Some("3D000") => "Make it first, for example with `createdb`, or name another one in `database`.",
        Some("53300") => "Raise `max_connections` over there, or lower `database_pool` of each node.",
        _ => return Fault::from(error).into(),
    };
    match Fault::from(error).into() {
        StoreError::Unavailable(why) => StoreError::Unavailable(format!("{why}. {advice}")),
        StoreError::Failed(why) => StoreError::Failed(format!("{why}. {advice}")),
    }
}

/// PostgreSQL's texts hold no zero byte, so nothing is found under a name that has one.
pub(super) fn can_be_stored(text: &str) -> bool {
    !text.contains('\0')
}
