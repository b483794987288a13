//! Opaque tokens: a prefix, then base64url of key number, nonce and sealed bytes.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;

use super::codec;
use crate::keys::{KeyError, Ring, SealPurpose};
use crate::model::AccessToken;
use crate::ports::Random;

/// Key number and nonce stand in front of the sealed bytes.
const FRONT: usize = 4 + 12;
/// No token of ours is longer; a longer one is not worth decoding.
const LONGEST: usize = 8 * 1024;

/// Seals an access token.
pub(super) fn seal(ring: &Ring, token: &AccessToken, random: &dyn Random, now: Timestamp) -> Result<String, KeyError> {
    let key = ring.sealing(now)?;
    let mut bytes = Vec::with_capacity(256);
    bytes.extend_from_slice(&key.generation().to_be_bytes());
    bytes.resize(FRONT, 0);
    codec::encode(token, &mut bytes);
    key.seal(SealPurpose::AccessToken, &mut bytes, FRONT, random)?;
    let prefix = SealPurpose::AccessToken.prefix();
    let mut text = String::with_capacity(prefix.len() + bytes.len() * 4 / 3 + 4);
    text.push_str(prefix);
    URL_SAFE_NO_PAD.encode_string(&bytes, &mut text);
    Ok(text)
}

/// Opens an access token. `None` for anything that this server did not seal as one.
pub(super) fn open(ring: &Ring, text: &str) -> Option<AccessToken> {
    let body = text.strip_prefix(SealPurpose::AccessToken.prefix())?;
    if body.len() > LONGEST {
        return None;
    }
    let mut bytes = URL_SAFE_NO_PAD.decode(body).ok()?;
    let (number, sealed) = bytes.split_at_mut_checked(4)?;
    let generation = u32::from_be_bytes((&*number).try_into().ok()?);
    let opened = ring.sealing_by_generation(generation)?.open(SealPurpose::AccessToken, sealed)?;
    codec::decode(opened)
}
