//! Refresh: each use voids the token and brings the next one. A second use ends the session, at any age,
//! and so does a use that comes too late.

use super::retry::Retry;
use super::{Caller, TokenSet, binding, check_agreed_resource, tokens_for};
use crate::alerts::to_its_end;
use crate::model::{AlertKind, Client, Revocation, RevocationTarget, Session, SessionEnd, SessionState};
use crate::moment::{earlier, later};
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{Rotation, RotationRules, RotationVerdict};
use crate::protocol::Scope;
use crate::tokens::{RefreshToken, seal};
use crate::{Authority, Event, Refusal};

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
        let retry = Retry::new(self.client, &renewal.token, key)?;
        self.rules.answer = Some(retry.name(self.rules.now));
        let mut session = self.session().await?;
        let scope = self.agreed(&session, renewal).await?;
        session.generation = self.presented.generation + u32::from(self.rules.voids);
        let tokens = tokens_for(self.authority, self.client, &session, scope, None, self.binding.clone()).await?;
        self.rules.answer = Some(retry.keep(&tokens, self.rules.now)?);
        match self.take().await? {
            Rotation::Rotated(_) | Rotation::Repeated(_) => Ok(tokens),
            Rotation::Answered(sealed) => retry.open(&sealed),
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
