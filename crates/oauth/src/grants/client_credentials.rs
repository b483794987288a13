//! Client credentials: the client speaks for itself. `sub` is the client, there is no refresh token, nothing is written.

use super::{Caller, TokenSet, audience, binding};
use crate::model::{Client, ClientKind};
use crate::protocol::{OF_USERS, Scope};
use crate::tokens;
use crate::{Authority, Refusal};

pub(super) fn redeem(
    authority: &Authority,
    client: &Client,
    caller: &Caller,
    scope: Option<Scope>,
    resource: Option<String>,
) -> Result<TokenSet, Refusal> {
    if client.kind == ClientKind::Public {
        return Err(Refusal::ClientIsPublic);
    }
    let scope = match scope {
        // A client alone is no user.
        None => client.scope.filter(|name| !OF_USERS.contains(&name)),
        Some(asked) => within(client, asked)?,
    };
    let audience = audience(authority, resource)?;
    let binding = binding(authority, client, caller)?;
    let issued = tokens::issue(authority, client, None, scope, audience, binding)?;
    Ok(TokenSet {
        access_token: issued.text,
        expires_in: issued.expires_in,
        scope: issued.scope,
        refresh_token: None,
        id_token: None,
    })
}

fn within(client: &Client, asked: Scope) -> Result<Scope, Refusal> {
    if let Some(name) = asked.names().find(|name| OF_USERS.contains(name)) {
        return Err(Refusal::ScopeNeedsUser(name.to_owned()));
    }
    if let Some(name) = asked.names().find(|name| !client.scope.contains(name)) {
        return Err(Refusal::ScopeNotRegistered(name.to_owned()));
    }
    Ok(asked)
}
