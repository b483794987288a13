//! Is this text an access token of ours that is still good?

use std::time::Duration;

use jiff::Timestamp;

use super::{jwt, seal};
use crate::model::AccessToken;
use crate::moment::later;
use crate::policy::{LONGEST_ACCESS_LIFETIME, RevocationCheck};
use crate::ports::StoreError;
use crate::{Authority, keys::SealPurpose, openid};

/// How far the clocks of two nodes may disagree.
const CLOCKS: Duration = Duration::from_secs(60);

/// A token that was opened. If it is still good is another question.
#[derive(Debug)]
pub struct Opened {
    /// What it says.
    pub token: AccessToken,
    /// Did the store have to say whom it speaks for? Then it may say something else another time.
    pub is_by_store: bool,
}

/// Opens a token, without asking whether it is still good.
pub async fn open(authority: &Authority, text: &str) -> Result<Option<Opened>, StoreError> {
    let by_itself = |token| Opened { token, is_by_store: false };
    if let Some(sealed) = open_at_once(authority, text) {
        return Ok(sealed.map(by_itself));
    }
    match jwt::open(&authority.ring(), &authority.policy.issuer, text) {
        Some(token) if token.session.is_some() && token.subject.parse::<uuid::Uuid>().is_err() => {
            Ok(named(authority, token).await?.map(|token| Opened { token, is_by_store: true }))
        }
        other => Ok(other.map(by_itself)),
    }
}

/// A signed token names its user as its client does; inside, the user has another name.
async fn named(authority: &Authority, mut token: AccessToken) -> Result<Option<AccessToken>, StoreError> {
    let Some(client) = authority.ports.clients.find(&token.client).await? else { return Ok(None) };
    Ok(openid::subject::meant_by(authority, &client, &token.subject).map(|subject| {
        token.subject = subject;
        token
    }))
}

/// Opens a token and answers it only if it is neither expired nor revoked.
///
/// Cheap reasons to refuse come first, so that a flood of bad tokens never reaches the store.
pub async fn verify(authority: &Authority, text: &str) -> Result<Option<AccessToken>, StoreError> {
    let Some(Opened { token, .. }) = open(authority, text).await? else { return Ok(None) };
    Ok(is_good(authority, &token).await?.then_some(token))
}

/// Opens a sealed token, for which nobody has to be asked. The outer `None`: it is none, and may be another kind.
pub fn open_at_once(authority: &Authority, text: &str) -> Option<Option<AccessToken>> {
    let is_sealed = text.starts_with(SealPurpose::AccessToken.prefix());
    is_sealed.then(|| seal::open_access_token(&authority.ring(), text))
}

/// Is a token that was opened neither expired nor revoked, if that is known in memory? `None`: the store has to be asked.
pub fn is_good_at_once(authority: &Authority, token: &AccessToken) -> Option<bool> {
    let now = authority.now();
    if is_good_here(authority, token, now) { trusts_window(authority, now).then_some(true) } else { Some(false) }
}

/// Is a token that was opened neither expired nor revoked?
pub async fn is_good(authority: &Authority, token: &AccessToken) -> Result<bool, StoreError> {
    let now = authority.now();
    if !is_good_here(authority, token, now) {
        return Ok(false);
    }
    Ok(trusts_window(authority, now) || !authority.ports.revocations.is_revoked(token).await?)
}

/// Is what is known in memory enough?
fn trusts_window(authority: &Authority, now: Timestamp) -> bool {
    match authority.policy.revocation_check {
        RevocationCheck::Window => authority.window.is_current(now),
        RevocationCheck::Store => false,
    }
}

/// Is it good as far as is known in memory?
fn is_good_here(authority: &Authority, token: &AccessToken, now: Timestamp) -> bool {
    // No token of ours was made in the future or lives longer than the longest life: such a one was forged with a key.
    let is_ours =
        token.issued_at <= later(now, CLOCKS) && token.expires_at <= later(token.issued_at, LONGEST_ACCESS_LIFETIME);
    is_ours && token.expires_at > now && !authority.window.covers(token)
}
