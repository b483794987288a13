//! Rules for sign-ins.

use std::sync::Arc;

use jiff::Timestamp;
use valetkey_oauth::accounts;
use valetkey_oauth::model::{RevocationTarget, Secret, Session, SessionEnd, SessionState, SignIn, UserId};
use valetkey_oauth::ports::{Leaving, Ports, RevocationCursor, SignInRenewal, SignInStart};

use super::race;
use crate::authority::{authority, policy};
use crate::build::{self, delivery, opening, session, sign_in, user};
use crate::clock::moment;
use crate::{Ear, FixedClock};

pub async fn a_sign_in_is_found_by_its_cookie_until_its_end(ports: Ports) {
    begin(&ports, 1).await;

    let found = ports.sign_ins.find_sign_in(&sign_in(1).cookie, moment(86_399)).await.unwrap().unwrap();
    let late = ports.sign_ins.find_sign_in(&sign_in(1).cookie, moment(86_400)).await.unwrap();
    let stranger = ports.sign_ins.find_sign_in(&Secret::new("guess").digest(), moment(1)).await.unwrap();

    assert_eq!((found.id, found.user, found.methods), (sign_in(1).id, UserId(build::id(1)), vec!["pwd".to_owned()]));
    assert_eq!((found.address, found.agent), (sign_in(1).address, sign_in(1).agent));
    assert!(late.is_none() && stranger.is_none());
}

pub async fn a_renewed_sign_in_has_a_new_cookie_and_keeps_its_name(ports: Ports) {
    begin(&ports, 1).await;
    let mut renewed = sign_in(1);
    renewed.cookie = Secret::new("fresh").digest();
    renewed.authenticated_at = moment(50);
    renewed.address = Some("198.51.100.4".to_owned());
    renewed.agent = None;

    let outcome = ports.sign_ins.renew(&renewed, &proof()).await.unwrap();
    let gone = ports.sign_ins.renew(&sign_in(2), &proof()).await.unwrap();

    let found = ports.sign_ins.find_sign_in(&renewed.cookie, moment(60)).await.unwrap().unwrap();
    assert_eq!((outcome, gone), (SignInRenewal::Renewed, SignInRenewal::Gone));
    assert_eq!((found.id, found.authenticated_at), (sign_in(1).id, moment(50)));
    assert_eq!((found.address, found.agent), (renewed.address, None), "where it is used now");
    assert!(ports.sign_ins.find_sign_in(&sign_in(1).cookie, moment(60)).await.unwrap().is_none());
}

pub async fn a_password_that_is_no_longer_the_users_begins_and_renews_nothing(ports: Ports) {
    begin(&ports, 1).await;
    let renewed = SignIn { cookie: Secret::new("fresh").digest(), ..sign_in(1) };
    let stranger = SignIn { user: UserId(build::id(2)), ..sign_in(3) };

    let begun = ports.sign_ins.begin(&sign_in(2), "an older hash").await.unwrap();
    let unknown = ports.sign_ins.begin(&stranger, &proof()).await.unwrap();
    let outcome = ports.sign_ins.renew(&renewed, "an older hash").await.unwrap();

    assert_eq!((begun, unknown), (SignInStart::PasswordChanged, SignInStart::PasswordChanged));
    assert_eq!(outcome, SignInRenewal::PasswordChanged);
    let left = ports.sign_ins.sign_ins_of(UserId(build::id(1)), moment(1), 99).await.unwrap();
    assert_eq!(left.iter().map(|known| known.id).collect::<Vec<_>>(), [sign_in(1).id]);
    assert!(left[0].cookie.matches(&sign_in(1).cookie));
}

pub async fn a_sign_in_of_someone_else_is_not_renewed(ports: Ports) {
    begin(&ports, 1).await;
    ports.users.add(&user(2, "bob")).await.unwrap();
    let taken = SignIn { user: UserId(build::id(2)), cookie: Secret::new("fresh").digest(), ..sign_in(1) };

    let outcome = ports.sign_ins.renew(&taken, &proof()).await.unwrap();

    assert_eq!(outcome, SignInRenewal::Gone);
    assert!(ports.sign_ins.find_sign_in(&sign_in(1).cookie, moment(1)).await.unwrap().is_some());
}

pub async fn an_ended_sign_in_is_gone_and_the_others_stay(ports: Ports) {
    for number in 1..=3 {
        begin(&ports, number).await;
    }

    let ended = ports.sign_ins.leave(&leaving(2, &[])).await.unwrap();
    let again = ports.sign_ins.leave(&leaving(2, &[])).await.unwrap();

    let left = ports.sign_ins.sign_ins_of(UserId(build::id(1)), moment(1), 99).await.unwrap();
    assert!(ended && !again);
    assert_eq!(left.iter().map(|known| known.id).collect::<Vec<_>>(), [sign_in(3).id, sign_in(1).id]);
}

pub async fn a_sign_in_takes_sessions_along_once(ports: Ports) {
    begin(&ports, 1).await;
    for number in 1..=3 {
        ports.sessions.open(&session(number), &opening()).await.unwrap();
    }
    ports.sessions.end(session(2).id, SessionEnd::Operator, moment(5), moment(900)).await.unwrap();

    let stranger = ports.sign_ins.leave(&leaving(9, &[3])).await.unwrap();
    let ended = ports.sign_ins.leave(&leaving(1, &[1, 2])).await.unwrap();

    assert!(ended && !stranger);
    let mut states = Vec::new();
    for number in 1..=3 {
        states.push(ports.sessions.find_session(session(number).id).await.unwrap().unwrap().state);
    }
    let (gone, before) = (SessionState::Ended(SessionEnd::SignedOut), SessionState::Ended(SessionEnd::Operator));
    assert_eq!(states, [gone, before, SessionState::Active]);
    let feed = ports.revocations.feed(RevocationCursor::default(), moment(6)).await.unwrap();
    let filed = |number| feed.entries.iter().filter(|entry| entry.target == of(number)).count();
    assert_eq!((filed(1), filed(2), filed(3)), (1, 1, 0));
    let posted = ports.deliveries.claim_due(moment(6), moment(60), 9).await.unwrap();
    assert_eq!(posted.iter().map(|message| message.id).collect::<Vec<_>>(), [delivery(1).id], "of the one that left");
}

pub async fn leaving_has_one_winner(ports: Ports) {
    begin(&ports, 1).await;
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    let answers = race(16, |_| {
        let ports = ports.clone();
        async move { ports.sign_ins.leave(&leaving(1, &[1])).await.unwrap() }
    })
    .await;

    assert_eq!(answers.into_iter().filter(|won| *won).count(), 1);
    let feed = ports.revocations.feed(RevocationCursor::default(), moment(6)).await.unwrap();
    assert_eq!(feed.entries.iter().filter(|entry| entry.target == of(1)).count(), 1);
}

pub async fn a_sign_out_of_many_sessions_ends_all_of_them(ports: Ports) {
    begin(&ports, 1).await;
    let mut client = build::client("app");
    client.backchannel_logout_uri = Some("https://app.example/out".to_owned());
    ports.clients.register(&client).await.unwrap();
    let mut sessions = Vec::new();
    for number in 1..=450 {
        let mut begun = Session { subject: sign_in(1).user.to_string(), ..session(number) };
        begun.origin.sign_in = Some(sign_in(1).id.0);
        ports.sessions.open(&begun, &opening()).await.unwrap();
        sessions.push(begun.id);
    }
    // Their ids are older than the clock, and so is the sign-in.
    let left = SignIn { created_at: Timestamp::UNIX_EPOCH, ..sign_in(1) };
    let (clock, ear) = (Arc::new(FixedClock::default()), Arc::new(Ear::default()));
    let authority = authority(ports.clone(), clock, ear, policy()).await.unwrap();

    accounts::sign_out(&authority, &left).await.unwrap();

    for id in sessions {
        let found = ports.sessions.find_session(id).await.unwrap().unwrap();
        assert_eq!(found.state, SessionState::Ended(SessionEnd::SignedOut));
    }
    let feed = ports.revocations.feed(RevocationCursor::default(), moment(6)).await.unwrap();
    assert_eq!(feed.entries.len(), 450);
    assert!(ports.sign_ins.sign_ins_of(left.user, moment(1), 99).await.unwrap().is_empty());
    assert_eq!(ports.deliveries.claim_due(moment(6), moment(60), 9).await.unwrap().len(), 1);
}

pub async fn a_sign_in_is_found_by_its_id_if_it_is_the_users_own(ports: Ports) {
    begin(&ports, 1).await;
    begin(&ports, 2).await;
    let (own, stranger) = (UserId(build::id(1)), UserId(build::id(2)));

    let found = ports.sign_ins.sign_in_of(own, sign_in(1).id, moment(86_399)).await.unwrap();
    let late = ports.sign_ins.sign_in_of(own, sign_in(1).id, moment(86_400)).await.unwrap();
    let of_another = ports.sign_ins.sign_in_of(stranger, sign_in(1).id, moment(1)).await.unwrap();
    let newest = ports.sign_ins.sign_ins_of(own, moment(1), 1).await.unwrap();

    assert_eq!(found.map(|found| found.id), Some(sign_in(1).id));
    assert!(late.is_none() && of_another.is_none());
    assert_eq!(newest.iter().map(|known| known.id).collect::<Vec<_>>(), [sign_in(2).id]);
}

/// A sign-in of alice, who is there from the first one on.
async fn begin(ports: &Ports, number: u128) {
    ports.users.add(&user(1, "alice")).await.unwrap();
    assert_eq!(ports.sign_ins.begin(&sign_in(number), &proof()).await.unwrap(), SignInStart::Begun);
}

fn proof() -> String {
    user(1, "alice").password_hash
}

fn leaving(number: u128, sessions: &[u128]) -> Leaving {
    let sessions = sessions.iter().map(|number| session(*number).id).collect();
    Leaving { sign_in: sign_in(number).id, sessions, tokens_until: moment(900), messages: vec![delivery(number)] }
}

fn of(number: u128) -> RevocationTarget {
    RevocationTarget::Session(session(number).id)
}

pub async fn a_sign_in_remembers_when_it_was_last_seen(ports: Ports) {
    begin(&ports, 1).await;
    begin(&ports, 2).await;

    ports.sign_ins.note_seen(sign_in(1).id, moment(60)).await.unwrap();
    ports.sign_ins.note_seen(sign_in(1).id, moment(30)).await.unwrap();

    let seen = ports.sign_ins.sign_ins_of(UserId(build::id(1)), moment(61), 99).await.unwrap();
    assert_eq!(seen.iter().map(|known| known.seen_at).collect::<Vec<_>>(), [moment(0), moment(60)]);
}
