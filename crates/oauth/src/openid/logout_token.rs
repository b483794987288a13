//! Logout tokens: an app is told, server to server, that its user signed out (OpenID Connect Back-Channel Logout).
//!
//! A token is signed when it is sent, not when somebody signs out: who signs out everywhere may have used many apps, and a
//! signature may take a millisecond. What waits in the store is sealed, so that whoever can write there has nothing signed.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::subject;
use crate::keys::{KeyError, SealPurpose, SignedToken};
use crate::model::{Algorithm, Client, Delivery, DeliveryId, DeliveryKind, SignIn};
use crate::moment::later;
use crate::tokens::jws;
use crate::tokens::seal::{self, Passing};
use crate::{Authority, Refusal};

/// Long enough for a few attempts, short enough that a stolen one signs nobody out tomorrow.
const LIFE: Duration = Duration::from_secs(10 * 60);
/// What says that this is about a sign-out, and nothing that signs anyone in.
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// Who left whom, and how that is to be signed.
#[derive(Serialize, Deserialize)]
struct Departed {
    /// The message that this belongs to, and where it goes.
    id: Uuid,
    url: String,
    algorithm: Algorithm,
    aud: String,
    sub: String,
    sid: String,
    jti: Uuid,
    at: Timestamp,
}

impl Passing for Departed {
    fn made_at(&self) -> Option<Timestamp> {
        Some(self.at)
    }
}

/// Why a message has no token.
#[derive(Debug, thiserror::Error)]
pub enum LogoutError {
    /// What stands in the store is not what this server put there.
    #[error("what waits in the store cannot be read")]
    Unreadable,
    /// It cannot be signed.
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// The message that tells this app of the end of this sign-in; `None` if it does not want to know.
pub(crate) fn logout_message(
    authority: &Authority,
    client: &Client,
    sign_in: &SignIn,
) -> Result<Option<Delivery>, Refusal> {
    let Some(url) = client.backchannel_logout_uri.clone() else { return Ok(None) };
    let now = authority.now();
    let id = authority.random.uuid_at(now);
    let departed = Departed {
        id,
        url: url.clone(),
        algorithm: client.id_token_algorithm,
        aud: client.id.as_str().to_owned(),
        sub: subject::told_to(authority, client, &sign_in.user.to_string())?,
        sid: subject::sign_in_told_to(authority, client, sign_in.id.0)?,
        jti: authority.random.uuid(),
        at: now,
    };
    Ok(Some(Delivery {
        id: DeliveryId(id),
        kind: DeliveryKind::LogoutToken,
        url,
        content_type: "application/x-www-form-urlencoded".to_owned(),
        body: seal::value(authority, SealPurpose::LogoutToken, &departed)?.into_bytes(),
        created_at: now,
        due_at: now,
        attempts: 0,
        expires_at: later(now, LIFE),
    }))
}

/// What is sent for such a message: a form with the token. Signed with the key of this moment, which apps can find.
pub fn logout_form(authority: &Authority, message: &Delivery) -> Result<Vec<u8>, LogoutError> {
    let sealed = std::str::from_utf8(&message.body).map_err(|_| LogoutError::Unreadable)?;
    let departed: Option<Departed> = seal::open_value(authority, SealPurpose::LogoutToken, sealed);
    let departed = departed.filter(|departed| departed.id == message.id.0 && departed.url == message.url);
    let Departed { algorithm, aud, sub, sid, jti, at, .. } = departed.ok_or(LogoutError::Unreadable)?;
    let payload = json!({
        "iss": authority.policy.issuer,
        "sub": sub,
        "aud": aud,
        "iat": at.as_second(),
        "exp": later(at, LIFE).as_second(),
        "jti": jti,
        "sid": sid,
        "events": { EVENT: {} },
    });
    let token = jws::sign(&authority.ring(), algorithm, SignedToken::Logout, &payload, authority.now())?;
    Ok(format!("logout_token={token}").into_bytes())
}
