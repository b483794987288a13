//! Is this text an access token of ours that is still good?

use std::time::Duration;

use super::{jwt, seal};
use crate::model::AccessToken;
use crate::moment::later;
use crate::policy::{LONGEST_ACCESS_LIFETIME, RevocationCheck};
use crate::ports::StoreError;
use crate::{Authority, keys::SealPurpose};

/// How far the clocks of two nodes may disagree.
const CLOCKS: Duration = Duration::from_secs(60);

/// Opens a token, without asking whether it is still good.
pub(super) fn open(authority: &Authority, text: &str) -> Option<AccessToken> {
    let ring = authority.ring();
    if text.starts_with(SealPurpose::AccessToken.prefix()) {
        seal::open_access_token(&ring, text)
    } else {
        jwt::open(&ring, &authority.policy.issuer, text)
    }
}

/// Opens a token and answers it only if it is neither expired nor revoked.
///
/// Cheap reasons to refuse come first, so that a flood of bad tokens never reaches the store.
pub async fn verify(authority: &Authority, text: &str) -> Result<Option<AccessToken>, StoreError> {
    let Some(token) = open(authority, text) else { return Ok(None) };
    Ok(is_good(authority, &token).await?.then_some(token))
}

pub(super) async fn is_good(authority: &Authority, token: &AccessToken) -> Result<bool, StoreError> {
    let now = authority.now();
    // No token of ours was made in the future or lives longer than the longest life: such a one was forged with a key.
    let is_ours =
        token.issued_at <= later(now, CLOCKS) && token.expires_at <= later(token.issued_at, LONGEST_ACCESS_LIFETIME);
    if !is_ours || token.expires_at <= now || authority.window.covers(token) {
        return Ok(false);
    }
    match authority.policy.revocation_check {
        RevocationCheck::Window => Ok(true),
        RevocationCheck::Store => Ok(!authority.ports.revocations.is_revoked(token).await?),
    }
}
