//! Sealed texts: a prefix that tells the purpose, then base64url of key number, nonce and sealed bytes.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::codec;
use crate::Authority;
use crate::keys::{KeyError, Ring, SealPurpose};
use crate::model::{AccessToken, ClientId, SessionId};
use crate::moment::later;
use crate::ports::Random;

/// Key number and nonce stand in front of the sealed bytes.
const FRONT: usize = 4 + 12;
/// No sealed text of ours is longer; a longer one is not worth decoding.
const LONGEST: usize = 16 * 1024;

/// Nodes may go on with a key for a moment after it was replaced.
const REPLACEMENT: Duration = Duration::from_secs(60);

/// What a refresh token says: which generation of which session, and whose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshToken {
    /// The session.
    pub session: SessionId,
    /// Its generation.
    pub generation: u32,
    /// The client it was issued to.
    pub client: ClientId,
    /// The certificate it is bound to, by its thumbprint.
    pub key_binding: Option<String>,
}

/// Seals an access token.
pub(super) fn access_token(
    ring: &Ring,
    token: &AccessToken,
    random: &dyn Random,
    now: Timestamp,
) -> Result<String, KeyError> {
    seal(ring, SealPurpose::AccessToken, random, now, |bytes| codec::encode(token, bytes))
}

/// Opens an access token. `None` for anything that this server did not seal as one.
pub(super) fn open_access_token(ring: &Ring, text: &str) -> Option<AccessToken> {
    let (token, generation) = open_with(ring, SealPurpose::AccessToken, text, codec::decode)?;
    is_timely(ring, generation, token.issued_at).then_some(token)
}

/// A key that was replaced opens what it sealed, and not what someone who stole it seals today.
fn is_timely(ring: &Ring, generation: u32, made_at: Timestamp) -> bool {
    ring.sealing_replaced_at(generation).is_none_or(|moment| made_at <= later(moment, REPLACEMENT))
}

/// Seals a refresh token.
pub fn refresh_token(authority: &Authority, token: &RefreshToken) -> Result<String, KeyError> {
    seal(&authority.ring(), SealPurpose::RefreshToken, &*authority.random, authority.now(), |bytes| {
        bytes.extend_from_slice(token.session.0.as_bytes());
        bytes.extend_from_slice(&token.generation.to_be_bytes());
        bytes.extend_from_slice(token.client.as_str().as_bytes());
        // No id has a zero byte, so that tokens from before there were bindings read as they always did.
        if let Some(binding) = &token.key_binding {
            bytes.push(0);
            bytes.extend_from_slice(binding.as_bytes());
        }
    })
}

/// Opens a refresh token.
pub fn open_refresh_token(authority: &Authority, text: &str) -> Option<RefreshToken> {
    open(&authority.ring(), SealPurpose::RefreshToken, text, |bytes| {
        let (session, rest) = bytes.split_first_chunk::<16>()?;
        let (generation, client) = rest.split_first_chunk::<4>()?;
        let client = std::str::from_utf8(client).ok()?;
        let (client, key_binding) = match client.split_once('\0') {
            Some((client, binding)) => (client, Some(binding.to_owned())),
            None => (client, None),
        };
        Some(RefreshToken {
            session: SessionId(Uuid::from_bytes(*session)),
            generation: u32::from_be_bytes(*generation),
            client: ClientId::new(client),
            key_binding,
        })
    })
}

/// A value that only this server reads again soon.
pub(crate) trait Passing: Serialize + DeserializeOwned {
    /// When it was made. `None` for what the store knows: whoever stole a key cannot make that up.
    fn made_at(&self) -> Option<Timestamp>;
}

/// Seals a value.
pub(crate) fn value(authority: &Authority, purpose: SealPurpose, value: &impl Passing) -> Result<String, KeyError> {
    let json = serde_json::to_vec(value).map_err(|_| KeyError::Crypto("sealed value"))?;
    seal(&authority.ring(), purpose, &*authority.random, authority.now(), |bytes| bytes.extend_from_slice(&json))
}

/// Opens what [`value`] sealed for the same purpose.
pub(crate) fn open_value<T: Passing>(authority: &Authority, purpose: SealPurpose, text: &str) -> Option<T> {
    let ring = authority.ring();
    let (value, generation) = open_with(&ring, purpose, text, |bytes| serde_json::from_slice::<T>(bytes).ok())?;
    value.made_at().is_none_or(|made_at| is_timely(&ring, generation, made_at)).then_some(value)
}

fn seal(
    ring: &Ring,
    purpose: SealPurpose,
    random: &dyn Random,
    now: Timestamp,
    write: impl FnOnce(&mut Vec<u8>),
) -> Result<String, KeyError> {
    let key = ring.sealing(now)?;
    let mut bytes = Vec::with_capacity(256);
    bytes.extend_from_slice(&key.generation().to_be_bytes());
    bytes.resize(FRONT, 0);
    write(&mut bytes);
    key.seal(purpose, &mut bytes, FRONT, random)?;
    let prefix = purpose.prefix();
    let mut text = String::with_capacity(prefix.len() + bytes.len() * 4 / 3 + 4);
    text.push_str(prefix);
    URL_SAFE_NO_PAD.encode_string(&bytes, &mut text);
    Ok(text)
}

fn open<T>(ring: &Ring, purpose: SealPurpose, text: &str, read: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    open_with(ring, purpose, text, read).map(|(value, _)| value)
}

/// The value, and the number of the key that sealed it.
fn open_with<T>(
    ring: &Ring,
    purpose: SealPurpose,
    text: &str,
    read: impl FnOnce(&[u8]) -> Option<T>,
) -> Option<(T, u32)> {
    let body = text.strip_prefix(purpose.prefix())?;
    if body.len() > LONGEST {
        return None;
    }
    let mut bytes = URL_SAFE_NO_PAD.decode(body).ok()?;
    let (number, sealed) = bytes.split_at_mut_checked(4)?;
    let generation = u32::from_be_bytes((&*number).try_into().ok()?);
    let value = read(ring.sealing_by_generation(generation)?.open(purpose, sealed)?)?;
    Some((value, generation))
}
