//! Sessions in memory.

use std::collections::btree_map::Entry;

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{Revocation, RevocationTarget, Session, SessionEnd, SessionId, SessionState};
use valetkey_oauth::ports::{
    Ending, Opening, OpeningRules, Rotation, RotationRules, RotationVerdict, SessionQuery, Sessions, StoreError,
};

use super::{Memory, State};

#[async_trait]
impl Sessions for Memory {
    async fn open(&self, session: &Session, rules: &OpeningRules) -> Result<Opening, StoreError> {
        let (mut state, grounds) = (self.state(), rules.grounds);
        if state.sessions.contains_key(&session.id.0)
            && let Some(answer) = &rules.answer
            && let Some(sealed) = state.answer(&answer.id, session.created_at)
        {
            return Ok(Opening::Answered(sealed));
        }
        let consent = state.consents.get(&(session.subject.clone(), session.client.to_string()));
        let agreed = consent.is_some_and(|consent| session.scope.is_within(&consent.scope));
        let is_in = session.origin.sign_in.is_some_and(|sign_in| state.sign_ins.contains_key(&sign_in));
        let is_founded = (agreed || !grounds.consent) && (is_in || !grounds.sign_in);
        if !is_founded && !state.sessions.contains_key(&session.id.0) {
            return Ok(Opening::Unfounded);
        }
        if let Entry::Vacant(place) = state.sessions.entry(session.id.0) {
            place.insert(session.clone());
            state.answers.extend(rules.answer.iter().map(|answer| (answer.id, answer.clone())));
            return Ok(Opening::Opened);
        }
        state.finish(session.id, SessionEnd::CodeReplayed, rules.tokens_until);
        Ok(Opening::Replayed(Box::new(state.sessions[&session.id.0].clone())))
    }

    async fn rotate(&self, id: SessionId, generation: u32, rules: &RotationRules) -> Result<Rotation, StoreError> {
        let mut state = self.state();
        if let Some(answer) = &rules.answer
            && let Some(sealed) = state.answer(&answer.id, rules.now)
        {
            return Ok(Rotation::Answered(sealed));
        }
        let Some(session) = state.sessions.get_mut(&id.0) else { return Ok(Rotation::Unknown) };
        match rules.judge(session, generation) {
            RotationVerdict::Unknown => Ok(Rotation::Unknown),
            RotationVerdict::Ended => Ok(Rotation::Ended(Box::new(session.clone()))),
            RotationVerdict::Repeat => Ok(Rotation::Repeated(Box::new(session.clone()))),
            RotationVerdict::Reuse => {
                state.finish(id, SessionEnd::RefreshReused, rules.tokens_until);
                Ok(Rotation::Reused(Box::new(state.sessions[&id.0].clone())))
            }
            RotationVerdict::Advance => {
                session.generation += u32::from(rules.voids);
                session.used_at = rules.now;
                let rotated = session.clone();
                state.answers.extend(rules.answer.iter().map(|answer| (answer.id, answer.clone())));
                Ok(Rotation::Rotated(Box::new(rotated)))
            }
        }
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

    async fn end_together(
        &self,
        ids: &[SessionId],
        why: SessionEnd,
        tokens_until: Timestamp,
    ) -> Result<(), StoreError> {
        let mut state = self.state();
        for id in ids {
            state.finish(*id, why, tokens_until);
        }
        Ok(())
    }

    async fn kept_answer(&self, id: &[u8; 32], now: Timestamp) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.state().answer(id, now))
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
    /// The answer that is kept under this id, unless its time is over.
    pub(super) fn answer(&self, id: &[u8; 32], now: Timestamp) -> Option<Vec<u8>> {
        self.answers.get(id).filter(|kept| now < kept.expires_at).map(|kept| kept.sealed.clone())
    }

    /// Ends a living session and files its revocation; answers whether it was alive.
    pub(super) fn finish(&mut self, id: SessionId, why: SessionEnd, tokens_until: Timestamp) -> bool {
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
