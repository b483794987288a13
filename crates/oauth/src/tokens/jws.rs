//! Signed texts (RFC 7515): head, payload, signature. The algorithm is fixed by the key, never by the text.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::keys::{KeyError, Ring, SignedToken};
use crate::model::Algorithm;

/// No signed text of ours is longer; a longer one is not worth decoding.
const LONGEST: usize = 16 * 1024;

/// Signs a payload of this kind.
pub(crate) fn sign(
    ring: &Ring,
    algorithm: Algorithm,
    kind: SignedToken,
    payload: &impl Serialize,
    now: Timestamp,
) -> Result<String, KeyError> {
    let key = ring.signing(algorithm, now)?;
    let payload = serde_json::to_vec(payload).map_err(|_| KeyError::Crypto("payload"))?;
    let mut text = String::with_capacity(768);
    text.push_str(key.head(kind));
    text.push('.');
    URL_SAFE_NO_PAD.encode_string(payload, &mut text);
    let signature = key.sign(text.as_bytes())?;
    text.push('.');
    URL_SAFE_NO_PAD.encode_string(signature, &mut text);
    Ok(text)
}

/// Checks kind, key and signature, and reads the payload. What it says is for the caller to judge.
pub(crate) fn open<T: DeserializeOwned>(ring: &Ring, kind: SignedToken, text: &str) -> Option<T> {
    if text.len() > LONGEST {
        return None;
    }
    let (message, signature) = text.rsplit_once('.')?;
    let (head, payload) = message.split_once('.')?;
    let key = ring.signing_by_head(kind, head)?;
    if !key.verify(message.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).ok()?) {
        return None;
    }
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()
}
