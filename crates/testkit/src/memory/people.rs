//! Sign-ins and consents in memory.

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{
    ClientId, Consent, DeviceState, Revocation, RevocationTarget, SecretDigest, SessionEnd, SignIn, SignInId, UserId,
};
use valetkey_oauth::ports::{Consents, Leaving, SignInRenewal, SignInStart, SignIns, StoreError};
use valetkey_oauth::protocol::Scope;

use super::Memory;

#[async_trait]
impl SignIns for Memory {
    async fn begin(&self, sign_in: &SignIn, proof: &str) -> Result<SignInStart, StoreError> {
        let mut state = self.state();
        if !state.has_password(sign_in.user, proof) {
            return Ok(SignInStart::PasswordChanged);
        }
        state.sign_ins.insert(sign_in.id.0, sign_in.clone());
        Ok(SignInStart::Begun)
    }

    async fn find_sign_in(&self, cookie: &SecretDigest, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let state = self.state();
        let mut known = state.sign_ins.values();
        Ok(known.find(|known| known.cookie.matches(cookie) && now < known.expires_at).cloned())
    }

    async fn note_seen(&self, id: SignInId, at: Timestamp) -> Result<(), StoreError> {
        if let Some(known) = self.state().sign_ins.get_mut(&id.0) {
            known.seen_at = known.seen_at.max(at);
        }
        Ok(())
    }

    async fn renew(&self, renewed: &SignIn, proof: &str) -> Result<SignInRenewal, StoreError> {
        let mut state = self.state();
        if !state.has_password(renewed.user, proof) {
            return Ok(SignInRenewal::PasswordChanged);
        }
        match state.sign_ins.get_mut(&renewed.id.0).filter(|known| known.user == renewed.user) {
            Some(known) => {
                *known = SignIn { created_at: known.created_at, ..renewed.clone() };
                Ok(SignInRenewal::Renewed)
            }
            None => Ok(SignInRenewal::Gone),
        }
    }

    async fn leave(&self, leaving: &Leaving) -> Result<bool, StoreError> {
        let mut state = self.state();
        if state.sign_ins.remove(&leaving.sign_in.0).is_none() {
            return Ok(false);
        }
        for session in &leaving.sessions {
            state.finish(*session, SessionEnd::SignedOut, leaving.tokens_until);
        }
        state.put(&leaving.messages);
        Ok(true)
    }

    async fn sign_in_of(&self, user: UserId, id: SignInId, now: Timestamp) -> Result<Option<SignIn>, StoreError> {
        let state = self.state();
        let known = state.sign_ins.get(&id.0);
        Ok(known.filter(|known| known.user == user && now < known.expires_at).cloned())
    }

    async fn sign_ins_of(&self, user: UserId, now: Timestamp, most: u32) -> Result<Vec<SignIn>, StoreError> {
        let state = self.state();
        let own = state.sign_ins.values().rev().filter(|known| known.user == user && now < known.expires_at);
        Ok(own.take(most as usize).cloned().collect())
    }
}

#[async_trait]
impl Consents for Memory {
    async fn find_consent(&self, subject: &str, client: &ClientId) -> Result<Option<Consent>, StoreError> {
        Ok(self.state().consents.get(&(subject.to_owned(), client.to_string())).cloned())
    }

    async fn agree(&self, consent: &Consent) -> Result<Consent, StoreError> {
        let mut state = self.state();
        let key = (consent.subject.clone(), consent.client.to_string());
        let mut agreed = consent.clone();
        if let Some(before) = state.consents.get(&key) {
            agreed.scope = Scope::parse(&format!("{} {}", before.scope, consent.scope)).unwrap();
            agreed.given_at = before.given_at;
        }
        state.consents.insert(key, agreed.clone());
        Ok(agreed)
    }

    async fn consents_of(&self, subject: &str) -> Result<Vec<Consent>, StoreError> {
        Ok(self.state().consents.values().filter(|consent| consent.subject == subject).cloned().collect())
    }

    async fn withdraw(
        &self,
        subject: &str,
        client: &ClientId,
        _now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Vec<Revocation>, StoreError> {
        let mut state = self.state();
        state.consents.remove(&(subject.to_owned(), client.to_string()));
        state.devices.retain(|_, device| {
            let is_own = matches!(&device.state, DeviceState::Approved(approval) if approval.subject == subject);
            !is_own || device.client != *client
        });
        let own = state.sessions.values().filter(|session| session.subject == subject && session.client == *client);
        let ids: Vec<_> = own.map(|session| session.id).collect();
        let ended = ids.into_iter().filter(|id| state.finish(*id, SessionEnd::Revoked, tokens_until));
        let revoked = ended.map(|id| Revocation { target: RevocationTarget::Session(id), expires_at: tokens_until });
        Ok(revoked.collect())
    }
}
