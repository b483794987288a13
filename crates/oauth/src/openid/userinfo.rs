//! Userinfo: what the holder of an access token may know about its user.

use serde_json::{Map, Value, json};

use super::ClaimsRequest;
use super::id_token::user_id;
use super::{claims, subject};
use crate::model::{AccessToken, Certificate};
use crate::{Authority, Refusal};

/// The claims that this access token, a good one, opens for whoever holds its key.
pub async fn userinfo(
    authority: &Authority,
    token: &AccessToken,
    certificate: Option<&Certificate>,
) -> Result<Map<String, Value>, Refusal> {
    if !token.is_held_by(certificate, authority.now()) {
        return Err(Refusal::TokenOfAnotherKey);
    }
    if !token.scope.contains("openid") {
        return Err(Refusal::TokenScope("openid"));
    }
    let user = authority.ports.users.find_user(user_id(&token.subject)?).await?.ok_or(Refusal::TokenInvalid)?;
    let kept = asked_for(authority, token).await?;
    let client = authority.ports.clients.find(&token.client).await?.ok_or(Refusal::TokenInvalid)?;
    // What an operator has taken from the client since is gone.
    let asked = ClaimsRequest::read(kept.as_deref()).within(&client.scope);
    let name = subject::told_to(authority, &client, &token.subject)?;
    let mut told = Map::from_iter([("sub".to_owned(), json!(name))]);
    for name in claims::of_scope(&token.scope).into_iter().chain(asked.for_userinfo()) {
        if !told.contains_key(name)
            && let Some(value) = claims::value(&user, name)
        {
            told.insert(name.to_owned(), value);
        }
    }
    Ok(told)
}

/// The `claims` parameter that the session began with.
async fn asked_for(authority: &Authority, token: &AccessToken) -> Result<Option<String>, Refusal> {
    let Some(session) = token.session else { return Ok(None) };
    Ok(authority.ports.sessions.find_session(session).await?.and_then(|session| session.claims))
}
