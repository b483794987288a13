//! Signing out: the sign-in ends, and with it what apps had for as long as it lasted. Those that asked for it are told.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{
    Client, Delivery, Revocation, RevocationTarget, Session, SessionEnd, SessionId, SessionState, SignIn,
};
use crate::moment::later;
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{Leaving, SessionQuery};
use crate::{Authority, Event, Refusal, openid, sessions};

/// Sessions are looked through so many at a time.
const PAGE: u32 = 200;

/// A session that has to do with a sign-out, and its app.
type Concerned = (Arc<Client>, Session);

/// Ends a sign-in.
///
/// An app keeps what it was granted, and the account page takes that back. An app that wants to be told of sign-outs
/// gave up that right, unless it may go on while its user is away (`offline_access`).
pub async fn sign_out(authority: &Authority, sign_in: &SignIn) -> Result<(), Refusal> {
    let tokens_until = later(authority.now(), LONGEST_ACCESS_LIFETIME);
    let concerned = concerned(authority, sign_in, &[]).await?;
    let ending: Vec<_> = concerned.iter().filter(|(_, session)| goes_along(session)).collect();
    let leaving = Leaving {
        sign_in: sign_in.id,
        sessions: ending.iter().map(|(_, session)| session.id).collect(),
        tokens_until,
        messages: messages(authority, sign_in, &concerned)?,
    };
    if !authority.ports.sign_ins.leave(&leaving).await? {
        return Ok(());
    }
    authority.mail.notify_one();
    for (client, session) in ending {
        let target = RevocationTarget::Session(session.id);
        authority.window.add(&Revocation { target, expires_at: tokens_until });
        let why = SessionEnd::SignedOut.as_str();
        authority.observer.observe(&Event::SessionEnded { session: session.id, client: &client.id, why });
    }
    follow_up(authority, sign_in, &concerned).await
}

/// A code may have been redeemed between the look and the leave. Nothing begins on a sign-in that is gone, so one more
/// look finds all there is.
async fn follow_up(authority: &Authority, sign_in: &SignIn, before: &[Concerned]) -> Result<(), Refusal> {
    let known: Vec<_> = before.iter().map(|(_, session)| session.id).collect();
    let late = concerned(authority, sign_in, &known).await?;
    for (_, session) in late.iter().filter(|(_, session)| goes_along(session)) {
        sessions::end(authority, session.id, SessionEnd::SignedOut).await?;
    }
    let told: Vec<_> = before.iter().map(|(client, _)| client.id.clone()).collect();
    let untold: Vec<_> = late.into_iter().filter(|(client, _)| !told.contains(&client.id)).collect();
    if !untold.is_empty() {
        authority.ports.deliveries.post(&messages(authority, sign_in, &untold)?).await?;
        authority.mail.notify_one();
    }
    Ok(())
}

/// Sessions that began in this sign-in, of apps that want to be told, but for those that are known.
async fn concerned(authority: &Authority, sign_in: &SignIn, known: &[SessionId]) -> Result<Vec<Concerned>, Refusal> {
    let mut found = Vec::new();
    let mut query = SessionQuery { subject: Some(sign_in.user.to_string()), limit: PAGE, ..SessionQuery::default() };
    loop {
        let page = authority.ports.sessions.list_sessions(&query).await?;
        query.before = page.last().map(|session| session.id);
        let is_last = page.len() < PAGE as usize;
        let own = |session: &Session| session.origin.sign_in == Some(sign_in.id.0) && !known.contains(&session.id);
        for session in page.into_iter().filter(own) {
            let client = authority.ports.clients.find(&session.client).await?;
            if let Some(client) = client.filter(|client| client.backchannel_logout_uri.is_some()) {
                found.push((client, session));
            }
        }
        if is_last {
            return Ok(found);
        }
    }
}

/// One for each app, however many sessions it has.
fn messages(authority: &Authority, sign_in: &SignIn, concerned: &[Concerned]) -> Result<Vec<Delivery>, Refusal> {
    let clients: BTreeMap<_, _> = concerned.iter().map(|(client, _)| (&client.id, client)).collect();
    let messages = clients.values().map(|client| openid::logout_message(authority, client, sign_in));
    messages.filter_map(Result::transpose).collect()
}

fn goes_along(session: &Session) -> bool {
    session.state == SessionState::Active && !session.scope.contains("offline_access")
}
