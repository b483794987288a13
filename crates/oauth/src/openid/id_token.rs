//! id_tokens: signed words about who signed in, when and how.

use aws_lc_rs::digest;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use uuid::Uuid;

use super::ClaimsRequest;
use super::{claims, subject};
use crate::keys::SignedToken;
use crate::model::{Algorithm, Client, ClientId, Session, UserId};
use crate::tokens::jws;
use crate::{Authority, Refusal};

/// What the token speaks of.
pub struct IdTokenRequest<'a> {
    /// For whom it is.
    pub client: &'a Client,
    /// The session it belongs to.
    pub session: &'a Session,
    /// Returned as it came; only with a code.
    pub nonce: Option<&'a str>,
    /// The access token that goes with it.
    pub access_token: &'a str,
}

/// Signs an id_token.
pub async fn id_token(authority: &Authority, request: &IdTokenRequest<'_>) -> Result<String, Refusal> {
    let (client, session) = (request.client, request.session);
    let now = authority.now();
    let algorithm = client.id_token_algorithm;
    let mut payload = json!({
        "iss": authority.policy.issuer,
        "sub": subject::told_to(authority, client, &session.subject)?,
        "aud": client.id.as_str(),
        "azp": client.id.as_str(),
        "iat": now.as_second(),
        "exp": now.as_second() + i64::try_from(authority.policy.access_lifetime.as_secs()).unwrap_or(0),
        "auth_time": session.authenticated_at.as_second(),
        "acr": claims::ACR,
        "at_hash": half_hash(algorithm, request.access_token),
    });
    // Another provider that vouches for someone need not say how it knows them.
    if !session.methods.is_empty() {
        payload["amr"] = json!(session.methods);
    }
    if let Some(nonce) = request.nonce {
        payload["nonce"] = json!(nonce);
    }
    if let Some(sign_in) = session.origin.sign_in {
        payload["sid"] = json!(subject::sign_in_told_to(authority, client, sign_in)?);
    }
    // What an operator has taken from the client since is gone.
    let wanted = ClaimsRequest::read(session.claims.as_deref()).within(&client.scope);
    let mut wanted = wanted.for_id_token().peekable();
    // What this is the answer to is used up already: claims that cannot be looked up now are left out.
    if wanted.peek().is_some()
        && let Ok(Some(user)) = authority.ports.users.find_user(user_id(&session.subject)?).await
    {
        for name in wanted {
            // What the token says itself cannot be asked away.
            if payload.get(name).is_none()
                && let Some(value) = claims::value(&user, name)
            {
                payload[name] = value;
            }
        }
    }
    Ok(jws::sign(&authority.ring(), algorithm, SignedToken::Id, &payload, now)?)
}

/// The subject of an id_token that this server issued to this client. Its expiry does not matter.
pub fn subject_of(authority: &Authority, client: &Client, hint: &str) -> Option<String> {
    let payload: Value = jws::open(&authority.ring(), SignedToken::Id, hint)?;
    let is_ours = payload["iss"] == authority.policy.issuer.as_str() && payload["aud"] == client.id.as_str();
    if !is_ours {
        return None;
    }
    subject::meant_by(authority, client, payload["sub"].as_str()?)
}

/// Whom an id_token of this server was issued to. Its expiry does not matter.
pub(super) fn audience_of(authority: &Authority, hint: &str) -> Option<ClientId> {
    let payload: Value = jws::open(&authority.ring(), SignedToken::Id, hint)?;
    let is_ours = payload["iss"] == authority.policy.issuer.as_str();
    is_ours.then(|| payload["aud"].as_str().map(ClientId::new)).flatten()
}

/// The user behind a subject.
pub(super) fn user_id(subject: &str) -> Result<UserId, Refusal> {
    subject.parse::<Uuid>().map(UserId).map_err(|_| Refusal::TokenInvalid)
}

/// `at_hash`: the left half of the hash that belongs to the algorithm. Ed25519's is SHA-512.
fn half_hash(algorithm: Algorithm, token: &str) -> String {
    let hash = match algorithm {
        Algorithm::Es256 | Algorithm::Rs256 => digest::digest(&digest::SHA256, token.as_bytes()),
        Algorithm::EdDsa => digest::digest(&digest::SHA512, token.as_bytes()),
    };
    let bytes = hash.as_ref();
    URL_SAFE_NO_PAD.encode(&bytes[..bytes.len() / 2])
}
