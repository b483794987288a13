//! The port for sessions: opening, rotation and ending are decided by the engine in one transaction each.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{ClientId, Session, SessionEnd, SessionId, SessionState};

/// So many sessions end in one step at most: everyone else who writes waits for it.
pub const SESSIONS_A_TURN: usize = 200;

/// What became of an opening.
#[derive(Debug, Clone, PartialEq)]
pub enum Opening {
    /// The session exists now, in its first generation.
    Opened,
    /// A retry under a key that has an answer; nothing changed.
    Answered(Vec<u8>),
    /// A session of this id was opened before: the code was replayed. That session is ended now.
    Replayed(Box<Session>),
    /// What it would stand on is gone. There is no session.
    Unfounded,
}

/// What a session must stand on when it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Grounds {
    /// The user's consent to the client.
    pub consent: bool,
    /// The sign-in that it began in.
    pub sign_in: bool,
}

/// The rules of one opening.
#[derive(Debug, Clone)]
pub struct OpeningRules {
    /// When the last access token of a session that is ended has expired by itself.
    pub tokens_until: Timestamp,
    /// What it must stand on.
    pub grounds: Grounds,
    /// The answer to keep with the session, so that a retry under the same key gets it again.
    pub answer: Option<KeptAnswer>,
}

/// The rules of one rotation.
#[derive(Debug, Clone)]
pub struct RotationRules {
    /// Now.
    pub now: Timestamp,
    /// When the last access token of the session has expired by itself.
    pub tokens_until: Timestamp,
    /// A session that was last used before this moment has been idle for too long.
    pub idle_since: Timestamp,
    /// The immediate predecessor is taken for a retry if the rotation that voided it is not older than this.
    pub retry_since: Option<Timestamp>,
    /// Does each use void the token? If not, a use is only noted.
    pub voids: bool,
    /// The answer to keep with the rotation, so that a retry under the same key gets it again.
    pub answer: Option<KeptAnswer>,
}

/// What the rules say of one presented generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RotationVerdict {
    /// It is the good one: go on to the next.
    Advance,
    /// It is the last one again, soon enough to be a retry.
    Repeat,
    /// It was void already: used before, or its time is over and nobody has ended the session yet.
    Reuse,
    /// It would be good, but the session was ended.
    Ended,
    /// It was never issued.
    Unknown,
}

impl RotationRules {
    /// Judges a generation against the session as it stands. Engines that hold the row use this as it is.
    pub fn judge(&self, session: &Session, generation: u32) -> RotationVerdict {
        if generation == 0 || generation > session.generation {
            return RotationVerdict::Unknown;
        }
        let is_retry = self.retry_since.is_some_and(|since| session.used_at >= since);
        if generation < session.generation {
            return if is_retry && generation + 1 == session.generation && session.is_alive(self.now) {
                RotationVerdict::Repeat
            } else {
                RotationVerdict::Reuse
            };
        }
        let is_good = session.is_alive(self.now) && session.used_at >= self.idle_since;
        match session.state {
            SessionState::Active if is_good => RotationVerdict::Advance,
            // Whoever kept a token beyond its time may not be the one it was made for.
            SessionState::Active => RotationVerdict::Reuse,
            SessionState::Ended(_) => RotationVerdict::Ended,
        }
    }
}

/// An answer that is kept for a retry. The store cannot read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// Names it: a digest of the key and of what the client presented.
    pub id: [u8; 32],
    /// The answer, sealed under a key that follows from what the client presented.
    pub sealed: Vec<u8>,
    /// When it may be forgotten.
    pub expires_at: Timestamp,
}

impl KeptAnswer {
    /// Is there nothing to keep yet? Then it is only a name, by which a retry is known.
    pub fn is_empty(&self) -> bool {
        self.sealed.is_empty()
    }
}

/// What became of a rotation.
#[derive(Debug, Clone, PartialEq)]
pub enum Rotation {
    /// The presented generation is void (or, without voiding, noted); this is the session as it is now.
    Rotated(Box<Session>),
    /// A retry of the last rotation; nothing changed. This is the session as that rotation left it.
    Repeated(Box<Session>),
    /// A retry under a key that has an answer; nothing changed.
    Answered(Vec<u8>),
    /// The presented generation was void already, by its use or by its age. The session is ended now, if it was not before.
    Reused(Box<Session>),
    /// The session ended earlier.
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
    /// Begins a session under its pre-assigned id, if its grounds are there in that same step. Of N callers with one id,
    /// exactly one opens. Once a consent or a sign-in is gone, nothing more begins on it.
    async fn open(&self, session: &Session, rules: &OpeningRules) -> Result<Opening, StoreError>;

    /// Voids the presented generation and starts the next, in one atomic step.
    ///
    /// A generation voided before ends its session in that same step, and so does one that comes too late. Of N callers
    /// with one generation, exactly one sees `Rotated`.
    async fn rotate(&self, id: SessionId, generation: u32, rules: &RotationRules) -> Result<Rotation, StoreError>;

    /// Ends a session. `tokens_until` is when the last access token of it has expired by itself.
    async fn end(
        &self,
        id: SessionId,
        why: SessionEnd,
        now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Ending, StoreError>;

    /// Ends those of these sessions that live, in one step, at most [`SESSIONS_A_TURN`] of them.
    async fn end_together(&self, ids: &[SessionId], why: SessionEnd, tokens_until: Timestamp)
    -> Result<(), StoreError>;

    /// The answer that was kept under this id with a session or a rotation, unless its time is over.
    async fn kept_answer(&self, id: &[u8; 32], now: Timestamp) -> Result<Option<Vec<u8>>, StoreError>;

    /// Looks a session up.
    async fn find_session(&self, id: SessionId) -> Result<Option<Session>, StoreError>;

    /// Sessions, newest first.
    async fn list_sessions(&self, query: &SessionQuery) -> Result<Vec<Session>, StoreError>;
}
