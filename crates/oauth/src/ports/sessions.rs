//! The port for sessions: opening, rotation and ending are decided by the engine in one transaction each.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{ClientId, Session, SessionEnd, SessionId};

/// What became of an opening.
#[derive(Debug, Clone, PartialEq)]
pub enum Opening {
    /// The session exists now, in its first generation.
    Opened,
    /// A session of this id was opened before: the code was replayed. That session is ended now.
    Replayed(Box<Session>),
}

/// What became of a rotation.
#[derive(Debug, Clone, PartialEq)]
pub enum Rotation {
    /// The presented generation is void; this is the session in its next one.
    Rotated(Box<Session>),
    /// The presented generation was void already. The session is ended now, if it was not before.
    Reused(Box<Session>),
    /// The session ended earlier, or its time is over.
    Ended(Box<Session>),
    /// There is no such session, or it never had this generation.
    Unknown,
}

/// What became of an ending.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// It is ended by this call.
    Ended(Box<Session>),
    /// It was ended before.
    EndedBefore,
    /// There is no such session.
    Unknown,
}

/// Which sessions to list, newest first.
#[derive(Debug, Clone, Default)]
pub struct SessionQuery {
    /// Only of this subject.
    pub subject: Option<String>,
    /// Only of this client.
    pub client: Option<ClientId>,
    /// Only those before this one.
    pub before: Option<SessionId>,
    /// At most so many.
    pub limit: u32,
}

/// Stores sessions. Whatever ends one also records its revocation, in the same step.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Begins a session under its pre-assigned id. Of N callers with one id, exactly one opens.
    async fn open(&self, session: &Session, tokens_until: Timestamp) -> Result<Opening, StoreError>;

    /// Voids the presented generation and starts the next, in one atomic step.
    ///
    /// A generation voided before ends its session in that same step. Of N callers with one generation, exactly one
    /// sees `Rotated`.
    async fn rotate(
        &self,
        id: SessionId,
        generation: u32,
        now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Rotation, StoreError>;

    /// Ends a session. `tokens_until` is when the last access token of it has expired by itself.
    async fn end(
        &self,
        id: SessionId,
        why: SessionEnd,
        now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Ending, StoreError>;

    /// Looks a session up.
    async fn find_session(&self, id: SessionId) -> Result<Option<Session>, StoreError>;

    /// Sessions, newest first.
    async fn list_sessions(&self, query: &SessionQuery) -> Result<Vec<Session>, StoreError>;
}
