//! Signed access tokens (RFC 9068).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::jws;
use crate::keys::{KeyError, Ring};
use crate::model::{AccessToken, Algorithm, ClientId, SessionId, TokenId};
use crate::openid::ACR;
use crate::protocol::Scope;

const TYPE: &str = "at+jwt";

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: String,
    client_id: String,
    iat: i64,
    exp: i64,
    jti: Uuid,
    #[serde(skip_serializing_if = "Scope::is_empty", default)]
    scope: Scope,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    sid: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    api_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cnf: Option<Confirmation>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    auth_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", default, skip_deserializing)]
    acr: Option<&'static str>,
}

/// Which key a token is bound to (RFC 7800, RFC 8705 §3.1).
#[derive(Serialize, Deserialize)]
struct Confirmation {
    #[serde(rename = "x5t#S256")]
    thumbprint: String,
}

/// Signs an access token that names its subject as its client does.
pub(super) fn sign(
    ring: &Ring,
    issuer: &str,
    algorithm: Algorithm,
    token: &AccessToken,
    subject: &str,
    now: Timestamp,
) -> Result<String, KeyError> {
    let claims = Claims {
        iss: issuer.to_owned(),
        sub: subject.to_owned(),
        aud: token.audience.clone(),
        client_id: token.client.to_string(),
        iat: token.issued_at.as_second(),
        exp: token.expires_at.as_second(),
        jti: token.id.0,
        scope: token.scope.clone(),
        sid: token.session.map(|session| session.0),
        api_version: token.version_pin.clone(),
        cnf: token.key_binding.clone().map(|thumbprint| Confirmation { thumbprint }),
        auth_time: token.authenticated_at.map(Timestamp::as_second),
        acr: token.authenticated_at.map(|_| ACR),
    };
    jws::sign(ring, algorithm, TYPE, &claims, now)
}

/// Checks signature, type, key and issuer. Expiry and audience, and whom the subject names, are for the caller to judge.
pub(super) fn open(ring: &Ring, issuer: &str, text: &str) -> Option<AccessToken> {
    let claims: Claims = jws::open(ring, TYPE, text)?;
    if claims.iss != issuer {
        return None;
    }
    Some(AccessToken {
        id: TokenId(claims.jti),
        session: claims.sid.map(SessionId),
        client: ClientId::new(claims.client_id),
        subject: claims.sub,
        scope: claims.scope,
        audience: claims.aud,
        issued_at: Timestamp::from_second(claims.iat).ok()?,
        expires_at: Timestamp::from_second(claims.exp).ok()?,
        version_pin: claims.api_version,
        key_binding: claims.cnf.map(|confirmation| confirmation.thumbprint),
        authenticated_at: claims.auth_time.map(Timestamp::from_second).transpose().ok()?,
    })
}
