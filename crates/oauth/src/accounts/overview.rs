//! What a person sees of their account: who has access to what, and where they are signed in. And how they end it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use super::sign_out::sign_out_all;
use super::{client_name, sign_out};
use crate::model::{ClientId, Consent, Session, SessionEnd, SessionId, SignIn, SignInId, UserId};
use crate::moment::{earlier, later};
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::SessionQuery;
use crate::{Authority, Event, Refusal, sessions};

/// So many sessions are shown. Whoever has more sees the newest.
const SESSIONS: u32 = 500;

/// So many browsers are shown.
const SIGN_INS: usize = 100;

/// An app that has access.
#[derive(Debug)]
pub struct AppAccess {
    /// What people call it.
    pub name: String,
    /// What it may do, and since when.
    pub consent: Consent,
    /// Where it is in use, newest first.
    pub sessions: Vec<Session>,
}

/// An account, as its owner sees it.
#[derive(Debug)]
pub struct Overview {
    /// Apps, by their ids.
    pub apps: Vec<AppAccess>,
    /// Browsers, newest first.
    pub sign_ins: Vec<SignIn>,
    /// Are there more browsers than these?
    pub has_more_sign_ins: bool,
}

/// Looks at an account.
pub async fn overview(authority: &Authority, user: UserId) -> Result<Overview, Refusal> {
    let (now, subject) = (authority.now(), user.to_string());
    let mut in_use = living(authority, &subject, now).await?;
    let mut apps = Vec::new();
    for consent in authority.ports.consents.consents_of(&subject).await? {
        let sessions = in_use.remove(&consent.client).unwrap_or_default();
        apps.push(AppAccess { name: client_name(authority, &consent.client).await?, consent, sessions });
    }
    let mut sign_ins = authority.ports.sign_ins.sign_ins_of(user, now, SIGN_INS as u32 + 1).await?;
    let has_more_sign_ins = sign_ins.len() > SIGN_INS;
    sign_ins.truncate(SIGN_INS);
    Ok(Overview { apps, sign_ins, has_more_sign_ins })
}

async fn living(
    authority: &Authority,
    subject: &str,
    now: Timestamp,
) -> Result<BTreeMap<ClientId, Vec<Session>>, Refusal> {
    let query = SessionQuery { subject: Some(subject.to_owned()), limit: SESSIONS, ..SessionQuery::default() };
    let idle_since = earlier(now, authority.policy.refresh_idle);
    let mut by_client = BTreeMap::<ClientId, Vec<Session>>::new();
    for session in authority.ports.sessions.list_sessions(&query).await? {
        if session.is_alive(now) && session.used_at >= idle_since {
            by_client.entry(session.client.clone()).or_default().push(session);
        }
    }
    Ok(by_client)
}

/// Takes back all that an app may do. Its tokens are dead at once.
pub async fn withdraw(authority: &Authority, user: UserId, client: &ClientId) -> Result<(), Refusal> {
    let now = authority.now();
    let tokens_until = later(now, LONGEST_ACCESS_LIFETIME);
    let had_access = authority.ports.consents.find_consent(&user.to_string(), client).await?.is_some();
    // Also without a consent: a device may have been let in beside the one who took it back.
    let revoked = authority.ports.consents.withdraw(&user.to_string(), client, now, tokens_until).await?;
    revoked.iter().for_each(|revocation| authority.window.add(revocation));
    let sessions = revoked.len();
    if had_access || sessions > 0 {
        authority.observer.observe(&Event::Withdrawn { user, client, sessions });
    }
    Ok(())
}

/// Ends one session of an app, if it is this person's.
pub async fn end_session(authority: &Authority, user: UserId, id: SessionId) -> Result<(), Refusal> {
    let session = authority.ports.sessions.find_session(id).await?;
    if session.is_some_and(|session| session.subject == user.to_string()) {
        sessions::end(authority, id, SessionEnd::Revoked).await?;
    }
    Ok(())
}

/// Signs a browser out, if it is this person's.
pub async fn end_sign_in(authority: &Authority, user: UserId, id: SignInId) -> Result<(), Refusal> {
    match authority.ports.sign_ins.sign_in_of(user, id, authority.now()).await? {
        Some(sign_in) => sign_out(authority, &sign_in).await,
        None => Ok(()),
    }
}

/// Signs all browsers out but this one.
pub async fn end_others(authority: &Authority, current: &SignIn) -> Result<(), Refusal> {
    sign_out_all(authority, &others(authority, current).await?).await
}

/// All browsers of a person but this one.
pub(super) async fn others(authority: &Authority, current: &SignIn) -> Result<Vec<SignIn>, Refusal> {
    let mut own = authority.ports.sign_ins.sign_ins_of(current.user, authority.now(), u32::MAX).await?;
    own.retain(|sign_in| sign_in.id != current.id);
    Ok(own)
}
