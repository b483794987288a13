//! Rules for retries: of an opening and of a poll by key, of a rotation by key, by window, and without voiding at all.

use valetkey_oauth::model::{DeviceState, Session, SessionEnd, SessionState};
use valetkey_oauth::ports::{
    Grounds, KeptAnswer, Opening, OpeningRules, Poll, PollRules, Ports, Rotation, RotationRules,
};

use super::race;
use crate::build::{approval, client, device, opening, poll, rotation, session};
use crate::clock::moment;

fn answer(name: u8) -> Option<KeptAnswer> {
    Some(KeptAnswer { id: [name; 32], sealed: vec![name, 42], expires_at: moment(60) })
}

fn keyed(now: i64, name: u8) -> RotationRules {
    RotationRules { answer: answer(name), ..rotation(moment(now)) }
}

async fn rotate(ports: &Ports, generation: u32, rules: &RotationRules) -> Rotation {
    ports.sessions.rotate(session(1).id, generation, rules).await.unwrap()
}

pub async fn the_same_key_gets_the_same_answer(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    let first = rotate(&ports, 1, &keyed(1, 7)).await;
    let mut other_bytes = keyed(2, 7);
    other_bytes.answer.as_mut().unwrap().sealed = vec![9];
    let again = rotate(&ports, 1, &other_bytes).await;

    assert!(matches!(first, Rotation::Rotated(_)));
    assert_eq!(again, Rotation::Answered(vec![7, 42]));
    assert!(ports.sessions.find_session(session(1).id).await.unwrap().unwrap().is_alive(moment(2)));
}

pub async fn another_key_is_a_reuse(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();
    rotate(&ports, 1, &keyed(1, 7)).await;

    assert!(matches!(rotate(&ports, 1, &keyed(2, 8)).await, Rotation::Reused(_)));
}

pub async fn an_answer_is_kept_for_its_time_only(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();
    rotate(&ports, 1, &keyed(1, 7)).await;

    assert!(matches!(rotate(&ports, 1, &keyed(60, 7)).await, Rotation::Reused(_)));
}

pub async fn racing_twins_with_one_key_rotate_once_and_nobody_is_a_thief(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    let outcomes = race(16, |_| {
        let ports = ports.clone();
        async move { rotate(&ports, 1, &keyed(1, 7)).await }
    })
    .await;

    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Rotation::Rotated(_))).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Rotation::Answered(_))).count(), 15);
    assert_eq!((found.generation, found.state), (2, SessionState::Active));
}

pub async fn within_the_window_the_last_one_again_is_a_retry(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();
    rotate(&ports, 1, &rotation(moment(100))).await;
    let window = |now: i64| RotationRules { retry_since: Some(moment(now - 30)), ..rotation(moment(now)) };

    let retry = rotate(&ports, 1, &window(130)).await;
    let late = rotate(&ports, 1, &window(131)).await;

    assert!(matches!(retry, Rotation::Repeated(session) if session.generation == 2));
    assert!(matches!(late, Rotation::Reused(_)));
}

pub async fn the_window_is_closed_once_the_successor_was_used(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();
    let window = |now: i64| RotationRules { retry_since: Some(moment(now - 30)), ..rotation(moment(now)) };
    rotate(&ports, 1, &window(100)).await;
    rotate(&ports, 2, &window(101)).await;

    assert!(matches!(rotate(&ports, 1, &window(102)).await, Rotation::Reused(_)));
}

pub async fn an_idle_session_does_not_rotate_but_ends(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();
    rotate(&ports, 1, &rotation(moment(1))).await;

    let idle = rotate(&ports, 2, &rotation(moment(14 * 86_400 + 2))).await;
    let awake = rotate(&ports, 2, &rotation(moment(2))).await;

    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert!(matches!(idle, Rotation::Reused(ended) if *ended == found));
    assert_eq!((found.generation, found.state), (2, SessionState::Ended(SessionEnd::RefreshReused)));
    assert!(matches!(awake, Rotation::Ended(_)), "{awake:?}");
}

pub async fn without_voiding_a_token_works_again_and_again(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    for now in 1..=3 {
        let rules = RotationRules { voids: false, ..rotation(moment(now)) };
        let outcome = rotate(&ports, 1, &rules).await;
        assert!(matches!(outcome, Rotation::Rotated(used) if used.generation == 1 && used.used_at == moment(now)));
    }
    ports.sessions.end(session(1).id, SessionEnd::Revoked, moment(4), moment(900)).await.unwrap();
    assert!(matches!(rotate(&ports, 1, &rotation(moment(5))).await, Rotation::Ended(_)));
}

async fn open(ports: &Ports, number: u128, now: i64, answer: Option<KeptAnswer>) -> Opening {
    let session = Session { created_at: moment(now), ..session(number) };
    ports.sessions.open(&session, &OpeningRules { answer, ..opening() }).await.unwrap()
}

pub async fn a_code_again_under_its_key_gets_the_same_answer(ports: Ports) {
    let kept = async |now| ports.sessions.kept_answer(&[7; 32], moment(now)).await.unwrap();
    assert_eq!(kept(1).await, None);

    assert_eq!(open(&ports, 1, 1, answer(7)).await, Opening::Opened);
    let other_bytes = answer(7).map(|answer| KeptAnswer { sealed: vec![9], ..answer });
    assert_eq!(open(&ports, 1, 59, other_bytes).await, Opening::Answered(vec![7, 42]));

    assert_eq!((kept(59).await, kept(60).await), (Some(vec![7, 42]), None));
    assert!(ports.sessions.find_session(session(1).id).await.unwrap().unwrap().is_alive(moment(59)));
}

pub async fn a_code_again_without_its_key_is_a_replay(ports: Ports) {
    for (number, at, again) in [(1, 2, None), (2, 2, answer(9)), (3, 60, answer(3))] {
        assert_eq!(open(&ports, u128::from(number), 1, answer(number)).await, Opening::Opened);

        let replay = open(&ports, u128::from(number), at, again).await;

        assert!(matches!(replay, Opening::Replayed(_)), "{number}: {replay:?}");
    }
}

pub async fn racing_twins_with_one_key_open_once_and_nobody_is_a_thief(ports: Ports) {
    let outcomes = race(16, |_| {
        let ports = ports.clone();
        async move { open(&ports, 1, 1, answer(7)).await }
    })
    .await;

    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Opening::Opened).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Opening::Answered(_))).count(), 15);
    assert_eq!(found.state, SessionState::Active);
}

pub async fn nothing_is_kept_of_an_opening_without_grounds(ports: Ports) {
    let grounds = Grounds { consent: true, sign_in: false };
    let rules = OpeningRules { answer: answer(7), grounds, ..opening() };

    assert_eq!(ports.sessions.open(&session(1), &rules).await.unwrap(), Opening::Unfounded);

    assert_eq!(ports.sessions.kept_answer(&[7; 32], moment(1)).await.unwrap(), None);
}

/// Device 1 waits for a person.
async fn asked(ports: &Ports) {
    ports.clients.register(&client("app")).await.unwrap();
    ports.devices.ask(&device(1), 100).await.unwrap();
}

async fn poll_at(ports: &Ports, now: i64, answer: Option<KeptAnswer>) -> Poll {
    ports.devices.poll(device(1).id, &PollRules { answer, ..poll(moment(now)) }).await.unwrap()
}

pub async fn a_poll_again_under_its_key_gets_the_same_answer(ports: Ports) {
    asked(&ports).await;
    ports.devices.approve(device(1).id, &approval(), moment(1)).await.unwrap();
    let state = async || ports.devices.find_device(device(1).id).await.unwrap().unwrap().state;
    let alive = async || {
        let found = ports.sessions.find_session(device(1).id.session()).await.unwrap().unwrap();
        found.is_alive(moment(3))
    };
    assert_eq!(state().await, DeviceState::Approved(approval()));

    assert!(matches!(poll_at(&ports, 2, answer(7)).await, Poll::Redeemed(_)));
    assert_eq!(poll_at(&ports, 3, answer(7)).await, Poll::Answered(vec![7, 42]));
    assert!(state().await == DeviceState::Redeemed && alive().await);

    assert!(matches!(poll_at(&ports, 20, answer(8)).await, Poll::Replayed(_)));
    assert!(!alive().await);
}

pub async fn racing_polls_with_one_key_are_let_in_once_and_nobody_is_a_thief(ports: Ports) {
    asked(&ports).await;
    ports.devices.approve(device(1).id, &approval(), moment(1)).await.unwrap();

    let outcomes = race(16, |_| {
        let ports = ports.clone();
        async move { poll_at(&ports, 2, answer(7)).await }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Poll::Redeemed(_))).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Poll::Answered(_))).count(), 15);
}

pub async fn who_is_let_in_before_there_is_an_answer_waits_for_the_next_poll(ports: Ports) {
    asked(&ports).await;
    ports.devices.approve(device(1).id, &approval(), moment(1)).await.unwrap();
    let name = answer(7).map(|answer| KeptAnswer { sealed: Vec::new(), ..answer });

    assert_eq!(poll_at(&ports, 2, name).await, Poll::Pending);
    assert!(matches!(poll_at(&ports, 8, answer(7)).await, Poll::Redeemed(_)));
}
