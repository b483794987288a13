//! Sessions in memory.

use std::collections::btree_map::Entry;

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{Revocation, RevocationTarget, Session, SessionEnd, SessionId, SessionState};
use valetkey_oauth::ports::{Ending, Opening, Rotation, SessionQuery, Sessions, StoreError};

use super::{Memory, State};

#[async_trait]
impl Sessions for Memory {
    async fn open(&self, session: &Session, tokens_until: Timestamp) -> Result<Opening, StoreError> {
        let mut state = self.state();
        if let Entry::Vacant(place) = state.sessions.entry(session.id.0) {
            place.insert(session.clone());
            return Ok(Opening::Opened);
        }
        state.finish(session.id, SessionEnd::CodeReplayed, tokens_until);
        Ok(Opening::Replayed(Box::new(state.sessions[&session.id.0].clone())))
    }

    async fn rotate(
        &self,
        id: SessionId,
        generation: u32,
        now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Rotation, StoreError> {
        let mut state = self.state();
        let Some(session) = state.sessions.get_mut(&id.0) else { return Ok(Rotation::Unknown) };
        if generation == 0 || generation > session.generation {
            return Ok(Rotation::Unknown);
        }
        if generation < session.generation {
            state.finish(id, SessionEnd::RefreshReused, tokens_until);
            return Ok(Rotation::Reused(Box::new(state.sessions[&id.0].clone())));
        }
        if !session.is_alive(now) {
            return Ok(Rotation::Ended(Box::new(session.clone())));
        }
        session.generation += 1;
        session.used_at = now;
        Ok(Rotation::Rotated(Box::new(session.clone())))
    }

    async fn end(
        &self,
        id: SessionId,
        why: SessionEnd,
        _now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Ending, StoreError> {
        let mut state = self.state();
        if !state.sessions.contains_key(&id.0) {
            return Ok(Ending::Unknown);
        }
        if !state.finish(id, why, tokens_until) {
            return Ok(Ending::EndedBefore);
        }
        Ok(Ending::Ended(Box::new(state.sessions[&id.0].clone())))
    }

    async fn find_session(&self, id: SessionId) -> Result<Option<Session>, StoreError> {
        Ok(self.state().sessions.get(&id.0).cloned())
    }

    async fn list_sessions(&self, query: &SessionQuery) -> Result<Vec<Session>, StoreError> {
        let state = self.state();
        let wanted = state.sessions.values().rev().filter(|session| {
            query.before.is_none_or(|before| session.id < before)
                && query.subject.as_ref().is_none_or(|subject| session.subject == *subject)
                && query.client.as_ref().is_none_or(|client| session.client == *client)
        });
        Ok(wanted.take(query.limit as usize).cloned().collect())
    }
}

impl State {
    /// Ends a living session and files its revocation; answers whether it was alive.
    fn finish(&mut self, id: SessionId, why: SessionEnd, tokens_until: Timestamp) -> bool {
        match self.sessions.get_mut(&id.0) {
            Some(session) if session.state == SessionState::Active => {
                session.state = SessionState::Ended(why);
                let target = RevocationTarget::Session(id);
                self.revocations.push(Revocation { target, expires_at: tokens_until });
                true
            }
            _ => false,
        }
    }
}
