//! The token endpoint's rules: shared phases first, then one file for each grant.

mod client_credentials;
mod code;
mod device;
mod refresh;
mod replay;
mod retry;
mod token_set;

pub use code::{Code, Redemption};
pub use device::{DeviceCode, DevicePoll};
pub use refresh::Renewal;
pub use token_set::TokenSet;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use crate::model::{Certificate, Client, ClientKind, Secret, Session};
use crate::openid::{self, IdTokenRequest};
use crate::protocol::{GrantType, Scope};
use crate::tokens::{self, RefreshToken, seal};
use crate::{Authority, Event, Refusal};

/// Who presents a grant, as far as anyone can see.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// The address it came from.
    pub address: Option<IpAddr>,
    /// The certificate it came with, if it proved to hold its key.
    pub certificate: Option<Arc<Certificate>>,
}

impl Caller {
    /// Its address as it is kept: hardly any request comes to that.
    fn address_text(&self) -> Option<String> {
        self.address.map(|address| address.to_string())
    }

    /// Does it show the certificate that something is bound to?
    fn holds(&self, binding: &str, now: Timestamp) -> bool {
        self.shown(now).is_some_and(|certificate| certificate.thumbprint == binding)
    }

    fn shown(&self, now: Timestamp) -> Option<&Certificate> {
        self.certificate.as_deref().filter(|certificate| certificate.holds_at(now))
    }
}

/// Which grants this server offers. Metadata advertises exactly these.
pub const OFFERED: [GrantType; 4] =
    [GrantType::AuthorizationCode, GrantType::RefreshToken, GrantType::ClientCredentials, GrantType::DeviceCode];

/// What the client asks for, by grant.
#[derive(Debug)]
pub enum TokenRequest {
    /// A code from the authorization endpoint.
    AuthorizationCode(Redemption),
    /// A refresh token.
    RefreshToken(Renewal),
    /// The client speaks for itself.
    ClientCredentials {
        /// What it wants; nothing named means all it is registered for.
        scope: Option<Scope>,
        /// The API it wants to call (RFC 8707).
        resource: Option<String>,
    },
    /// A device asks whether a person has let it in.
    DeviceCode(DevicePoll),
}

impl TokenRequest {
    fn grant(&self) -> GrantType {
        match self {
            Self::AuthorizationCode(_) => GrantType::AuthorizationCode,
            Self::RefreshToken(_) => GrantType::RefreshToken,
            Self::ClientCredentials { .. } => GrantType::ClientCredentials,
            Self::DeviceCode(_) => GrantType::DeviceCode,
        }
    }
}

/// Reads a `grant_type` value. What exists in the specification but is not offered is refused like the unknown.
pub fn offered(grant_type: &str) -> Result<GrantType, Refusal> {
    OFFERED.into_iter().find(|grant| grant.as_str() == grant_type).ok_or(Refusal::GrantUnsupported)
}

/// Trades a grant for tokens. The client has proven who it is.
pub async fn exchange(
    authority: &Authority,
    client: &Client,
    caller: &Caller,
    request: TokenRequest,
) -> Result<TokenSet, Refusal> {
    let grant = request.grant();
    if !client.may_use(grant) {
        return Err(Refusal::GrantNotRegistered);
    }
    // In boxes: what needs no waiting would have to carry them all.
    let tokens = match request {
        TokenRequest::AuthorizationCode(redemption) => {
            Box::pin(code::redeem(authority, client, caller, redemption)).await?
        }
        TokenRequest::RefreshToken(renewal) => Box::pin(refresh::redeem(authority, client, caller, renewal)).await?,
        TokenRequest::ClientCredentials { scope, resource } => {
            client_credentials::redeem(authority, client, caller, scope, resource)?
        }
        TokenRequest::DeviceCode(poll) => Box::pin(device::redeem(authority, client, caller, poll)).await?,
    };
    authority.observer.observe(&Event::TokensIssued { client: &client.id, grant });
    Ok(tokens)
}

/// How long a new session can live.
fn session_lifetime(authority: &Authority, client: &Client) -> Duration {
    let policy = &authority.policy;
    if client.may_use(GrantType::RefreshToken) {
        policy.refresh_lifetime
    } else if client.backchannel_logout_uri.is_some() {
        // It is known as long as its user can sign out, so that it can be told.
        policy.access_lifetime.max(policy.sign_in_lifetime)
    } else {
        // Nothing can renew it: it is over with its one access token.
        policy.access_lifetime
    }
}

/// Is it the API that was agreed on (RFC 8707 §2.2)? Asked before anything is used up.
fn check_agreed_resource(authority: &Authority, agreed: Option<&str>, asked: Option<&str>) -> Result<(), Refusal> {
    match asked {
        Some(asked) if !authority.policy.serves(asked) => Err(Refusal::ResourceUnknown),
        Some(asked) if asked != agreed.unwrap_or(&authority.policy.audience) => Err(Refusal::ResourceDiffers),
        Some(_) | None => Ok(()),
    }
}

/// What the access tokens of a client are to be bound to. Asked before anything is used up.
fn binding(authority: &Authority, client: &Client, caller: &Caller) -> Result<Option<String>, Refusal> {
    if !client.binds_tokens {
        return Ok(None);
    }
    let shown = caller.shown(authority.now()).ok_or(Refusal::NoCertificateToBind)?;
    Ok(Some(shown.thumbprint.clone()))
}

/// What a session of a client is to be bound to. RFC 8705 §4: the refresh tokens of a client that proves itself need no
/// certificate beside, so that it can renew its own.
fn session_binding(client: &Client, binding: Option<String>) -> Option<String> {
    binding.filter(|_| client.kind == ClientKind::Public)
}

/// All tokens of a session in its present generation.
async fn tokens_for(
    authority: &Authority,
    client: &Client,
    session: &Session,
    scope: Scope,
    nonce: Option<&str>,
    binding: Option<String>,
) -> Result<TokenSet, Refusal> {
    let audience = audience(authority, session.resource.clone())?;
    let with_identity = scope.contains("openid");
    let issued = tokens::issue(authority, client, Some(session), scope, audience, binding)?;
    let refresh_token = if client.may_use(GrantType::RefreshToken) {
        let token = RefreshToken {
            session: session.id,
            generation: session.generation,
            client: session.client.clone(),
            key_binding: session.key_binding.clone(),
        };
        Some(Secret::new(seal::refresh_token(authority, &token)?))
    } else {
        None
    };
    let id_token = if with_identity {
        let request = IdTokenRequest { client, session, nonce, access_token: issued.text.expose() };
        Some(Secret::new(openid::id_token(authority, &request).await?))
    } else {
        None
    };
    Ok(TokenSet {
        access_token: issued.text,
        expires_in: issued.expires_in,
        scope: issued.scope,
        refresh_token,
        id_token,
    })
}

/// The audience of a new token: the API, under the name by which the client knows it.
fn audience(authority: &Authority, resource: Option<String>) -> Result<String, Refusal> {
    let policy = &authority.policy;
    match resource {
        None => Ok(policy.audience.clone()),
        Some(resource) if policy.serves(&resource) => Ok(resource),
        Some(_) => Err(Refusal::ResourceUnknown),
    }
}
