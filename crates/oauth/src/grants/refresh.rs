//! Refresh: each use voids the token and brings the next one. A second use ends the session, at any age.

use std::time::Duration;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hmac;

use super::{TokenSet, tokens_for};
use crate::keys::KeyError;
use crate::model::{Client, Revocation, RevocationTarget, Session};
use crate::moment::{earlier, later};
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{KeptAnswer, Rotation, RotationRules};
use crate::protocol::Scope;
use crate::tokens::{RefreshToken, seal};
use crate::{Authority, Event, Refusal};

/// How long an answer is kept under its key.
const KEEP: Duration = Duration::from_secs(60);

/// What came to the token endpoint.
#[derive(Debug)]
pub struct Renewal {
    /// The refresh token.
    pub token: String,
    /// A narrower scope, if one is wanted.
    pub scope: Option<Scope>,
    /// `Idempotency-Key`: the same key with the same token gets the same answer.
    pub key: Option<String>,
}

/// Trades a refresh token for new tokens.
pub(super) async fn redeem(authority: &Authority, client: &Client, renewal: Renewal) -> Result<TokenSet, Refusal> {
    let presented = seal::open_refresh_token(authority, &renewal.token).ok_or(Refusal::RefreshUnknown)?;
    if presented.client != client.id {
        return Err(Refusal::RefreshOfAnotherClient);
    }
    let rules = rules(authority, client);
    match &renewal.key {
        None => rotate(authority, client, &presented, renewal.scope, &rules).await,
        Some(key) => rotate_under_key(authority, client, &presented, &renewal, key, rules).await,
    }
}

fn rules(authority: &Authority, client: &Client) -> RotationRules {
    let now = authority.now();
    let window = client.refresh_retry_window;
    RotationRules {
        now,
        tokens_until: later(now, LONGEST_ACCESS_LIFETIME),
        idle_since: earlier(now, authority.policy.refresh_idle),
        retry_since: (!window.is_zero()).then(|| earlier(now, window)),
        voids: client.rotates_refresh_tokens,
        answer: None,
    }
}

async fn rotate(
    authority: &Authority,
    client: &Client,
    presented: &RefreshToken,
    scope: Option<Scope>,
    rules: &RotationRules,
) -> Result<TokenSet, Refusal> {
    if let Some(scope) = &scope {
        // A scope that will be refused must not cost the token; what is asked rarely is looked up first.
        let session = authority.ports.sessions.find_session(presented.session).await?;
        narrow(&session.ok_or(Refusal::RefreshUnknown)?, Some(scope.clone()))?;
    }
    match authority.ports.sessions.rotate(presented.session, presented.generation, rules).await? {
        Rotation::Rotated(session) | Rotation::Repeated(session) => {
            let scope = narrow(&session, scope)?;
            tokens_for(authority, client, &session, scope, None).await
        }
        other => Err(refused(authority, other, rules)),
    }
}

/// The answer is made before the rotation and kept with it, in one step: whoever comes again finds both or neither.
async fn rotate_under_key(
    authority: &Authority,
    client: &Client,
    presented: &RefreshToken,
    renewal: &Renewal,
    key: &str,
    mut rules: RotationRules,
) -> Result<TokenSet, Refusal> {
    let secret = Retry::new(client, &renewal.token, key)?;
    let mut session = authority.ports.sessions.find_session(presented.session).await?.ok_or(Refusal::RefreshUnknown)?;
    let scope = narrow(&session, renewal.scope.clone())?;
    session.generation = presented.generation + u32::from(rules.voids);
    let tokens = tokens_for(authority, client, &session, scope, None).await?;
    rules.answer =
        Some(KeptAnswer { id: secret.id, sealed: secret.seal(&tokens)?, expires_at: later(rules.now, KEEP) });
    match authority.ports.sessions.rotate(presented.session, presented.generation, &rules).await? {
        Rotation::Rotated(_) | Rotation::Repeated(_) => Ok(tokens),
        Rotation::Answered(sealed) => secret.open(&sealed),
        other => Err(refused(authority, other, &rules)),
    }
}

fn refused(authority: &Authority, rotation: Rotation, rules: &RotationRules) -> Refusal {
    match rotation {
        Rotation::Reused(session) => {
            // The store has ended the session already; what is left is to forget its tokens here and to tell someone.
            let target = RevocationTarget::Session(session.id);
            authority.window.add(&Revocation { target, expires_at: rules.tokens_until });
            authority.observer.observe(&Event::SessionEnded {
                session: session.id,
                client: &session.client,
                why: crate::model::SessionEnd::RefreshReused.as_str(),
            });
            Refusal::RefreshReused(session.id)
        }
        Rotation::Ended(_) => Refusal::SessionOver,
        Rotation::Unknown | Rotation::Rotated(_) | Rotation::Repeated(_) | Rotation::Answered(_) => {
            Refusal::RefreshUnknown
        }
    }
}

/// What was agreed to, or less.
fn narrow(session: &Session, asked: Option<Scope>) -> Result<Scope, Refusal> {
    match asked {
        None => Ok(session.scope.clone()),
        Some(asked) if asked.is_within(&session.scope) => Ok(asked),
        Some(_) => Err(Refusal::ScopeNotGranted),
    }
}

/// What follows from the presented token and key: the name of the answer, and the key that seals it. The database alone
/// opens nothing.
struct Retry {
    id: [u8; 32],
    cipher: LessSafeKey,
}

impl Retry {
    fn new(client: &Client, token: &str, key: &str) -> Result<Self, Refusal> {
        let mac = hmac::Key::new(hmac::HMAC_SHA256, token.as_bytes());
        let derive = |purpose: &str| {
            let mut context = hmac::Context::with_key(&mac);
            for part in [purpose, client.id.as_str(), key] {
                context.update(&(part.len() as u64).to_be_bytes());
                context.update(part.as_bytes());
            }
            context.sign()
        };
        let mut id = [0; 32];
        id.copy_from_slice(derive("name").as_ref());
        let cipher =
            UnboundKey::new(&AES_256_GCM_SIV, derive("seal").as_ref()).map_err(|_| KeyError::Crypto("retry"))?;
        Ok(Self { id, cipher: LessSafeKey::new(cipher) })
    }

    /// One key seals one answer, or the same request's again: a fixed nonce repeats nothing else (and GCM-SIV bears it).
    fn nonce() -> Nonce {
        Nonce::assume_unique_for_key([0; 12])
    }

    fn seal(&self, tokens: &TokenSet) -> Result<Vec<u8>, Refusal> {
        let mut sealed = serde_json::to_vec(&tokens.kept()).map_err(|_| KeyError::Crypto("answer"))?;
        self.cipher
            .seal_in_place_append_tag(Self::nonce(), Aad::empty(), &mut sealed)
            .map_err(|_| KeyError::Crypto("answer"))?;
        Ok(sealed)
    }

    fn open(&self, sealed: &[u8]) -> Result<TokenSet, Refusal> {
        let mut bytes = sealed.to_vec();
        let opened = self
            .cipher
            .open_in_place(Self::nonce(), Aad::empty(), &mut bytes)
            .map_err(|_| KeyError::Crypto("answer"))?;
        TokenSet::from_kept(opened).ok_or(Refusal::Keys(KeyError::Crypto("answer")))
    }
}
