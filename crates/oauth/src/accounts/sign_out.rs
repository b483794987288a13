//! Signing out: sign-ins end, and with them what apps had for as long as they lasted. Those that asked for it are told.
//!
//! However many sign-ins end at once, the sessions of their owner are looked through once, and once more for what began
//! meanwhile. No turn of the store ends more than a few.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use uuid::Uuid;

use crate::model::{
    Client, ClientId, Delivery, Revocation, RevocationTarget, Session, SessionEnd, SessionId, SessionState, SignIn,
};
use crate::moment::{earlier, later};
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::{Leaving, SESSIONS_A_TURN, SessionQuery};
use crate::{Authority, Event, Refusal, openid};

/// Sessions are looked through so many at a time.
const PAGE: u32 = 200;

/// The time in an id comes from the clock of whichever process made it; so far they may differ. A code lives for less.
const CLOCKS: Duration = Duration::from_secs(10 * 60);

/// A session that has to do with a sign-out, and its app.
type Concerned = (Arc<Client>, Session);

/// What was found, by the sign-in that it began in.
type Found = HashMap<Uuid, Vec<Concerned>>;

/// Ends a sign-in.
///
/// An app keeps what it was granted, and the account page takes that back. An app that wants to be told of sign-outs
/// gave up that right, unless it may go on while its user is away (`offline_access`).
pub async fn sign_out(authority: &Authority, sign_in: &SignIn) -> Result<(), Refusal> {
    sign_out_all(authority, std::slice::from_ref(sign_in)).await
}

/// Ends sign-ins of one person.
pub(super) async fn sign_out_all(authority: &Authority, sign_ins: &[SignIn]) -> Result<(), Refusal> {
    let looked_at = authority.now();
    let found = concerned(authority, sign_ins, oldest(sign_ins), &HashSet::new()).await?;
    let mut left = Vec::new();
    for sign_in in sign_ins {
        if leave(authority, sign_in, of(&found, sign_in)).await? {
            left.push(sign_in.clone());
        }
    }
    // A code may have been redeemed between the look and the leave, and its session has its id from the code.
    follow_up(authority, &left, looked_at, &found).await
}

/// Winds up sign-ins of one person that are gone already: their sessions end, and apps are told.
pub(super) async fn wind_up(authority: &Authority, gone: &[SignIn]) -> Result<(), Refusal> {
    follow_up(authority, gone, oldest(gone), &Found::new()).await
}

/// Ends one sign-in with the last of its sessions. The others end before, so that whoever is interrupted finds the sign-in
/// still there, and does it again.
async fn leave(authority: &Authority, sign_in: &SignIn, concerned: &[Concerned]) -> Result<bool, Refusal> {
    let tokens_until = later(authority.now(), LONGEST_ACCESS_LIFETIME);
    let ending: Vec<_> = concerned.iter().filter(|(_, session)| goes_along(session)).collect();
    let (last, before) = ending.split_at(ending.len().min(SESSIONS_A_TURN));
    end(authority, before, tokens_until).await?;
    let leaving = Leaving {
        sign_in: sign_in.id,
        sessions: ids(last),
        tokens_until,
        messages: messages(authority, sign_in, concerned)?,
    };
    let has_left = authority.ports.sign_ins.leave(&leaving).await?;
    if has_left {
        authority.mail.notify_one();
        note(authority, last, tokens_until);
    }
    Ok(has_left)
}

/// Nothing begins on a sign-in that is gone, so one more look finds all there is.
async fn follow_up(authority: &Authority, gone: &[SignIn], since: Timestamp, before: &Found) -> Result<(), Refusal> {
    let tokens_until = later(authority.now(), LONGEST_ACCESS_LIFETIME);
    let known = before.values().flatten().map(|(_, session)| session.id).collect();
    let late = concerned(authority, gone, since, &known).await?;
    for sign_in in gone {
        let own = of(&late, sign_in);
        let ending: Vec<_> = own.iter().filter(|(_, session)| goes_along(session)).collect();
        end(authority, &ending, tokens_until).await?;
        let told: HashSet<_> = of(before, sign_in).iter().map(|(client, _)| &client.id).collect();
        let untold = own.iter().filter(|(client, _)| !told.contains(&client.id));
        let messages = messages(authority, sign_in, untold)?;
        if !messages.is_empty() {
            authority.ports.deliveries.post(&messages).await?;
            authority.mail.notify_one();
        }
    }
    Ok(())
}

/// Sessions that began in these sign-ins of one person, of apps that want to be told, but for those that are known. None
/// is looked for that began before `since`.
async fn concerned(
    authority: &Authority,
    sign_ins: &[SignIn],
    since: Timestamp,
    known: &HashSet<SessionId>,
) -> Result<Found, Refusal> {
    let mut found = Found::new();
    let Some(first) = sign_ins.first() else { return Ok(found) };
    let wanted: HashSet<_> = sign_ins.iter().map(|sign_in| sign_in.id.0).collect();
    let since = earlier(since, CLOCKS).as_millisecond();
    let mut apps = HashMap::new();
    let mut query = SessionQuery { subject: Some(first.user.to_string()), limit: PAGE, ..SessionQuery::default() };
    loop {
        let page = authority.ports.sessions.list_sessions(&query).await?;
        query.before = page.last().map(|session| session.id);
        let is_last = page.len() < PAGE as usize || query.before.is_some_and(|oldest| began_before(oldest, since));
        for session in page {
            let Some(sign_in) = session.origin.sign_in.filter(|id| wanted.contains(id)) else { continue };
            if known.contains(&session.id) {
                continue;
            }
            if let Some(client) = told_client(authority, &mut apps, &session.client).await? {
                found.entry(sign_in).or_default().push((client, session));
            }
        }
        if is_last {
            return Ok(found);
        }
        // Pages may come from memory, one after the other without a pause; others want a turn.
        tokio::task::yield_now().await;
    }
}

/// The app, if it wants to be told. Each is looked up once.
async fn told_client(
    authority: &Authority,
    apps: &mut HashMap<ClientId, Option<Arc<Client>>>,
    id: &ClientId,
) -> Result<Option<Arc<Client>>, Refusal> {
    if let Some(app) = apps.get(id) {
        return Ok(app.clone());
    }
    let client = authority.ports.clients.find(id).await?;
    let app = client.filter(|client| client.backchannel_logout_uri.is_some());
    apps.insert(id.clone(), app.clone());
    Ok(app)
}

/// Ends sessions, a few in each turn of the store.
async fn end(authority: &Authority, ending: &[&Concerned], tokens_until: Timestamp) -> Result<(), Refusal> {
    for few in ending.chunks(SESSIONS_A_TURN) {
        authority.ports.sessions.end_together(&ids(few), SessionEnd::SignedOut, tokens_until).await?;
        note(authority, few, tokens_until);
    }
    Ok(())
}

/// Forgets the tokens of sessions that the store has ended, and tells whoever observes.
fn note(authority: &Authority, ended: &[&Concerned], tokens_until: Timestamp) {
    let why = SessionEnd::SignedOut.as_str();
    for (client, session) in ended {
        let target = RevocationTarget::Session(session.id);
        authority.window.add(&Revocation { target, expires_at: tokens_until });
        authority.observer.observe(&Event::SessionEnded { session: session.id, client: &client.id, why });
    }
}

/// One for each app, however many sessions it has.
fn messages<'a>(
    authority: &Authority,
    sign_in: &SignIn,
    concerned: impl IntoIterator<Item = &'a Concerned>,
) -> Result<Vec<Delivery>, Refusal> {
    let clients: BTreeMap<_, _> = concerned.into_iter().map(|(client, _)| (&client.id, client)).collect();
    let messages = clients.values().map(|client| openid::logout_message(authority, client, sign_in));
    messages.filter_map(Result::transpose).collect()
}

fn of<'a>(found: &'a Found, sign_in: &SignIn) -> &'a [Concerned] {
    found.get(&sign_in.id.0).map_or(&[], Vec::as_slice)
}

fn ids(concerned: &[&Concerned]) -> Vec<SessionId> {
    concerned.iter().map(|(_, session)| session.id).collect()
}

fn oldest(sign_ins: &[SignIn]) -> Timestamp {
    sign_ins.iter().map(|sign_in| sign_in.created_at).min().unwrap_or(Timestamp::MAX)
}

/// Does the time in this id lie before that moment, in milliseconds since 1970? One without a time does not.
fn began_before(id: SessionId, moment: i64) -> bool {
    let began = id.0.get_timestamp().map(|time| time.to_unix());
    began.is_some_and(|(seconds, nanos)| {
        let millis = seconds.saturating_mul(1000).saturating_add(u64::from(nanos / 1_000_000));
        i64::try_from(millis).is_ok_and(|millis| millis < moment)
    })
}

fn goes_along(session: &Session) -> bool {
    session.state == SessionState::Active && !session.scope.contains("offline_access")
}
