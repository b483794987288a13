//! Device codes: sealed, for polling. What a poll brings is decided by the store, and once only.

use serde::{Deserialize, Serialize};

use super::{Caller, TokenSet, binding, session_binding, session_lifetime, tokens_for};
use crate::alerts::to_its_end;
use crate::keys::{KeyError, SealPurpose};
use crate::model::{AlertKind, Client, ClientId, DeviceId, Revocation, RevocationTarget, SessionEnd};
use crate::moment::later;
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{Ending, Poll, PollRules};
use crate::tokens::seal;
use crate::{Authority, Event, Refusal, sessions};

/// What a device code says. Everything else stands in the store.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DeviceCode {
    /// Which device.
    pub device: DeviceId,
    /// Who may poll with it.
    pub client: ClientId,
}

impl DeviceCode {
    /// Seals it for the device.
    pub(crate) fn seal(&self, authority: &Authority) -> Result<String, KeyError> {
        seal::value(authority, SealPurpose::DeviceCode, self)
    }
}

/// Answers a poll.
pub(super) async fn redeem(
    authority: &Authority,
    client: &Client,
    caller: &Caller,
    text: &str,
) -> Result<TokenSet, Refusal> {
    let code: DeviceCode =
        seal::open_value(authority, SealPurpose::DeviceCode, text).ok_or(Refusal::DeviceCodeUnknown)?;
    if code.client != client.id {
        return Err(Refusal::DeviceCodeOfAnotherClient);
    }
    let now = authority.now();
    let binding = binding(authority, client, caller)?;
    let rules = PollRules {
        now,
        session_until: later(now, session_lifetime(authority, client)),
        tokens_until: later(now, LONGEST_ACCESS_LIFETIME),
        key_binding: session_binding(client, binding.clone()),
    };
    let (polled, is_news) = poll(authority, caller, code.device, &rules).await?;
    match polled {
        Poll::Redeemed(session) => {
            // What an operator has taken from the client since is gone.
            let scope = session.scope.filter(|name| client.scope.contains(name));
            tokens_for(authority, client, &session, scope, None, binding).await
        }
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
    if authority.ports.sessions.find_session(id).await?.is_none() {
        return Ok(Refusal::DeviceCodeExpired);
    }
    if let Ending::Ended(ended) = sessions::end(authority, id, SessionEnd::CodeReplayed).await? {
        let raised = authority.alarm.raise(AlertKind::CodeReplayed, |alert| {
            alert.concerns(&ended);
            alert.generation = Some(0);
            alert.address = caller.address_text();
        });
        raised.await;
    }
    Ok(Refusal::DeviceCodeReplayed(id))
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
