//! Device codes: sealed, for polling. What a poll brings is decided by the store, and once only.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::retry::Retry;
use super::{Caller, TokenSet, binding, check_agreed_resource, replay, session_binding, session_lifetime, tokens_for};
use crate::alerts::to_its_end;
use crate::keys::{KeyError, SealPurpose};
use crate::model::{
    AlertKind, Client, ClientId, DeviceId, DeviceState, Revocation, RevocationTarget, Session, SessionEnd,
};
use crate::moment::later;
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{Poll, PollRules, PollVerdict};
use crate::tokens::seal::{self, Passing};
use crate::{Authority, Event, Refusal};

/// What a device code says. Everything else stands in the store.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DeviceCode {
    /// Which device.
    pub device: DeviceId,
    /// Who may poll with it.
    pub client: ClientId,
}

impl Passing for DeviceCode {
    fn made_at(&self) -> Option<Timestamp> {
        None
    }
}

impl DeviceCode {
    /// Seals it for the device.
    pub(crate) fn seal(&self, authority: &Authority) -> Result<String, KeyError> {
        seal::value(authority, SealPurpose::DeviceCode, self)
    }
}

/// What came to the token endpoint.
#[derive(Debug)]
pub struct DevicePoll {
    /// The device code.
    pub code: String,
    /// The API that it is for (RFC 8707), if the client names it again.
    pub resource: Option<String>,
    /// `Idempotency-Key`: the same key with the same code gets the same tokens.
    pub key: Option<String>,
}

/// Answers a poll.
pub(super) async fn redeem(
    authority: &Authority,
    client: &Client,
    caller: &Caller,
    asked: DevicePoll,
) -> Result<TokenSet, Refusal> {
    let code: DeviceCode =
        seal::open_value(authority, SealPurpose::DeviceCode, &asked.code).ok_or(Refusal::DeviceCodeUnknown)?;
    if code.client != client.id {
        return Err(Refusal::DeviceCodeOfAnotherClient);
    }
    let retry = asked.key.as_deref().map(|key| Retry::new(client, &asked.code, key)).transpose()?;
    if let Some(retry) = &retry
        && let Some(tokens) = retry.answered(authority).await?
    {
        return Ok(tokens);
    }
    let now = authority.now();
    let binding = binding(authority, client, caller)?;
    let mut rules = PollRules {
        now,
        session_until: later(now, session_lifetime(authority, client)),
        tokens_until: later(now, LONGEST_ACCESS_LIFETIME),
        key_binding: session_binding(client, binding.clone()),
        answer: None,
    };
    let make = async |session: &Session| {
        // What an operator has taken from the client since is gone.
        let scope = session.scope.filter(|name| client.scope.contains(name));
        tokens_for(authority, client, session, scope, None, binding.clone()).await
    };
    // What is asked rarely is looked up first. A code that was redeemed is a replay, whatever comes with it.
    let device = match (&asked.resource, &retry) {
        (None, None) => None,
        _ => authority.ports.devices.find_device(code.device).await?,
    };
    if let Some(device) = device.as_ref().filter(|device| device.state != DeviceState::Redeemed) {
        check_agreed_resource(authority, device.resource.as_deref(), asked.resource.as_deref())?;
    }
    let mut made = None;
    if let Some(retry) = &retry {
        // An answer that is kept is made before, and kept with the session in one step.
        if let Some(PollVerdict::Redeem(session)) = device.map(|device| rules.judge(&device)) {
            made = Some(make(&session).await?);
        }
        rules.answer = Some(match &made {
            Some(tokens) => retry.keep(tokens, now)?,
            None => retry.name(now),
        });
    }
    let (polled, is_news) = poll(authority, caller, code.device, &rules).await?;
    match polled {
        Poll::Redeemed(session) => match made {
            Some(tokens) => Ok(tokens),
            None => make(&session).await,
        },
        Poll::Answered(sealed) => retry.map_or(Err(Refusal::DeviceCodeUnknown), |retry| retry.open(&sealed)),
        Poll::Pending => Err(Refusal::DevicePending),
        Poll::TooSoon(interval) => Err(Refusal::DeviceTooSoon { interval }),
        Poll::Denied => Err(Refusal::DeviceDenied),
        Poll::Expired => Err(Refusal::DeviceCodeExpired),
        Poll::Unknown => Err(forgotten(authority, caller, code.device).await?),
        Poll::Replayed(session) => {
            // The store has ended the session already; its tokens must die here at once, and someone must know.
            let (target, expires_at) = (RevocationTarget::Session(session), rules.tokens_until);
            authority.window.add(&Revocation { target, expires_at });
            if is_news {
                let why = SessionEnd::CodeReplayed.as_str();
                authority.observer.observe(&Event::SessionEnded { session, client: &client.id, why });
            }
            Err(Refusal::DeviceCodeReplayed(session))
        }
    }
}

/// The code is ours, so its row was there once and has been swept away. Was it redeemed in its time? Then two hold it, as
/// with a code whose row is still there.
async fn forgotten(authority: &Authority, caller: &Caller, device: DeviceId) -> Result<Refusal, Refusal> {
    let id = device.session();
    let was_redeemed = replay::end(authority, caller, id).await?;
    Ok(if was_redeemed { Refusal::DeviceCodeReplayed(id) } else { Refusal::DeviceCodeExpired })
}

/// Polls, and raises the alarm if the code was redeemed before; answers whether that is news.
async fn poll(
    authority: &Authority,
    caller: &Caller,
    device: DeviceId,
    rules: &PollRules,
) -> Result<(Poll, bool), Refusal> {
    let (ports, alarm) = (authority.ports.clone(), authority.alarm.clone());
    let (caller, rules) = (caller.clone(), rules.clone());
    to_its_end(async move {
        let polled = ports.devices.poll(device, &rules).await?;
        let Poll::Replayed(id) = &polled else { return Ok((polled, false)) };
        let ended = ports.sessions.find_session(*id).await?;
        let is_news = alarm.raise(AlertKind::CodeReplayed, |alert| {
            alert.session = Some(*id);
            alert.generation = Some(0);
            alert.address = caller.address_text();
            if let Some(ended) = &ended {
                alert.concerns(ended);
            }
        });
        let is_news = is_news.await;
        Ok((polled, is_news))
    })
    .await
}
