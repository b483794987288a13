//! Signed texts (RFC 7515): header, payload, signature. The algorithm is fixed by the key, never by the text.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::keys::{KeyError, Ring};
use crate::model::Algorithm;

/// No signed text of ours is longer; a longer one is not worth decoding.
const LONGEST: usize = 16 * 1024;

#[derive(Serialize, Deserialize)]
struct Header<'a> {
    typ: Cow<'a, str>,
    alg: Cow<'a, str>,
    kid: Cow<'a, str>,
    /// Extensions we would have to understand and do not (RFC 7515 §4.1.11).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    crit: Option<serde_json::Value>,
}

/// Signs a payload under a type.
pub(crate) fn sign(
    ring: &Ring,
    algorithm: Algorithm,
    typ: &str,
    payload: &impl Serialize,
    now: Timestamp,
) -> Result<String, KeyError> {
    let key = ring.signing(algorithm, now)?;
    let header = Header { typ: typ.into(), alg: algorithm.as_str().into(), kid: key.id().into(), crit: None };
    let unwritable = |_| KeyError::Crypto("payload");
    let mut text = String::with_capacity(768);
    URL_SAFE_NO_PAD.encode_string(serde_json::to_vec(&header).map_err(unwritable)?, &mut text);
    text.push('.');
    URL_SAFE_NO_PAD.encode_string(serde_json::to_vec(payload).map_err(unwritable)?, &mut text);
    let signature = key.sign(text.as_bytes())?;
    text.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut text);
    Ok(text)
}

/// Checks key, type and signature, and reads the payload. What it says is for the caller to judge.
pub(crate) fn open<T: DeserializeOwned>(ring: &Ring, typ: &str, text: &str) -> Option<T> {
    if text.len() > LONGEST {
        return None;
    }
    let (message, signature) = text.rsplit_once('.')?;
    let (header, payload) = message.split_once('.')?;
    let header: Header<'_> = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).ok()?).ok()?;
    let key = ring.signing_by_id(&header.kid)?;
    if header.alg != key.algorithm().as_str() || header.typ != typ || header.crit.is_some() {
        return None;
    }
    if !key.verify(message.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).ok()?) {
        return None;
    }
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()
}
