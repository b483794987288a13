//! Looking into a token (RFC 7662): what it says if it is good and the caller may know, and nothing otherwise.

use super::verify;
use crate::model::{AccessToken, Client, ClientKind, IntrospectionReach};
use crate::{Authority, Event, Refusal};

/// What the caller learns.
#[derive(Debug)]
pub enum Introspection {
    /// The token is good.
    Active(Box<AccessToken>),
    /// It is unknown, expired, revoked, or none of the caller's business. Which one is not said.
    Inactive,
}

/// Looks into a token for `client`.
pub async fn introspect(authority: &Authority, client: &Client, text: &str) -> Result<Introspection, Refusal> {
    if client.kind == ClientKind::Public {
        return Err(Refusal::ClientIsPublic);
    }
    // What the caller may not see is not looked up either: the time of the answer must not tell.
    let visible = verify::open(authority, text)
        .filter(|token| client.introspection == IntrospectionReach::Any || token.client == client.id);
    let answer = match visible {
        Some(token) if verify::is_good(authority, &token).await? => Introspection::Active(Box::new(token)),
        _ => Introspection::Inactive,
    };
    let active = matches!(answer, Introspection::Active(_));
    authority.observer.observe(&Event::Introspected { client: &client.id, active });
    Ok(answer)
}
