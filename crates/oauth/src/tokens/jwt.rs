//! Signed access tokens (RFC 9068).

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::jws;
use crate::keys::{KeyError, Ring, SignedToken};
use crate::model::{AccessToken, Algorithm, ClientId, SessionId, TokenId};
use crate::openid::ACR;
use crate::protocol::Scope;

#[derive(Serialize, Deserialize)]
struct Claims<'a> {
    iss: Cow<'a, str>,
    sub: Cow<'a, str>,
    aud: Cow<'a, str>,
    client_id: Cow<'a, str>,
    iat: i64,
    exp: i64,
    jti: Uuid,
    #[serde(skip_serializing_if = "Scope::is_empty", default)]
    scope: Cow<'a, Scope>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    sid: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    api_version: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cnf: Option<Confirmation<'a>>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    auth_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", default, skip_deserializing)]
    acr: Option<&'static str>,
}

/// Which key a token is bound to (RFC 7800, RFC 8705 §3.1).
#[derive(Serialize, Deserialize)]
struct Confirmation<'a> {
    #[serde(rename = "x5t#S256")]
    thumbprint: Cow<'a, str>,
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
        iss: issuer.into(),
        sub: subject.into(),
        aud: token.audience.as_str().into(),
        client_id: token.client.as_str().into(),
        iat: token.issued_at.as_second(),
        exp: token.expires_at.as_second(),
        jti: token.id.0,
        scope: Cow::Borrowed(&token.scope),
        sid: token.session.map(|session| session.0),
        api_version: token.version_pin.as_deref().map(Cow::Borrowed),
        cnf: token.key_binding.as_deref().map(|thumbprint| Confirmation { thumbprint: thumbprint.into() }),
        auth_time: token.authenticated_at.map(Timestamp::as_second),
        acr: token.authenticated_at.map(|_| ACR),
    };
    jws::sign(ring, algorithm, SignedToken::Access, &claims, now)
}

/// Checks signature, type, key and issuer. Expiry and audience, and whom the subject names, are for the caller to judge.
pub(super) fn open(ring: &Ring, issuer: &str, text: &str) -> Option<AccessToken> {
    let claims: Claims<'_> = jws::open(ring, SignedToken::Access, text)?;
    if claims.iss != issuer {
        return None;
    }
    Some(AccessToken {
        id: TokenId(claims.jti),
        session: claims.sid.map(SessionId),
        client: ClientId::new(claims.client_id),
        subject: claims.sub.into_owned(),
        scope: claims.scope.into_owned(),
        audience: claims.aud.into_owned(),
        issued_at: Timestamp::from_second(claims.iat).ok()?,
        expires_at: Timestamp::from_second(claims.exp).ok()?,
        version_pin: claims.api_version.map(Cow::into_owned),
        key_binding: claims.cnf.map(|confirmation| confirmation.thumbprint.into_owned()),
        authenticated_at: claims.auth_time.map(Timestamp::from_second).transpose().ok()?,
    })
}
