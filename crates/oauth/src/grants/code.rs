//! Authorization codes: sealed, for one minute, for one use. The use is the opening of the session they name.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::retry::Retry;
use super::{Caller, TokenSet, binding, check_agreed_resource, replay, session_binding, session_lifetime, tokens_for};
use crate::alerts::to_its_end;
use crate::keys::{KeyError, SealPurpose};
use crate::model::{
    AlertKind, Client, ClientId, Revocation, RevocationTarget, Session, SessionEnd, SessionId, SessionOrigin,
    SessionState,
};
use crate::moment::later;
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{Grounds, Opening, OpeningRules};
use crate::protocol::{Challenge, Scope, is_verifier};
use crate::tokens::seal::{self, Passing};
use crate::{Authority, Event, Refusal};

/// Long enough for a redirect and a request, too short for a log to be read.
const LIFE: Duration = Duration::from_secs(60);

/// What a code says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Code {
    /// The session that redeeming it opens.
    pub session: SessionId,
    /// Who may redeem it.
    pub client: ClientId,
    /// Where it was sent.
    pub redirect_uri: String,
    /// What the verifier must match.
    pub challenge: Challenge,
    /// For the id_token.
    pub nonce: Option<String>,
    /// What was agreed to.
    pub scope: Scope,
    /// Whose resources it opens.
    pub subject: String,
    /// When the user signed in.
    pub authenticated_at: Timestamp,
    /// How.
    pub methods: Vec<String>,
    /// The API it is for.
    pub resource: Option<String>,
    /// Claims asked for one by one.
    pub claims: Option<String>,
    /// The browser it was given in.
    pub origin: SessionOrigin,
    /// When it was made.
    pub issued_at: Timestamp,
}

impl Passing for Code {
    fn made_at(&self) -> Option<Timestamp> {
        Some(self.issued_at)
    }
}

impl Code {
    /// Seals it for the redirect.
    pub(crate) fn seal(&self, authority: &Authority) -> Result<String, KeyError> {
        seal::value(authority, SealPurpose::Code, self)
    }
}

/// What came to the token endpoint.
#[derive(Debug)]
pub struct Redemption {
    /// The code.
    pub code: String,
    /// What only the client that asked knows.
    pub verifier: String,
    /// Where the code was sent.
    pub redirect_uri: String,
    /// The API that it is for (RFC 8707), if the client names it again.
    pub resource: Option<String>,
    /// `Idempotency-Key`: the same key with the same code gets the same answer.
    pub key: Option<String>,
}

/// Trades a code for tokens.
///
/// Everything that can be wrong is looked at before the one use, so that an honest client's mistake, or a stranger's
/// guess, does not burn the code.
pub(super) async fn redeem(
    authority: &Authority,
    client: &Client,
    caller: &Caller,
    asked: Redemption,
) -> Result<TokenSet, Refusal> {
    let code: Code = seal::open_value(authority, SealPurpose::Code, &asked.code).ok_or(Refusal::CodeUnknown)?;
    let now = authority.now();
    if code.client != client.id {
        return Err(Refusal::CodeOfAnotherClient);
    }
    if code.redirect_uri != asked.redirect_uri {
        return Err(Refusal::RedirectUriDiffers);
    }
    if !is_verifier(&asked.verifier) {
        return Err(Refusal::VerifierMalformed);
    }
    if !code.challenge.is_met_by(&asked.verifier) {
        return Err(Refusal::VerifierWrong);
    }
    let retry = asked.key.as_deref().map(|key| Retry::new(client, &asked.code, key)).transpose()?;
    if let Some(retry) = &retry
        && let Some(tokens) = retry.answered(authority).await?
    {
        return Ok(tokens);
    }
    if later(code.issued_at, LIFE) <= now {
        return Err(useless(authority, caller, &code, Refusal::CodeExpired).await?);
    }
    if let Err(refusal) = check_agreed_resource(authority, code.resource.as_deref(), asked.resource.as_deref()) {
        return Err(useless(authority, caller, &code, refusal).await?);
    }
    let binding = binding(authority, client, caller)?;
    let nonce = code.nonce.clone();
    let session = Session { key_binding: session_binding(client, binding.clone()), ..session(authority, client, code) };
    let make = || tokens_for(authority, client, &session, session.scope.clone(), nonce.as_deref(), binding.clone());
    // An answer that is kept is made before, and kept with the session in one step.
    let made = if retry.is_some() { Some(make().await?) } else { None };
    let answer = retry.as_ref().zip(made.as_ref()).map(|(retry, tokens)| retry.keep(tokens, now)).transpose()?;
    // What was agreed to may have been taken back since, and who signed in may have left.
    let grounds = Grounds { consent: true, sign_in: !session.scope.contains("offline_access") };
    let rules = OpeningRules { tokens_until: later(now, LONGEST_ACCESS_LIFETIME), grounds, answer };
    let (opening, is_news) = open(authority, caller, &session, &rules).await?;
    match (opening, made, retry) {
        (Opening::Opened, Some(tokens), _) => Ok(tokens),
        (Opening::Opened, None, _) => make().await,
        (Opening::Answered(sealed), _, Some(retry)) => retry.open(&sealed),
        (Opening::Unfounded | Opening::Answered(_), _, _) => Err(Refusal::CodeUnfounded),
        (Opening::Replayed(ended), _, _) => {
            // The store has ended the session already; its tokens must die here at once, and someone must know.
            let target = RevocationTarget::Session(ended.id);
            authority.window.add(&Revocation { target, expires_at: rules.tokens_until });
            if is_news && ended.state == SessionState::Ended(SessionEnd::CodeReplayed) {
                let why = SessionEnd::CodeReplayed.as_str();
                authority.observer.observe(&Event::SessionEnded { session: ended.id, client: &ended.client, why });
            }
            Err(Refusal::CodeReplayed(ended.id))
        }
    }
}

/// A code that brings nothing, such as one that comes too late: was it used before? Then this is a replay like any other.
async fn useless(authority: &Authority, caller: &Caller, code: &Code, why: Refusal) -> Result<Refusal, Refusal> {
    let was_used = replay::end(authority, caller, code.session).await?;
    Ok(if was_used { Refusal::CodeReplayed(code.session) } else { why })
}

/// Opens the session, or ends it and raises the alarm; answers whether that is news.
async fn open(
    authority: &Authority,
    caller: &Caller,
    session: &Session,
    rules: &OpeningRules,
) -> Result<(Opening, bool), Refusal> {
    let (store, alarm) = (authority.ports.sessions.clone(), authority.alarm.clone());
    let (session, rules, caller) = (session.clone(), rules.clone(), caller.clone());
    to_its_end(async move {
        let opening = store.open(&session, &rules).await?;
        let Opening::Replayed(ended) = &opening else { return Ok((opening, false)) };
        let is_news = alarm.raise(AlertKind::CodeReplayed, |alert| {
            alert.concerns(ended);
            alert.generation = Some(0);
            alert.address = caller.address_text();
        });
        let is_news = is_news.await;
        Ok((opening, is_news))
    })
    .await
}

fn session(authority: &Authority, client: &Client, code: Code) -> Session {
    let now = authority.now();
    Session {
        id: code.session,
        client: code.client,
        subject: code.subject,
        // What an operator has taken from the client since is gone.
        scope: code.scope.filter(|name| client.scope.contains(name)),
        resource: code.resource,
        authenticated_at: code.authenticated_at,
        methods: code.methods,
        generation: 1,
        key_binding: None,
        claims: code.claims,
        origin: code.origin,
        created_at: now,
        used_at: now,
        expires_at: later(now, session_lifetime(authority, client)),
        state: SessionState::Active,
    }
}
