//! Rules for devices: one asks, one decides, one poll is let in, and whoever hurries waits longer.

use valetkey_oauth::model::{Approval, Device, DeviceState, SecretDigest, Session, SessionEnd, SessionState};
use valetkey_oauth::ports::{Asking, Deciding, Poll, Ports};
use valetkey_oauth::protocol::Scope;

use super::race;
use crate::build::{self, approval, device, poll, user_code};
use crate::clock::moment;

const MOST: u32 = 100;

/// A store with `app`, and device 1 that waits.
async fn asked(ports: &Ports) {
    ports.clients.register(&build::client("app")).await.unwrap();
    assert_eq!(ports.devices.ask(&device(1), MOST).await.unwrap(), Asking::Asked);
}

/// The same, and alice has let it in.
async fn approved(ports: &Ports) {
    asked(ports).await;
    assert_eq!(ports.devices.approve(device(1).id, &approval(), moment(1)).await.unwrap(), Deciding::Decided);
}

async fn poll_at(ports: &Ports, seconds: i64) -> Poll {
    ports.devices.poll(device(1).id, &poll(moment(seconds))).await.unwrap()
}

async fn session(ports: &Ports) -> Option<Session> {
    ports.sessions.find_session(device(1).id.session()).await.unwrap()
}

async fn found(ports: &Ports, code: SecretDigest, seconds: i64) -> Option<Device> {
    ports.devices.find_waiting(&code, moment(seconds)).await.unwrap()
}

pub async fn a_waiting_device_is_found_by_its_code_until_its_end(ports: Ports) {
    asked(&ports).await;

    let waiting = found(&ports, user_code(1), 599).await.unwrap();

    assert_eq!(format!("{waiting:?}"), format!("{:?}", device(1)));
    assert!(waiting.user_code.matches(&user_code(1)));
    assert!(found(&ports, user_code(2), 1).await.is_none(), "another code");
    assert!(found(&ports, user_code(1), 600).await.is_none(), "too late");
}

pub async fn a_user_code_is_taken_once(ports: Ports) {
    asked(&ports).await;

    let twin = Device { user_code: user_code(1), ..device(2) };
    let taken = ports.devices.ask(&twin, MOST).await.unwrap();

    assert_eq!(taken, Asking::CodeTaken);
    assert_eq!(ports.devices.poll(twin.id, &poll(moment(1))).await.unwrap(), Poll::Unknown);
    assert_eq!(ports.devices.ask(&device(2), MOST).await.unwrap(), Asking::Asked);
}

pub async fn asking_with_one_code_has_one_winner(ports: Ports) {
    ports.clients.register(&build::client("app")).await.unwrap();

    let outcomes = race(16, |number| {
        let devices = ports.devices.clone();
        let twin = Device { user_code: user_code(1), ..device(number as u128) };
        async move { devices.ask(&twin, MOST).await.unwrap() }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Asking::Asked).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Asking::CodeTaken).count(), 15);
}

pub async fn one_address_has_so_many_waiting_and_no_more(ports: Ports) {
    asked(&ports).await;
    ports.clients.register(&build::client("other")).await.unwrap();
    let mut elsewhere = device(4);
    elsewhere.origin.address = Some("2001:db8::1".to_owned());
    let of_other = Device { client: build::client("other").id, ..device(5) };

    let second = ports.devices.ask(&device(2), 2).await.unwrap();
    let third = ports.devices.ask(&device(3), 2).await.unwrap();

    assert_eq!((second, third), (Asking::Asked, Asking::TooMany));
    assert_eq!(ports.devices.ask(&elsewhere, 2).await.unwrap(), Asking::Asked);
    assert_eq!(ports.devices.ask(&of_other, 2).await.unwrap(), Asking::Asked);
    ports.devices.deny(device(1).id, moment(1)).await.unwrap();
    assert_eq!(ports.devices.ask(&device(3), 2).await.unwrap(), Asking::Asked, "one does not wait any more");
    let later = Device { asked_at: moment(600), expires_at: moment(1200), ..device(6) };
    assert_eq!(ports.devices.ask(&later, 2).await.unwrap(), Asking::Asked, "and then none does");
}

pub async fn an_approved_device_gets_the_session_of_its_number(ports: Ports) {
    asked(&ports).await;
    let early = poll_at(&ports, 0).await;
    ports.devices.approve(device(1).id, &approval(), moment(1)).await.unwrap();

    let outcome = poll_at(&ports, 5).await;

    let opened = session(&ports).await.unwrap();
    assert_eq!(early, Poll::Pending);
    assert_eq!(outcome, Poll::Redeemed(Box::new(opened.clone())));
    assert_eq!((opened.subject.as_str(), opened.methods.as_slice()), ("alice", &["pwd".to_owned()][..]));
    assert_eq!((opened.scope, opened.resource), (device(1).scope, device(1).resource));
    assert_eq!((opened.generation, opened.origin), (1, device(1).origin));
    assert_eq!((opened.authenticated_at, opened.created_at), (approval().authenticated_at, moment(5)));
    assert_eq!(opened.expires_at, poll(moment(5)).session_until);
    assert!(found(&ports, user_code(1), 6).await.is_none(), "nobody is to decide about it any more");
}

pub async fn a_device_gets_what_was_given_and_not_what_it_asked_for(ports: Ports) {
    asked(&ports).await;
    let less = Approval { scope: Scope::parse("openid").unwrap(), ..approval() };
    ports.devices.approve(device(1).id, &less, moment(1)).await.unwrap();

    poll_at(&ports, 5).await;

    assert_eq!(session(&ports).await.unwrap().scope, less.scope);
}

pub async fn of_many_polls_one_is_let_in(ports: Ports) {
    approved(&ports).await;

    let outcomes = race(32, |_| {
        let devices = ports.devices.clone();
        async move { devices.poll(device(1).id, &poll(moment(5))).await.unwrap() }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Poll::Redeemed(_))).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Poll::Replayed(_))).count(), 31);
    assert_eq!(session(&ports).await.unwrap().state, SessionState::Ended(SessionEnd::CodeReplayed));
}

pub async fn devices_that_poll_at_once_are_each_told_their_own(ports: Ports) {
    ports.clients.register(&build::client("app")).await.unwrap();
    let at = |number: u128, seconds| {
        let devices = ports.devices.clone();
        async move { devices.poll(device(number).id, &poll(moment(seconds))).await.unwrap() }
    };
    // Of each six, one waits, one was let in, one was turned away, one polled just now, one has its session, and one is unknown.
    for number in (0..48).filter(|number| number % 6 != 5) {
        assert_eq!(ports.devices.ask(&device(number), MOST).await.unwrap(), Asking::Asked);
        match number % 6 {
            1 | 4 => drop(ports.devices.approve(device(number).id, &approval(), moment(1)).await.unwrap()),
            2 => drop(ports.devices.deny(device(number).id, moment(1)).await.unwrap()),
            3 => assert_eq!(at(number, 3).await, Poll::Pending),
            _ => {}
        }
        if number % 6 == 4 {
            assert!(matches!(at(number, 2).await, Poll::Redeemed(_)));
        }
    }

    let outcomes = race(48, |number| at(number as u128, 5)).await;

    for (number, outcome) in (0..).zip(outcomes) {
        let session = ports.sessions.find_session(device(number).id.session()).await.unwrap();
        let (told, state) = match number % 6 {
            0 => (Poll::Pending, None),
            1 => (Poll::Redeemed(Box::new(session.clone().unwrap())), Some(SessionState::Active)),
            2 => (Poll::Denied, None),
            3 => (Poll::TooSoon(10), None),
            4 => (Poll::Replayed(device(number).id.session()), Some(SessionState::Ended(SessionEnd::CodeReplayed))),
            _ => (Poll::Unknown, None),
        };
        assert_eq!((outcome, session.map(|session| session.state)), (told, state), "{number}");
    }
    assert_eq!((at(0, 6).await, at(3, 16).await), (Poll::TooSoon(10), Poll::Pending), "and what they did is noted");
}

pub async fn a_poll_after_redemption_ends_the_session_at_any_age(ports: Ports) {
    approved(&ports).await;
    assert!(matches!(poll_at(&ports, 5).await, Poll::Redeemed(_)));

    let replay = poll_at(&ports, 700).await;

    assert_eq!(replay, Poll::Replayed(device(1).id.session()));
    assert_eq!(session(&ports).await.unwrap().state, SessionState::Ended(SessionEnd::CodeReplayed));
    let feed = ports.revocations.feed(Default::default(), moment(701)).await.unwrap();
    assert_eq!(feed.entries.len(), 1);
    poll_at(&ports, 701).await;
    assert_eq!(ports.revocations.feed(Default::default(), moment(702)).await.unwrap().entries.len(), 1);
}

pub async fn who_polls_too_fast_waits_longer_each_time(ports: Ports) {
    asked(&ports).await;

    let outcomes = [poll_at(&ports, 0).await, poll_at(&ports, 4).await, poll_at(&ports, 13).await];

    assert_eq!(outcomes, [Poll::Pending, Poll::TooSoon(10), Poll::TooSoon(15)]);
    assert_eq!(poll_at(&ports, 28).await, Poll::Pending, "15 seconds after the last one");
    assert_eq!(poll_at(&ports, 42).await, Poll::TooSoon(20), "what was added stays");
}

pub async fn a_poll_that_is_too_fast_is_never_let_in(ports: Ports) {
    approved(&ports).await;
    let mut hurried = device(2);
    hurried.user_code = user_code(2);
    ports.devices.ask(&hurried, MOST).await.unwrap();
    let at = async |seconds| ports.devices.poll(hurried.id, &poll(moment(seconds))).await.unwrap();
    assert_eq!(at(0).await, Poll::Pending);
    ports.devices.approve(hurried.id, &approval(), moment(1)).await.unwrap();

    for second in 1..=60 {
        assert!(matches!(at(second).await, Poll::TooSoon(_)), "{second}");
    }

    assert!(matches!(at(60 + 305).await, Poll::Redeemed(_)), "who then waits as told is");
}

pub async fn a_denied_device_stays_denied(ports: Ports) {
    asked(&ports).await;

    let denied = ports.devices.deny(device(1).id, moment(1)).await.unwrap();
    let changed = ports.devices.approve(device(1).id, &approval(), moment(2)).await.unwrap();

    assert_eq!((denied, changed), (Deciding::Decided, Deciding::Gone));
    assert_eq!((poll_at(&ports, 3).await, poll_at(&ports, 8).await), (Poll::Denied, Poll::Denied));
    assert!(session(&ports).await.is_none());
}

pub async fn a_decision_has_one_winner(ports: Ports) {
    asked(&ports).await;

    let outcomes = race(16, |number| {
        let devices = ports.devices.clone();
        async move {
            if number % 2 == 0 {
                devices.approve(device(1).id, &approval(), moment(1)).await.unwrap()
            } else {
                devices.deny(device(1).id, moment(1)).await.unwrap()
            }
        }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Deciding::Decided).count(), 1);
}

pub async fn nothing_happens_to_a_device_after_its_end(ports: Ports) {
    approved(&ports).await;
    let waiting = device(2);
    ports.devices.ask(&waiting, MOST).await.unwrap();

    let late = poll_at(&ports, 600).await;

    assert_eq!(late, Poll::Expired);
    assert!(session(&ports).await.is_none());
    assert_eq!(ports.devices.approve(waiting.id, &approval(), moment(600)).await.unwrap(), Deciding::Gone);
    assert_eq!(ports.devices.deny(waiting.id, moment(600)).await.unwrap(), Deciding::Gone);
    assert_eq!(ports.devices.poll(device(3).id, &poll(moment(1))).await.unwrap(), Poll::Unknown);
}

pub async fn a_withdrawn_consent_takes_back_what_was_not_redeemed(ports: Ports) {
    approved(&ports).await;
    let of_bob = device(2);
    ports.devices.ask(&of_bob, MOST).await.unwrap();
    let bob = Approval { subject: "bob".to_owned(), ..approval() };
    ports.devices.approve(of_bob.id, &bob, moment(1)).await.unwrap();

    ports.consents.withdraw("alice", &build::client("app").id, moment(2), moment(900)).await.unwrap();

    assert_eq!(poll_at(&ports, 5).await, Poll::Unknown);
    assert!(matches!(ports.devices.poll(of_bob.id, &poll(moment(5))).await.unwrap(), Poll::Redeemed(_)));
}

pub async fn a_removed_client_takes_its_devices_along(ports: Ports) {
    approved(&ports).await;
    let tokens = build::revocation(valetkey_oauth::model::RevocationTarget::Client(device(1).client, moment(2)));

    ports.clients.remove(&device(1).client, &tokens).await.unwrap();

    assert_eq!(poll_at(&ports, 5).await, Poll::Unknown);
    assert_eq!(device(1).state, DeviceState::Pending);
}
