//! The port for devices that ask: the question, the decision and each poll are decided by the engine in one transaction.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use super::{KeptAnswer, StoreError};
use crate::model::{Approval, Device, DeviceId, DeviceState, SecretDigest, Session, SessionId, SessionState};
use crate::moment::later;

/// RFC 8628 §3.5: each `slow_down` adds five seconds, for this and all later polls.
const SLOWER: u32 = 5;
/// A timer is not exact: a poll that is this much early is on time.
const LENIENCE: Duration = Duration::from_millis(500);

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// It waits for a person.
    Asked,
    /// Another one has this user code; nothing changed.
    CodeTaken,
    /// So many of this client wait from this address that no more are taken.
    TooMany,
}

/// What became of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deciding {
    /// It stands.
    Decided,
    /// There is nothing to decide any more: decided before, expired or gone.
    Gone,
}

/// The rules of one poll.
#[derive(Debug, Clone)]
pub struct PollRules {
    /// Now.
    pub now: Timestamp,
    /// When the session that may be opened ends.
    pub session_until: Timestamp,
    /// When the last access token of a session that is ended has expired by itself.
    pub tokens_until: Timestamp,
    /// The certificate that the session is bound to.
    pub key_binding: Option<String>,
    /// The answer to keep with the session, so that a retry under the same key gets it again. One without bytes is one
    /// that could not be made yet.
    pub answer: Option<KeptAnswer>,
}

/// What the rules say of one poll.
#[derive(Debug, Clone, PartialEq)]
pub enum PollVerdict {
    /// Nobody has decided: note the poll.
    Wait,
    /// It comes too early: note the poll, and this interval.
    SlowDown(u32),
    /// Yes: open this session, and let nobody redeem it again.
    Redeem(Box<Session>),
    /// No: note the poll.
    Refuse,
    /// Too late.
    Expire,
    /// It was redeemed before: end the session.
    Replay,
}

impl PollRules {
    /// Judges a poll against the device as it stands. Engines that hold the row use this as it is.
    pub fn judge(&self, device: &Device) -> PollVerdict {
        // A replay is told from a poll at any pace and any age: it says that two hold the code.
        if device.state == DeviceState::Redeemed {
            return PollVerdict::Replay;
        }
        if device.expires_at <= self.now {
            return PollVerdict::Expire;
        }
        let due = |polled_at| later(polled_at, Duration::from_secs(device.interval.into()));
        if device.polled_at.is_some_and(|polled_at| later(self.now, LENIENCE) < due(polled_at)) {
            return PollVerdict::SlowDown(device.interval.saturating_add(SLOWER));
        }
        match &device.state {
            // Let in since the answer was thought about: the next poll brings it.
            DeviceState::Approved(_) if self.answer.as_ref().is_some_and(KeptAnswer::is_empty) => PollVerdict::Wait,
            DeviceState::Approved(approval) => PollVerdict::Redeem(Box::new(self.session(device, approval))),
            DeviceState::Denied => PollVerdict::Refuse,
            DeviceState::Pending | DeviceState::Redeemed => PollVerdict::Wait,
        }
    }

    fn session(&self, device: &Device, approval: &Approval) -> Session {
        Session {
            id: device.id.session(),
            client: device.client.clone(),
            subject: approval.subject.clone(),
            scope: approval.scope.clone(),
            resource: device.resource.clone(),
            authenticated_at: approval.authenticated_at,
            methods: approval.methods.clone(),
            generation: 1,
            key_binding: self.key_binding.clone(),
            claims: None,
            origin: device.origin.clone(),
            created_at: self.now,
            used_at: self.now,
            expires_at: self.session_until,
            state: SessionState::Active,
        }
    }
}

/// What became of a poll.
#[derive(Debug, Clone, PartialEq)]
pub enum Poll {
    /// Nobody has decided yet.
    Pending,
    /// It came too early; so many seconds are to be left from now on.
    TooSoon(u32),
    /// The session is open now.
    Redeemed(Box<Session>),
    /// A retry under a key that has an answer; nothing changed.
    Answered(Vec<u8>),
    /// Someone said no.
    Denied,
    /// The question is void.
    Expired,
    /// It was redeemed before; the session is ended now, if it was not before.
    Replayed(SessionId),
    /// There is no such device, or not any more.
    Unknown,
}

/// Stores devices that ask.
#[async_trait]
pub trait Devices: Send + Sync {
    /// Files a question, unless its user code is taken or `most` of its client wait from its address. Of two callers
    /// with one user code, exactly one asks.
    async fn ask(&self, device: &Device, most: u32) -> Result<Asking, StoreError>;

    /// The device that shows this code and waits for a person.
    async fn find_waiting(&self, user_code: &SecretDigest, now: Timestamp) -> Result<Option<Device>, StoreError>;

    /// Looks a device up.
    async fn find_device(&self, id: DeviceId) -> Result<Option<Device>, StoreError>;

    /// Lets a device in. Of N callers that decide, exactly one sees `Decided`.
    async fn approve(&self, id: DeviceId, approval: &Approval, now: Timestamp) -> Result<Deciding, StoreError>;

    /// Turns a device away. Of N callers that decide, exactly one sees `Decided`.
    async fn deny(&self, id: DeviceId, now: Timestamp) -> Result<Deciding, StoreError>;

    /// Answers a poll, in one atomic step: a yes opens the session, and a poll after that ends it. Of N polls of one
    /// device that was let in, exactly one sees `Redeemed`.
    async fn poll(&self, id: DeviceId, rules: &PollRules) -> Result<Poll, StoreError>;
}
