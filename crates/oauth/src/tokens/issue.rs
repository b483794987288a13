//! Making an access token in the form its client gets.

use super::{jwt, seal};
use crate::Authority;
use crate::keys::KeyError;
use crate::model::{AccessToken, AccessTokenFormat, Client, Secret, Session, TokenId};
use crate::moment::later;
use crate::openid;
use crate::protocol::Scope;

/// An access token on its way out.
#[derive(Debug)]
pub struct IssuedToken {
    /// The text that the client presents.
    pub text: Secret,
    /// Seconds until it expires.
    pub expires_in: u64,
    /// What it allows.
    pub scope: Scope,
}

/// Makes an access token for `client` that speaks for the user of a session, or for itself. Writes nothing.
pub fn issue(
    authority: &Authority,
    client: &Client,
    session: Option<&Session>,
    scope: Scope,
    audience: String,
    key_binding: Option<String>,
) -> Result<IssuedToken, KeyError> {
    let now = authority.now();
    let lifetime = authority.policy.access_lifetime;
    let subject = session.map_or(client.id.as_str(), |session| &session.subject);
    let token = AccessToken {
        id: TokenId(authority.random.uuid()),
        session: session.map(|session| session.id),
        client: client.id.clone(),
        subject: subject.to_owned(),
        scope,
        audience,
        issued_at: now,
        expires_at: later(now, lifetime),
        version_pin: client.version_pin.clone(),
        key_binding,
        authenticated_at: session.map(|session| session.authenticated_at),
    };
    let ring = authority.ring();
    let text = match client.access_token_format.unwrap_or(authority.policy.access_format) {
        AccessTokenFormat::Opaque => seal::access_token(&ring, &token, &*authority.random, now)?,
        AccessTokenFormat::Jwt(algorithm) => {
            let name = match session {
                Some(_) => openid::subject::told_to(authority, client, subject)?,
                None => subject.to_owned(),
            };
            jwt::sign(&ring, &authority.policy.issuer, algorithm, &token, &name, now)?
        }
    };
    Ok(IssuedToken { text: Secret::new(text), expires_in: lifetime.as_secs(), scope: token.scope })
}
