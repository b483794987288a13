//! A code becomes what the provider says of a person.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::directory::Directory;
use super::id_token::{self, Claims, Expected};
use super::metadata::Metadata;
use super::pending::Pending;
use super::refusal::protocol_word;
use super::{UpstreamRefusal, encode};
use crate::model::Secret;
use crate::ports::{ClientProof, UpstreamCalls};

/// One answer of a provider, and what is known about it.
pub(super) struct Exchange<'a> {
    pub directory: &'a Directory,
    pub metadata: &'a Metadata,
    pub pending: &'a Pending,
    pub calls: &'a dyn UpstreamCalls,
    pub redirect_uri: &'a str,
    pub now: Timestamp,
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    access_token: Option<String>,
}

impl Exchange<'_> {
    /// Trades the code for tokens.
    async fn redeem(&self, code: &str) -> Result<Tokens, UpstreamRefusal> {
        let (provider, metadata) = (&self.directory.provider, self.metadata);
        let secret = provider.secret.as_ref().map(Secret::expose);
        let in_header = secret.filter(|_| metadata.takes_basic());
        let form = encode::pairs(&[
            ("grant_type", Some("authorization_code")),
            ("code", Some(code)),
            ("redirect_uri", Some(self.redirect_uri)),
            ("code_verifier", Some(&self.pending.verifier)),
            ("client_id", Some(provider.client_id.as_str()).filter(|_| in_header.is_none())),
            ("client_secret", secret.filter(|_| in_header.is_none())),
        ]);
        let proof = in_header.map_or(ClientProof::InForm, |secret| {
            // RFC 6749 §2.3.1: both are encoded as in a form first.
            let pair = format!("{}:{}", encode::word(&provider.client_id), encode::word(secret));
            ClientProof::Basic(Secret::new(STANDARD.encode(pair)))
        });
        let (status, body) = self.calls.post(&metadata.token_endpoint, Secret::new(form), proof).await?;
        if status != 200 {
            let said: Value = serde_json::from_slice(&body).unwrap_or_default();
            return Err(UpstreamRefusal::Failed(protocol_word(said["error"].as_str().unwrap_or_default())));
        }
        serde_json::from_slice(&body).map_err(|_| UpstreamRefusal::Untrusted("the answer has no id_token"))
    }

    /// What the provider says of the person: in the id_token, and where that is little, at its userinfo endpoint.
    pub(super) async fn claims(&self, code: &str) -> Result<Claims, UpstreamRefusal> {
        let Self { directory, metadata, pending, calls, now, .. } = *self;
        let (provider, tokens) = (&directory.provider, self.redeem(code).await?);
        let kid = id_token::key_id(&tokens.id_token)?;
        let keys = directory.keys(calls, now, kid.as_deref()).await?;
        let expected = Expected {
            issuer: &provider.issuer,
            client_id: &provider.client_id,
            nonce: &pending.nonce,
            access_token: tokens.access_token.as_deref(),
            began_at: pending.began_at,
            now,
        };
        let mut claims = id_token::verify(&tokens.id_token, &keys, &expected)?;
        let wanted = ["username", "name", "email"].into_iter().filter_map(|name| provider.claim_for(name));
        let is_enough = wanted.into_iter().all(|claim| claims.contains_key(claim));
        if !is_enough && let (Some(address), Some(token)) = (&metadata.userinfo_endpoint, &tokens.access_token) {
            let document = calls.fetch(address, Some(&Secret::new(token.as_str()))).await?;
            let more: Claims = serde_json::from_slice(&document)
                .map_err(|_| UpstreamRefusal::Untrusted("what userinfo says cannot be read"))?;
            // Core §5.3.2: of another person it is worth nothing.
            if more.get("sub") != claims.get("sub") {
                return Err(UpstreamRefusal::Untrusted("userinfo speaks of someone else"));
            }
            add(&mut claims, more);
        }
        Ok(claims)
    }
}

/// Adds what userinfo says to what was signed. When and how someone signed in is for the signed word alone, and what was
/// verified is said of one address and of no other.
fn add(claims: &mut Claims, more: Claims) {
    // Said of no address, it would be taken for a word on the one that comes now.
    if !claims.contains_key("email") {
        claims.remove("email_verified");
    }
    let is_same = claims.get("email").is_none_or(|email| more.get("email") == Some(email));
    let may = |name: &str| match name {
        "auth_time" | "amr" => false,
        "email_verified" => is_same,
        _ => true,
    };
    for (name, value) in more.into_iter().filter(|(name, _)| may(name)) {
        claims.entry(name).or_insert(value);
    }
}
