//! Refresh: each use voids the token and brings the next one. A second use ends the session, at any age,
//! and so does a use that comes too late.

use std::time::Duration;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hmac;

use super::{Caller, TokenSet, binding, check_agreed_resource, tokens_for};
use crate::alerts::to_its_end;
use crate::keys::KeyError;
use crate::model::{AlertKind, Client, Revocation, RevocationTarget, Session, SessionEnd, SessionState};
use crate::moment::{earlier, later};
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{KeptAnswer, Rotation, RotationRules, RotationVerdict};
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
    pub scope: Option<String>,
    /// The API that it is for (RFC 8707), if the client names it again.
    pub resource: Option<String>,
    /// `Idempotency-Key`: the same key with the same token gets the same answer.
    pub key: Option<String>,
}

impl Renewal {
    /// Is there a wish that can be refused?
    fn asks(&self) -> bool {
        self.scope.is_some() || self.resource.is_some()
    }
}

/// Trades a refresh token for new tokens.
pub(super) async fn redeem(
    authority: &Authority,
    client: &Client,
    caller: &Caller,
    renewal: Renewal,
) -> Result<TokenSet, Refusal> {
    let presented = seal::open_refresh_token(authority, &renewal.token).ok_or(Refusal::RefreshUnknown)?;
    if presented.client != client.id {
        return Err(Refusal::RefreshOfAnotherClient);
    }
    // A thief without the key neither gets anything nor ends anything.
    if presented.key_binding.as_ref().is_some_and(|bound| !caller.holds(bound, authority.now())) {
        return Err(Refusal::RefreshOfAnotherKey);
    }
    // What began bound stays bound, whatever the client is registered for since.
    let binding = binding(authority, client, caller)?.or_else(|| presented.key_binding.clone());
    let turn = Turn { authority, client, caller, presented, binding, rules: rules(authority, client) };
    match &renewal.key {
        None => turn.rotate(&renewal).await,
        Some(key) => turn.rotate_under_key(&renewal, key).await,
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

/// One presentation of a refresh token.
struct Turn<'a> {
    authority: &'a Authority,
    client: &'a Client,
    caller: &'a Caller,
    presented: RefreshToken,
    /// What the new access token is bound to.
    binding: Option<String>,
    rules: RotationRules,
}

impl Turn<'_> {
    async fn rotate(self, renewal: &Renewal) -> Result<TokenSet, Refusal> {
        if renewal.asks() {
            // A wish that will be refused must not cost the token; what is asked rarely is looked up first.
            self.agreed(&self.session().await?, renewal).await?;
        }
        match self.take().await? {
            Rotation::Rotated(session) | Rotation::Repeated(session) => {
                let scope = self.narrow(&session, renewal)?;
                tokens_for(self.authority, self.client, &session, scope, None, self.binding).await
            }
            other => Err(refused(other)),
        }
    }

    /// The answer is made before the rotation and kept with it, in one step: whoever comes again finds both or neither.
    async fn rotate_under_key(mut self, renewal: &Renewal, key: &str) -> Result<TokenSet, Refusal> {
        let secret = Retry::new(self.client, &renewal.token, key)?;
        // A retry is known by this name, before there is an answer to keep. One without bytes is kept for no time.
        self.rules.answer = Some(KeptAnswer { id: secret.id, sealed: Vec::new(), expires_at: self.rules.now });
        let mut session = self.session().await?;
        let scope = self.agreed(&session, renewal).await?;
        session.generation = self.presented.generation + u32::from(self.rules.voids);
        let tokens = tokens_for(self.authority, self.client, &session, scope, None, self.binding.clone()).await?;
        let (sealed, expires_at) = (secret.seal(&tokens)?, later(self.rules.now, KEEP));
        self.rules.answer = Some(KeptAnswer { id: secret.id, sealed, expires_at });
        match self.take().await? {
            Rotation::Rotated(_) | Rotation::Repeated(_) => Ok(tokens),
            Rotation::Answered(sealed) => secret.open(&sealed),
            other => Err(refused(other)),
        }
    }

    async fn session(&self) -> Result<Session, Refusal> {
        self.authority.ports.sessions.find_session(self.presented.session).await?.ok_or(Refusal::RefreshUnknown)
    }

    /// What the wish comes to. One that is refused costs nothing where the token is good. Where it is not, that comes
    /// first: a reuse is one whatever the thief asks for.
    async fn agreed(&self, session: &Session, renewal: &Renewal) -> Result<Scope, Refusal> {
        let refusal = match self.narrow(session, renewal) {
            Ok(scope) => return Ok(scope),
            Err(refusal) => refusal,
        };
        match self.rules.judge(session, self.presented.generation) {
            RotationVerdict::Advance | RotationVerdict::Repeat => Err(refusal),
            RotationVerdict::Reuse | RotationVerdict::Ended | RotationVerdict::Unknown => match self.take().await? {
                // With the key of the first attempt it is a retry.
                Rotation::Rotated(_) | Rotation::Repeated(_) | Rotation::Answered(_) => Err(refusal),
                other => Err(refused(other)),
            },
        }
    }

    /// What was agreed to, or less. What an operator has taken from the client since is gone.
    fn narrow(&self, session: &Session, renewal: &Renewal) -> Result<Scope, Refusal> {
        check_agreed_resource(self.authority, session.resource.as_deref(), renewal.resource.as_deref())?;
        let granted = session.scope.filter(|name| self.client.scope.contains(name));
        match renewal.scope.as_deref().map(Scope::parse).transpose()? {
            None => Ok(granted),
            Some(asked) if asked.is_within(&granted) => Ok(asked),
            Some(_) => Err(Refusal::ScopeNotGranted),
        }
    }

    /// Rotates. For a reuse the store has ended the session already; what is left is to forget its tokens here and to
    /// tell someone.
    async fn take(&self) -> Result<Rotation, Refusal> {
        let (rotation, is_news) = self.take_and_raise().await?;
        if let Rotation::Reused(session) = &rotation {
            let target = RevocationTarget::Session(session.id);
            self.authority.window.add(&Revocation { target, expires_at: self.rules.tokens_until });
            if is_news && session.state == SessionState::Ended(SessionEnd::RefreshReused) {
                let (client, why) = (&session.client, SessionEnd::RefreshReused.as_str());
                self.authority.observer.observe(&Event::SessionEnded { session: session.id, client, why });
            }
        }
        Ok(rotation)
    }

    /// Answers whether a reuse is news.
    async fn take_and_raise(&self) -> Result<(Rotation, bool), Refusal> {
        let (sessions, alarm) = (self.authority.ports.sessions.clone(), self.authority.alarm.clone());
        let (caller, rules) = (self.caller.clone(), self.rules.clone());
        let (id, generation) = (self.presented.session, self.presented.generation);
        to_its_end(async move {
            let rotation = sessions.rotate(id, generation, &rules).await?;
            let Rotation::Reused(session) = &rotation else { return Ok((rotation, false)) };
            let is_news = alarm.raise(AlertKind::RefreshReused, |alert| {
                alert.concerns(session);
                alert.generation = Some(generation);
                alert.address = caller.address_text();
            });
            let is_news = is_news.await;
            Ok((rotation, is_news))
        })
        .await
    }
}

fn refused(rotation: Rotation) -> Refusal {
    match rotation {
        Rotation::Reused(session) => Refusal::RefreshReused(session.id),
        Rotation::Ended(_) => Refusal::SessionOver,
        Rotation::Unknown | Rotation::Rotated(_) | Rotation::Repeated(_) | Rotation::Answered(_) => {
            Refusal::RefreshUnknown
        }
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
