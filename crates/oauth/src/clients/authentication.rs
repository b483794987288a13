//! Which client is asking? Every wrong answer looks the same from outside, and a secret is compared in constant time.

use std::sync::Arc;

use crate::model::{Certificate, Client, ClientId, ClientKind, Secret, SecretDigest};
use crate::{Authority, Event, Refusal};

/// What a request brought to prove its client.
#[derive(Debug)]
pub struct Presented {
    /// Whom it claims to be.
    pub id: ClientId,
    /// The proof; public clients have none.
    pub secret: Option<Secret>,
    /// The certificate it came with.
    pub certificate: Option<Arc<Certificate>>,
}

/// Proves a confidential client by its secret or its certificate, whichever it is registered with. A public client is known by its id alone.
pub async fn identify(authority: &Authority, presented: &Presented) -> Result<Arc<Client>, Refusal> {
    let outcome = check(authority, presented).await;
    if let Err(
        Refusal::ClientUnknown
        | Refusal::ClientSecretWrong
        | Refusal::ClientSecretMissing
        | Refusal::ClientCertificateWrong,
    ) = outcome
    {
        let known = !matches!(outcome, Err(Refusal::ClientUnknown));
        authority.observer.observe(&Event::ClientRefused { client: known.then_some(&presented.id) });
    }
    outcome
}

/// Like [`identify`], but a public client is not enough.
pub async fn authenticate(authority: &Authority, presented: &Presented) -> Result<Arc<Client>, Refusal> {
    let client = identify(authority, presented).await?;
    if client.kind == ClientKind::Public { Err(Refusal::ClientIsPublic) } else { Ok(client) }
}

async fn check(authority: &Authority, presented: &Presented) -> Result<Arc<Client>, Refusal> {
    // Digested before the client is known, so that an unknown id costs the same.
    let digest = presented.secret.as_ref().map(|secret| SecretDigest::of(secret.expose()));
    let client = authority.ports.clients.find(&presented.id).await?.ok_or(Refusal::ClientUnknown)?;
    // Who is known by a certificate cannot fall back to a secret, not even to one it once had.
    if let Some(identity) = &client.tls {
        let shown = presented.certificate.as_ref().is_some_and(|shown| identity.is_shown_by(shown, authority.now()));
        return if shown && digest.is_none() { Ok(client) } else { Err(Refusal::ClientCertificateWrong) };
    }
    match (client.kind, digest) {
        (ClientKind::Public, None) => Ok(client),
        (ClientKind::Public, Some(_)) => Err(Refusal::ClientSecretWrong),
        (ClientKind::Confidential, None) => Err(Refusal::ClientSecretMissing),
        (ClientKind::Confidential, Some(digest)) => {
            if client.accepts(&digest, authority.now()) {
                Ok(client)
            } else {
                Err(Refusal::ClientSecretWrong)
            }
        }
    }
}
