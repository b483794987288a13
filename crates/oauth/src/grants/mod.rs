//! The token endpoint's rules: shared phases first, then one file for each grant.

mod client_credentials;

use crate::model::{Client, Secret};
use crate::protocol::{GrantType, Scope};
use crate::{Authority, Event, Refusal};

/// Which grants this server offers. Metadata advertises exactly these.
pub const OFFERED: [GrantType; 1] = [GrantType::ClientCredentials];

/// What the client asks for, by grant.
#[derive(Debug)]
pub enum TokenRequest {
    /// The client speaks for itself.
    ClientCredentials {
        /// What it wants; nothing named means all it is registered for.
        scope: Option<Scope>,
        /// The API it wants to call (RFC 8707).
        resource: Option<String>,
    },
}

impl TokenRequest {
    fn grant(&self) -> GrantType {
        match self {
            Self::ClientCredentials { .. } => GrantType::ClientCredentials,
        }
    }
}

/// What the client gets.
#[derive(Debug)]
pub struct TokenSet {
    /// Opens the API.
    pub access_token: Secret,
    /// Seconds until it expires.
    pub expires_in: u64,
    /// What it allows.
    pub scope: Scope,
}

/// Reads a `grant_type` value. What exists in the specification but is not offered is refused like the unknown.
pub fn offered(grant_type: &str) -> Result<GrantType, Refusal> {
    OFFERED.into_iter().find(|grant| grant.as_str() == grant_type).ok_or(Refusal::GrantUnsupported)
}

/// Trades a grant for tokens. The client has proven who it is.
pub fn exchange(authority: &Authority, client: &Client, request: TokenRequest) -> Result<TokenSet, Refusal> {
    let grant = request.grant();
    if !client.may_use(grant) {
        return Err(Refusal::GrantNotRegistered);
    }
    let tokens = match request {
        TokenRequest::ClientCredentials { scope, resource } => {
            client_credentials::redeem(authority, client, scope, resource)?
        }
    };
    authority.observer.observe(&Event::TokensIssued { client: &client.id, grant });
    Ok(tokens)
}

/// The audience of a new token: the API, under the name by which the client knows it.
fn audience(authority: &Authority, resource: Option<String>) -> Result<String, Refusal> {
    let policy = &authority.policy;
    match resource {
        None => Ok(policy.audience.clone()),
        Some(resource) if resource == policy.audience || policy.resources.contains(&resource) => Ok(resource),
        Some(_) => Err(Refusal::ResourceUnknown),
    }
}
