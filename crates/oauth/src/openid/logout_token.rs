//! Logout tokens: an app is told, server to server, that its user signed out (OpenID Connect Back-Channel Logout).

use std::time::Duration;

use serde_json::json;

use super::subject;
use crate::keys::SignedToken;
use crate::model::{Client, Delivery, DeliveryId, DeliveryKind, SignIn};
use crate::moment::later;
use crate::tokens::jws;
use crate::{Authority, Refusal};

/// Long enough for a few attempts, short enough that a stolen one signs nobody out tomorrow.
const LIFE: Duration = Duration::from_secs(10 * 60);
/// What says that this is about a sign-out, and nothing that signs anyone in.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// The message that tells this app of the end of this sign-in; `None` if it does not want to know.
pub(crate) fn logout_message(
    authority: &Authority,
    client: &Client,
    sign_in: &SignIn,
) -> Result<Option<Delivery>, Refusal> {
    let Some(url) = client.backchannel_logout_uri.clone() else { return Ok(None) };
    let now = authority.now();
    let expires_at = later(now, LIFE);
    let payload = json!({
        "iss": authority.policy.issuer,
        "sub": subject::told_to(authority, client, &sign_in.user.to_string())?,
        "aud": client.id.as_str(),
        "iat": now.as_second(),
        "exp": expires_at.as_second(),
        "jti": authority.random.uuid(),
        "sid": subject::sign_in_told_to(authority, client, sign_in.id.0)?,
        "events": { EVENT: {} },
    });
    let token = jws::sign(&authority.ring(), client.id_token_algorithm, SignedToken::Logout, &payload, now)?;
    Ok(Some(Delivery {
        id: DeliveryId(authority.random.uuid_at(now)),
        kind: DeliveryKind::LogoutToken,
        url,
        content_type: "application/x-www-form-urlencoded".to_owned(),
        body: format!("logout_token={token}").into_bytes(),
        created_at: now,
        due_at: now,
        attempts: 0,
        expires_at,
    }))
}
