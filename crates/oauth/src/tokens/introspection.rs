//! Looking into a token (RFC 7662): what it says if it is good and the caller may know, and nothing otherwise.

use super::{Opened, RefreshToken, seal, verify};
use crate::model::{AccessToken, Client, ClientId, ClientKind, IntrospectionReach, Session};
use crate::moment::earlier;
use crate::openid::subject;
use crate::{Authority, Event, Refusal};

/// What the caller learns.
#[derive(Debug)]
pub enum Introspection {
    /// An access token that is good.
    Active(Box<AccessToken>),
    /// A refresh token that is good: this is its session.
    ActiveRefresh(Box<Session>),
    /// It is unknown, expired, revoked, or none of the caller's business. Which one is not said.
    Inactive,
}

/// Looks into a token for `client`.
pub async fn introspect(authority: &Authority, client: &Client, text: &str) -> Result<Introspection, Refusal> {
    if client.kind == ClientKind::Public {
        return Err(Refusal::ClientIsPublic);
    }
    // What the caller may not see is not looked up either: the time of the answer must not tell.
    let may_see = |holder: &ClientId| client.introspection == IntrospectionReach::Any || *holder == client.id;
    let answer = if let Some(Opened { token, .. }) =
        verify::open(authority, text).await?.filter(|opened| may_see(&opened.token.client))
    {
        let is_good = verify::is_good(authority, &token).await?;
        if is_good {
            Introspection::Active(Box::new(named(authority, client, token)?))
        } else {
            Introspection::Inactive
        }
    } else if let Some(token) = seal::open_refresh_token(authority, text).filter(|token| may_see(&token.client)) {
        look_into_refresh_token(authority, client, &token).await?
    } else {
        Introspection::Inactive
    };
    let active = !matches!(answer, Introspection::Inactive);
    authority.observer.observe(&Event::Introspected { client: &client.id, active });
    Ok(answer)
}

/// Good is the present generation of a living session. Looking does not use it.
async fn look_into_refresh_token(
    authority: &Authority,
    client: &Client,
    token: &RefreshToken,
) -> Result<Introspection, Refusal> {
    let now = authority.now();
    let idle_since = earlier(now, authority.policy.refresh_idle);
    let session = authority.ports.sessions.find_session(token.session).await?.filter(|session| {
        session.generation == token.generation && session.is_alive(now) && session.used_at >= idle_since
    });
    let Some(mut session) = session else { return Ok(Introspection::Inactive) };
    session.subject = subject::told_to(authority, client, &session.subject)?;
    Ok(Introspection::ActiveRefresh(Box::new(session)))
}

/// The user under the name that the caller knows. A client that speaks for itself has only one.
fn named(authority: &Authority, client: &Client, mut token: AccessToken) -> Result<AccessToken, Refusal> {
    if token.session.is_some() {
        token.subject = subject::told_to(authority, client, &token.subject)?;
    }
    Ok(token)
}
