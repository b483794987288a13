//! Authorization codes: sealed, for one minute, for one use. The use is the opening of the session they name.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Caller, TokenSet, binding, check_agreed_resource, session_binding, session_lifetime, tokens_for};
use crate::alerts::to_its_end;
use crate::keys::{KeyError, SealPurpose};
use crate::model::{
    AlertKind, Client, ClientId, Revocation, RevocationTarget, Session, SessionEnd, SessionId, SessionOrigin,
    SessionState,
};
use crate::moment::later;
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{Ending, Grounds, Opening};
use crate::protocol::{Challenge, Scope, is_verifier};
use crate::tokens::seal;
use crate::{Authority, Event, Refusal, sessions};

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

impl Code {
    /// Seals it for the redirect.
    pub(crate) fn seal(&self, authority: &Authority) -> Result<String, KeyError> {
        seal::value(authority, SealPurpose::Code, self)
    }
}

/// What comes with a code, and must fit to it.
pub(super) struct Proof<'a> {
    /// What only the client that asked knows.
    pub verifier: &'a str,
    /// Where the code was sent.
    pub redirect_uri: &'a str,
    /// The API that it is for, if it is named again.
    pub resource: Option<&'a str>,
}

/// Trades a code for tokens.
///
/// Everything that can be wrong is looked at before the one use, so that an honest client's mistake, or a stranger's
/// guess, does not burn the code.
pub(super) async fn redeem(
    authority: &Authority,
    client: &Client,
    caller: &Caller,
    text: &str,
    proof: Proof<'_>,
) -> Result<TokenSet, Refusal> {
    let code: Code = seal::open_value(authority, SealPurpose::Code, text).ok_or(Refusal::CodeUnknown)?;
    let now = authority.now();
    if code.client != client.id {
        return Err(Refusal::CodeOfAnotherClient);
    }
    if code.redirect_uri != proof.redirect_uri {
        return Err(Refusal::RedirectUriDiffers);
    }
    if !is_verifier(proof.verifier) {
        return Err(Refusal::VerifierMalformed);
    }
    if !code.challenge.is_met_by(proof.verifier) {
        return Err(Refusal::VerifierWrong);
    }
    if later(code.issued_at, LIFE) <= now {
        return Err(useless(authority, caller, &code, Refusal::CodeExpired).await?);
    }
    if let Err(refusal) = check_agreed_resource(authority, code.resource.as_deref(), proof.resource) {
        return Err(useless(authority, caller, &code, refusal).await?);
    }
    let binding = binding(authority, client, caller)?;
    let nonce = code.nonce.clone();
    let session = Session { key_binding: session_binding(client, binding.clone()), ..session(authority, client, code) };
    let tokens_until = later(now, LONGEST_ACCESS_LIFETIME);
    let (opening, is_news) = open(authority, caller, &session, tokens_until).await?;
    match opening {
        Opening::Opened => {
            tokens_for(authority, client, &session, session.scope.clone(), nonce.as_deref(), binding).await
        }
        Opening::Unfounded => Err(Refusal::CodeUnfounded),
        Opening::Replayed(ended) => {
            // The store has ended the session already; its tokens must die here at once, and someone must know.
            let target = RevocationTarget::Session(ended.id);
            authority.window.add(&Revocation { target, expires_at: tokens_until });
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
    if authority.ports.sessions.find_session(code.session).await?.is_none() {
        return Ok(why);
    }
    if let Ending::Ended(ended) = sessions::end(authority, code.session, SessionEnd::CodeReplayed).await? {
        let raised = authority.alarm.raise(AlertKind::CodeReplayed, |alert| {
            alert.concerns(&ended);
            alert.generation = Some(0);
            alert.address = caller.address_text();
        });
        raised.await;
    }
    Ok(Refusal::CodeReplayed(code.session))
}

/// Opens the session, or ends it and raises the alarm; answers whether that is news.
async fn open(
    authority: &Authority,
    caller: &Caller,
    session: &Session,
    tokens_until: Timestamp,
) -> Result<(Opening, bool), Refusal> {
    let (store, alarm) = (authority.ports.sessions.clone(), authority.alarm.clone());
    let (session, caller) = (session.clone(), caller.clone());
    // What was agreed to may have been taken back since, and who signed in may have left.
    let grounds = Grounds { consent: true, sign_in: !session.scope.contains("offline_access") };
    to_its_end(async move {
        let opening = store.open(&session, tokens_until, grounds).await?;
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
