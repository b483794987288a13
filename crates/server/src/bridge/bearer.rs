//! Tokens of this server on its own API: what the authority says of one becomes the caller that `rest` knows.

use std::sync::Arc;

use valetkey_oauth::model::AccessToken;
use valetkey_oauth::ports::StoreError;
use valetkey_oauth::{Authority, openid, tokens};
use valetkey_rest::bearer::{Caller, Unverifiable, Verify, async_trait};

/// Asks the authority in this process: a token that was revoked here is refused at once.
pub struct OwnTokens(pub Arc<Authority>);

#[async_trait]
impl Verify for OwnTokens {
    async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        let verified = tokens::verify(&self.0, token).await.map_err(unverifiable)?;
        Ok(verified.and_then(|token| self.caller(token)))
    }

    fn verify_at_once(&self, token: &str) -> Option<Result<Option<Caller>, Unverifiable>> {
        let verified = tokens::verify_at_once(&self.0, token)?;
        Some(Ok(verified.and_then(|token| self.caller(token))))
    }
}

impl OwnTokens {
    /// Whoever a good token speaks for, if it is meant for this API. One for another API, which this server issued as well, is
    /// not for this one (RFC 8707).
    fn caller(&self, token: AccessToken) -> Option<Caller> {
        let policy = &self.0.policy;
        let is_meant = token.audience == policy.audience || policy.resources.contains(&token.audience);
        is_meant.then(|| Caller {
            client: token.client.as_str().to_owned(),
            // Without a session, the client speaks for itself.
            subject: token.session.is_some().then_some(token.subject),
            scopes: token.scope.names().map(str::to_owned).collect(),
            version_pin: token.version_pin,
            expires_at: Some(token.expires_at.as_second()),
            key_binding: token.key_binding,
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
