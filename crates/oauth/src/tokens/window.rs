//! The revocation window: what was taken back lately, in memory, so that asking costs nothing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use jiff::Timestamp;

use crate::model::{AccessToken, ClientId, Revocation, RevocationTarget, SessionId, TokenId};
use crate::ports::{RevocationCursor, RevocationFeed};

/// A window that was not fed for so many milliseconds is not believed: what is revoked anywhere is known everywhere within a
/// second.
const STALE: i64 = 1_000;

/// Entries that have run out are looked for so seldom, in milliseconds: nobody is judged while all are looked at.
const FORGETTING: i64 = 60_000;

/// What was revoked and could still be presented.
#[derive(Debug, Default)]
pub struct Window {
    held: RwLock<Held>,
    /// When the feed was last asked, in milliseconds since 1970.
    fed_at: AtomicI64,
}

#[derive(Debug, Default)]
struct Held {
    tokens: HashMap<TokenId, Timestamp>,
    sessions: HashMap<SessionId, Timestamp>,
    /// The moment up to which tokens are void, and when that may be forgotten.
    subjects: HashMap<String, (Timestamp, Timestamp)>,
    clients: HashMap<ClientId, (Timestamp, Timestamp)>,
    cursor: RevocationCursor,
    /// When entries were last forgotten, in milliseconds since 1970.
    forgot_at: i64,
}

impl Window {
    /// Is this token taken back?
    pub fn covers(&self, token: &AccessToken) -> bool {
        let held = self.read();
        held.tokens.contains_key(&token.id)
            || token.session.is_some_and(|session| held.sessions.contains_key(&session))
            || held.subjects.get(&token.subject).is_some_and(|(moment, _)| token.issued_at <= *moment)
            || held.clients.get(&token.client).is_some_and(|(moment, _)| token.issued_at <= *moment)
    }

    /// Remembers one revocation.
    pub fn add(&self, revocation: &Revocation) {
        self.write().add(revocation);
    }

    /// Takes what the feed brought that was asked at `asked_at`, and forgets now and then what has run out for sure.
    pub fn take(&self, feed: RevocationFeed, now: Timestamp, asked_at: Timestamp) {
        let mut held = self.write();
        feed.entries.iter().for_each(|revocation| held.add(revocation));
        held.cursor = feed.cursor;
        held.forget(now);
        self.fed_at.store(asked_at.as_millisecond(), Ordering::Relaxed);
    }

    /// Does it know what was taken back elsewhere, up to this moment or nearly so?
    pub fn is_current(&self, now: Timestamp) -> bool {
        now.as_millisecond() < self.fed_at.load(Ordering::Relaxed) + STALE
    }

    /// How far the feed was read.
    pub fn cursor(&self) -> RevocationCursor {
        self.read().cursor
    }

    /// How many entries it holds.
    pub fn len(&self) -> usize {
        let held = self.read();
        held.tokens.len() + held.sessions.len() + held.subjects.len() + held.clients.len()
    }

    /// Was nothing revoked lately?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn read(&self) -> RwLockReadGuard<'_, Held> {
        self.held.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Held> {
        self.held.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn add(&mut self, revocation: &Revocation) {
        let until = revocation.expires_at;
        match &revocation.target {
            RevocationTarget::Token(id) => drop(self.tokens.insert(*id, until)),
            RevocationTarget::Session(id) => drop(self.sessions.insert(*id, until)),
            RevocationTarget::Subject(subject, moment) => widen(&mut self.subjects, subject, *moment, until),
            RevocationTarget::Client(client, moment) => widen(&mut self.clients, client, *moment, until),
        }
    }

    /// An entry that is kept longer than it must be hurts nobody. A clock that was set back forgets at once, and only what
    /// has run out by it.
    fn forget(&mut self, now: Timestamp) {
        let millis = now.as_millisecond();
        if (self.forgot_at..self.forgot_at.saturating_add(FORGETTING)).contains(&millis) {
            return;
        }
        self.forgot_at = millis;
        self.tokens.retain(|_, until| now < *until);
        self.sessions.retain(|_, until| now < *until);
        self.subjects.retain(|_, (_, until)| now < *until);
        self.clients.retain(|_, (_, until)| now < *until);
    }
}

/// Entries may come out of order; the later moment covers more and wins.
fn widen<K: Clone + Eq + std::hash::Hash>(
    map: &mut HashMap<K, (Timestamp, Timestamp)>,
    key: &K,
    moment: Timestamp,
    until: Timestamp,
) {
    let entry = map.entry(key.clone()).or_insert((moment, until));
    *entry = (entry.0.max(moment), entry.1.max(until));
}

#[cfg(test)]
mod tests;
