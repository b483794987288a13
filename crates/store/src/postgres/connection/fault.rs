//! The one place that knows what an error of PostgreSQL means: is the server away, and did anything happen?

use std::error::Error as _;
use std::fmt;
use std::io;

use deadpool_postgres::{PoolError, TimeoutType};
use tokio_postgres::Error;
use tokio_postgres::error::DbError;
use valetkey_oauth::ports::StoreError;

/// A statement that did not work.
#[derive(Debug)]
pub(in crate::postgres) struct Fault {
    error: StoreError,
    /// PostgreSQL says that nothing happened, and another attempt may succeed.
    pub(in crate::postgres) undone: bool,
    /// The connection broke. Unless it is `undone`, what became of the statement is not known.
    pub(in crate::postgres) lost: bool,
    /// PostgreSQL says that nothing happened, and would say so again.
    pub(in crate::postgres) refused: bool,
    /// It waited for something that another transaction holds, or took too long, and was undone for that. Of many that ask
    /// together, one is enough.
    pub(in crate::postgres) held_up: bool,
    /// The unique index that stood in the way.
    pub(in crate::postgres) violated: Option<String>,
    /// The statement took longer than it was given.
    pub(in crate::postgres) expired: bool,
}

impl Fault {
    /// Of several who asked together, does each have to ask alone? Nothing happened, and that may be the doing of one.
    pub(in crate::postgres) fn is_for_each(&self) -> bool {
        self.refused || self.held_up
    }

    /// No answer in time.
    pub(super) fn timed_out() -> Self {
        Self::unavailable("PostgreSQL did not answer in time".to_owned())
    }

    /// It took longer than it was given, by the clock on this side.
    pub(super) fn expired() -> Self {
        Self { expired: true, held_up: true, ..Self::timed_out() }
    }

    /// Others have all connections.
    pub(super) fn all_busy() -> Self {
        Self::unavailable("all connections are busy".to_owned())
    }

    /// The pool has no connection to give.
    pub(super) fn no_connection(error: PoolError) -> Self {
        match error {
            // Whatever keeps a connection from being made (a changed password, a database that is gone) is mended over
            // there. Nothing was asked yet, and it was tried twice: trying again would only wait again.
            PoolError::Backend(error) => match Self::from(error).error {
                StoreError::Failed(text) | StoreError::Unavailable(text) => Self::unavailable(text),
            },
            PoolError::Timeout(TimeoutType::Wait) => Self::all_busy(),
            PoolError::Timeout(_) => Self::unavailable("PostgreSQL did not accept a connection in time".to_owned()),
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
                Self::unavailable("the pool gives no connections".to_owned())
            }
        }
    }

    fn unavailable(why: String) -> Self {
        Self::from(StoreError::Unavailable(why))
    }

    fn said(error: &DbError) -> Self {
        let code = error.code().code();
        let text = format!("{} ({code})", error.message());
        let undone = match code {
            // Two transitions stood in each other's way; the server chose this one to start over.
            "40001" | "40P01" => true,
            // An operator ended the connection before the statement took effect.
            "57P01" => true,
            // The prepared statement is gone, or a migration changed what it answers.
            "26000" | "0A000" => true,
            _ => false,
        };
        let lost = matches!(code, "57P01" | "57P02");
        // Connections, resources, shutting down, starting up, statement or lock timeouts, a standby.
        let away = undone
            || ["08", "53"].contains(&&code[..2.min(code.len())])
            || ["57P01", "57P02", "57P03", "57P05", "57014", "55P03", "25006", "25P03"].contains(&code);
        let held_up = matches!(code, "55P03" | "57014");
        let violated = (code == "23505").then(|| error.constraint().unwrap_or_default().to_owned());
        let error = if away { StoreError::Unavailable(text) } else { StoreError::Failed(text) };
        Self { error, undone, lost, refused: !away, held_up, violated, expired: code == "57014" }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        if let Some(said) = error.as_db_error() {
            return Self::said(said);
        }
        let text = match error.source() {
            Some(cause) if cause.to_string().contains("UnknownIssuer") => format!(
                "nobody this machine trusts vouches for the certificate of the database server. \
                 Name the file of its CA in the settings ({cause})"
            ),
            Some(cause) => format!("{error}: {cause}"),
            None => error.to_string(),
        };
        let broken = match error.source().and_then(|cause| cause.downcast_ref::<io::Error>()) {
            // Bytes that make no sense, or a certificate nobody vouches for.
            Some(cause) => !matches!(cause.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput),
            None => error.is_closed() || text.starts_with("timeout"),
        };
        if broken { Self { lost: true, ..Self::unavailable(text) } } else { Self::from(StoreError::Failed(text)) }
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self { error, undone: false, lost: false, refused: false, held_up: false, violated: None, expired: false }
    }
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> Self {
        fault.error
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}
