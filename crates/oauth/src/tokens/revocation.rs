//! Taking a token back (RFC 7009).

use super::{Opened, seal, verify};
use crate::model::{AccessToken, Client, Revocation, RevocationTarget, SessionEnd};
use crate::{Authority, Event, Refusal, sessions};

/// Takes a token back for the client that holds it.
///
/// A text that is no token of ours, or one that has expired, is already as dead as the caller wants it: that is
/// success. The hint of RFC 7009 is not needed, because a token tells its own kind. With a refresh token, the whole
/// session ends: nothing that it ever issued works any more.
pub async fn revoke(authority: &Authority, client: &Client, text: &str) -> Result<(), Refusal> {
    if let Some(Opened { token, .. }) = verify::open(authority, text).await? {
        return revoke_access_token(authority, client, token).await;
    }
    let Some(token) = seal::open_refresh_token(authority, text) else { return Ok(()) };
    if token.client != client.id {
        return Err(Refusal::TokenOfAnotherClient);
    }
    sessions::end(authority, token.session, SessionEnd::Revoked).await?;
    Ok(())
}

async fn revoke_access_token(authority: &Authority, client: &Client, token: AccessToken) -> Result<(), Refusal> {
    // What is dead already stays so without another row, and whose it was is not told.
    if !verify::is_good(authority, &token).await? {
        return Ok(());
    }
    if token.client != client.id {
        return Err(Refusal::TokenOfAnotherClient);
    }
    let revocation = Revocation { target: RevocationTarget::Token(token.id), expires_at: token.expires_at };
    authority.ports.revocations.record(&revocation).await?;
    // Durable first, then visible: a crash in between loses nothing that was answered.
    authority.window.add(&revocation);
    authority.observer.observe(&Event::TokenRevoked { client: &client.id });
    Ok(())
}
