//! Tokens of this server on its own API: what the authority says of one becomes the caller that `rest` knows.

use std::sync::Arc;

use valetkey_oauth::ports::StoreError;
use valetkey_oauth::{Authority, openid, tokens};
use valetkey_rest::bearer::{Caller, Unverifiable, Verify, async_trait};

/// Asks the authority in this process: a token that was revoked here is refused at once.
pub struct OwnTokens(pub Arc<Authority>);

#[async_trait]
impl Verify for OwnTokens {
    async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        let verified = tokens::verify(&self.0, token).await.map_err(unverifiable)?;
        // A token for another API, which this server issued as well, is not for this one (RFC 8707).
        let policy = &self.0.policy;
        let is_meant =
            |audience: &str| audience == policy.audience || policy.resources.iter().any(|own| own == audience);
        Ok(verified.filter(|token| is_meant(&token.audience)).map(|token| Caller {
            client: token.client.as_str().to_owned(),
            // Without a session, the client speaks for itself.
            subject: token.session.is_some().then_some(token.subject),
            scopes: token.scope.names().map(str::to_owned).collect(),
            version_pin: token.version_pin,
            expires_at: Some(token.expires_at.as_second()),
            key_binding: token.key_binding,
            authenticated_at: token.authenticated_at.map(|moment| moment.as_second()),
            acr: token.authenticated_at.map(|_| openid::ACR.to_owned()),
        }))
    }
}

/// What a store that does not answer means for whoever verifies.
pub(super) fn unverifiable(error: StoreError) -> Unverifiable {
    match error {
        StoreError::Unavailable(why) => Unverifiable::Unavailable(why),
        StoreError::Failed(why) => Unverifiable::Failed(why),
    }
}
