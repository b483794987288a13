//! Signed access tokens (RFC 9068). The algorithm is fixed by the key, never by the token.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::keys::{KeyError, Ring};
use crate::model::{AccessToken, Algorithm, ClientId, SessionId, TokenId};
use crate::protocol::Scope;

const TYPE: &str = "at+jwt";
const LONGEST: usize = 16 * 1024;

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    #[serde(borrow)]
    typ: Cow<'a, str>,
    alg: Cow<'a, str>,
    kid: Cow<'a, str>,
    /// Extensions we would have to understand and do not (RFC 7515 §4.1.11).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    crit: Option<serde_json::Value>,
}

#[derive(Serialize, Deserialize)]
struct Claims<'a> {
    #[serde(borrow)]
    iss: Cow<'a, str>,
    sub: Cow<'a, str>,
    aud: Cow<'a, str>,
    client_id: Cow<'a, str>,
    iat: i64,
    exp: i64,
    jti: Uuid,
    #[serde(skip_serializing_if = "str::is_empty", default)]
    scope: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    sid: Option<Uuid>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    api_version: Option<Cow<'a, str>>,
}

/// Signs an access token.
pub(super) fn sign(
    ring: &Ring,
    issuer: &str,
    algorithm: Algorithm,
    token: &AccessToken,
    now: Timestamp,
) -> Result<String, KeyError> {
    let key = ring.signing(algorithm, now)?;
    let header = Header { typ: TYPE.into(), alg: algorithm.as_str().into(), kid: key.id().into(), crit: None };
    let claims = Claims {
        iss: issuer.into(),
        sub: token.subject.as_str().into(),
        aud: token.audience.as_str().into(),
        client_id: token.client.as_str().into(),
        iat: token.issued_at.as_second(),
        exp: token.expires_at.as_second(),
        jti: token.id.0,
        scope: token.scope.as_str().into(),
        sid: token.session.map(|session| session.0),
        api_version: token.version_pin.as_deref().map(Cow::from),
    };
    let mut text = String::with_capacity(768);
    let unwritable = |_| KeyError::Crypto("claims");
    URL_SAFE_NO_PAD.encode_string(serde_json::to_vec(&header).map_err(unwritable)?, &mut text);
    text.push('.');
    URL_SAFE_NO_PAD.encode_string(serde_json::to_vec(&claims).map_err(unwritable)?, &mut text);
    let signature = key.sign(text.as_bytes())?;
    text.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut text);
    Ok(text)
}

/// Checks signature, type, key and issuer. Expiry and audience are for the caller to judge.
pub(super) fn open(ring: &Ring, issuer: &str, text: &str) -> Option<AccessToken> {
    if text.len() > LONGEST {
        return None;
    }
    let (message, signature) = text.rsplit_once('.')?;
    let (header, payload) = message.split_once('.')?;
    let header = URL_SAFE_NO_PAD.decode(header).ok()?;
    let header: Header<'_> = serde_json::from_slice(&header).ok()?;
    let key = ring.signing_by_id(&header.kid)?;
    if header.alg != key.algorithm().as_str() || header.typ != TYPE || header.crit.is_some() {
        return None;
    }
    if !key.verify(message.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).ok()?) {
        return None;
    }
    let payload = URL_SAFE_NO_PAD.decode(payload).ok()?;
    let claims: Claims<'_> = serde_json::from_slice(&payload).ok()?;
    if claims.iss != issuer {
        return None;
    }
    Some(AccessToken {
        id: TokenId(claims.jti),
        session: claims.sid.map(SessionId),
        client: ClientId::new(claims.client_id.into_owned()),
        subject: claims.sub.into_owned(),
        scope: Scope::parse(&claims.scope).ok()?,
        audience: claims.aud.into_owned(),
        issued_at: Timestamp::from_second(claims.iat).ok()?,
        expires_at: Timestamp::from_second(claims.exp).ok()?,
        version_pin: claims.api_version.map(Cow::into_owned),
        key_binding: None,
    })
}
