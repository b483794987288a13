//! Rules for sign-ins.

use valetkey_oauth::model::{RevocationTarget, Secret, SessionEnd, SessionState, UserId};
use valetkey_oauth::ports::{Grounds, Leaving, Ports, RevocationCursor, SignInRenewal};

use super::race;
use crate::build::{self, delivery, session, sign_in};
use crate::clock::moment;

pub async fn a_sign_in_is_found_by_its_cookie_until_its_end(ports: Ports) {
    ports.sign_ins.begin(&sign_in(1)).await.unwrap();

    let found = ports.sign_ins.find_sign_in(&sign_in(1).cookie, moment(86_399)).await.unwrap().unwrap();
    let late = ports.sign_ins.find_sign_in(&sign_in(1).cookie, moment(86_400)).await.unwrap();
    let stranger = ports.sign_ins.find_sign_in(&Secret::new("guess").digest(), moment(1)).await.unwrap();

    assert_eq!((found.id, found.user, found.methods), (sign_in(1).id, UserId(build::id(1)), vec!["pwd".to_owned()]));
    assert_eq!((found.address, found.agent), (sign_in(1).address, sign_in(1).agent));
    assert!(late.is_none() && stranger.is_none());
}

pub async fn a_renewed_sign_in_has_a_new_cookie_and_keeps_its_name(ports: Ports) {
    ports.sign_ins.begin(&sign_in(1)).await.unwrap();
    let mut renewed = sign_in(1);
    renewed.cookie = Secret::new("fresh").digest();
    renewed.authenticated_at = moment(50);

    let outcome = ports.sign_ins.renew(&renewed).await.unwrap();
    let gone = ports.sign_ins.renew(&sign_in(2)).await.unwrap();

    let found = ports.sign_ins.find_sign_in(&renewed.cookie, moment(60)).await.unwrap().unwrap();
    assert_eq!((outcome, gone), (SignInRenewal::Renewed, SignInRenewal::Gone));
    assert_eq!((found.id, found.authenticated_at), (sign_in(1).id, moment(50)));
    assert!(ports.sign_ins.find_sign_in(&sign_in(1).cookie, moment(60)).await.unwrap().is_none());
}

pub async fn an_ended_sign_in_is_gone_and_the_others_stay(ports: Ports) {
    for number in 1..=3 {
        ports.sign_ins.begin(&sign_in(number)).await.unwrap();
    }

    let ended = ports.sign_ins.leave(&leaving(2, &[])).await.unwrap();
    let again = ports.sign_ins.leave(&leaving(2, &[])).await.unwrap();

    let left = ports.sign_ins.sign_ins_of(UserId(build::id(1)), moment(1)).await.unwrap();
    assert!(ended && !again);
    assert_eq!(left.iter().map(|known| known.id).collect::<Vec<_>>(), [sign_in(3).id, sign_in(1).id]);
}

pub async fn a_sign_in_takes_sessions_along_once(ports: Ports) {
    ports.sign_ins.begin(&sign_in(1)).await.unwrap();
    for number in 1..=3 {
        ports.sessions.open(&session(number), moment(900), Grounds::default()).await.unwrap();
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
    ports.sign_ins.begin(&sign_in(1)).await.unwrap();
    ports.sessions.open(&session(1), moment(900), Grounds::default()).await.unwrap();

    let answers = race(16, |_| {
        let ports = ports.clone();
        async move { ports.sign_ins.leave(&leaving(1, &[1])).await.unwrap() }
    })
    .await;

    assert_eq!(answers.into_iter().filter(|won| *won).count(), 1);
    let feed = ports.revocations.feed(RevocationCursor::default(), moment(6)).await.unwrap();
    assert_eq!(feed.entries.iter().filter(|entry| entry.target == of(1)).count(), 1);
}

fn leaving(number: u128, sessions: &[u128]) -> Leaving {
    let sessions = sessions.iter().map(|number| session(*number).id).collect();
    Leaving { sign_in: sign_in(number).id, sessions, tokens_until: moment(900), messages: vec![delivery(number)] }
}

fn of(number: u128) -> RevocationTarget {
    RevocationTarget::Session(session(number).id)
}

pub async fn a_sign_in_remembers_when_it_was_last_seen(ports: Ports) {
    ports.sign_ins.begin(&sign_in(1)).await.unwrap();
    ports.sign_ins.begin(&sign_in(2)).await.unwrap();

    ports.sign_ins.note_seen(sign_in(1).id, moment(60)).await.unwrap();
    ports.sign_ins.note_seen(sign_in(1).id, moment(30)).await.unwrap();

    let seen = ports.sign_ins.sign_ins_of(UserId(build::id(1)), moment(61)).await.unwrap();
    assert_eq!(seen.iter().map(|known| known.seen_at).collect::<Vec<_>>(), [moment(0), moment(60)]);
}
