//! Tokens of this server on its own API: what the authority says of one becomes the caller that `rest` knows.

use std::sync::Arc;

use valetkey_oauth::keys::Ring;
use valetkey_oauth::model::AccessToken;
use valetkey_oauth::ports::StoreError;
use valetkey_oauth::{Authority, openid, tokens};
use valetkey_rest::bearer::{Caller, Unverifiable, Verify, async_trait};

use super::opened::{Known, Lately};

/// Asks the authority in this process: a token that was revoked here is refused at once.
pub struct OwnTokens {
    authority: Arc<Authority>,
    lately: Lately,
}

#[async_trait]
impl Verify for OwnTokens {
    async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        let ring = Arc::clone(&self.authority.ring());
        let known = match self.lately.find(token, &ring) {
            Some(known) => known,
            None => match tokens::open(&self.authority, token).await.map_err(unverifiable)? {
                Some(opened) if opened.is_by_store => Arc::new(self.known(opened.token)),
                Some(opened) => self.keep(token, &ring, opened.token),
                None => return Ok(None),
            },
        };
        let is_good = tokens::is_good(&self.authority, &known.token).await.map_err(unverifiable)?;
        Ok(known.caller.as_deref().filter(|_| is_good).cloned())
    }

    fn verify_at_once(&self, token: &str) -> Option<Result<Option<Arc<Caller>>, Unverifiable>> {
        let ring = self.authority.ring();
        let known = match self.lately.find(token, &ring) {
            Some(known) => known,
            None => match tokens::open_at_once(&self.authority, token)? {
                Some(opened) => self.keep(token, &ring, opened),
                None => return Some(Ok(None)),
            },
        };
        let is_good = tokens::is_good_at_once(&self.authority, &known.token)?;
        Some(Ok(known.caller.as_ref().filter(|_| is_good).cloned()))
    }
}

impl OwnTokens {
    /// Tokens of this authority.
    pub fn of(authority: Arc<Authority>) -> Self {
        Self { authority, lately: Lately::default() }
    }

    /// Remembers a token that was opened, until the keys change.
    fn keep(&self, text: &str, ring: &Arc<Ring>, token: AccessToken) -> Arc<Known> {
        let known = Arc::new(self.known(token));
        self.lately.keep(text, ring, &known);
        known
    }

    fn known(&self, token: AccessToken) -> Known {
        let caller = self.caller(&token).map(Arc::new);
        Known { token, caller }
    }

    /// Whoever a good token speaks for, if it is meant for this API. One for another API, which this server issued as well, is
    /// not for this one (RFC 8707).
    fn caller(&self, token: &AccessToken) -> Option<Caller> {
        let policy = &self.authority.policy;
        let is_meant = token.audience == policy.audience || policy.resources.contains(&token.audience);
        is_meant.then(|| Caller {
            client: token.client.as_str().to_owned(),
            // Without a session, the client speaks for itself.
            subject: token.session.map(|_| token.subject.clone()),
            scopes: token.scope.names().map(str::to_owned).collect(),
            version_pin: token.version_pin.clone(),
            expires_at: Some(token.expires_at.as_second()),
            key_binding: token.key_binding.clone(),
            authenticated_at: token.authenticated_at.map(|moment| moment.as_second()),
            acr: token.authenticated_at.map(|_| openid::ACR.to_owned()),
        })
    }
}

/// What a store that does not answer means for whoever verifies.
pub(super) fn unverifiable(error: StoreError) -> Unverifiable {
    match error {
        StoreError::Unavailable(why) => Unverifiable::Unavailable(why),
        StoreError::Failed(why) => Unverifiable::Failed(why),
    }
}

#[cfg(test)]
mod tests;
