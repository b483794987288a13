//! Rules for retries of a rotation: by key, by window, and without voiding at all.

use valetkey_oauth::model::{SessionEnd, SessionState};
use valetkey_oauth::ports::{Grounds, KeptAnswer, Ports, Rotation, RotationRules};

use super::race;
use crate::build::{rotation, session};
use crate::clock::moment;

fn keyed(now: i64, name: u8) -> RotationRules {
    let answer = KeptAnswer { id: [name; 32], sealed: vec![name, 42], expires_at: moment(60) };
    RotationRules { answer: Some(answer), ..rotation(moment(now)) }
}

async fn rotate(ports: &Ports, generation: u32, rules: &RotationRules) -> Rotation {
    ports.sessions.rotate(session(1).id, generation, rules).await.unwrap()
}

pub async fn the_same_key_gets_the_same_answer(ports: Ports) {
    ports.sessions.open(&session(1), moment(900), Grounds::default()).await.unwrap();

    let first = rotate(&ports, 1, &keyed(1, 7)).await;
    let mut other_bytes = keyed(2, 7);
    other_bytes.answer.as_mut().unwrap().sealed = vec![9];
    let again = rotate(&ports, 1, &other_bytes).await;

    assert!(matches!(first, Rotation::Rotated(_)));
    assert_eq!(again, Rotation::Answered(vec![7, 42]));
    assert!(ports.sessions.find_session(session(1).id).await.unwrap().unwrap().is_alive(moment(2)));
}

pub async fn another_key_is_a_reuse(ports: Ports) {
    ports.sessions.open(&session(1), moment(900), Grounds::default()).await.unwrap();
    rotate(&ports, 1, &keyed(1, 7)).await;

    assert!(matches!(rotate(&ports, 1, &keyed(2, 8)).await, Rotation::Reused(_)));
}

pub async fn an_answer_is_kept_for_its_time_only(ports: Ports) {
    ports.sessions.open(&session(1), moment(900), Grounds::default()).await.unwrap();
    rotate(&ports, 1, &keyed(1, 7)).await;

    assert!(matches!(rotate(&ports, 1, &keyed(60, 7)).await, Rotation::Reused(_)));
}

pub async fn racing_twins_with_one_key_rotate_once_and_nobody_is_a_thief(ports: Ports) {
    ports.sessions.open(&session(1), moment(900), Grounds::default()).await.unwrap();

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
    ports.sessions.open(&session(1), moment(900), Grounds::default()).await.unwrap();
    rotate(&ports, 1, &rotation(moment(100))).await;
    let window = |now: i64| RotationRules { retry_since: Some(moment(now - 30)), ..rotation(moment(now)) };

    let retry = rotate(&ports, 1, &window(130)).await;
    let late = rotate(&ports, 1, &window(131)).await;

    assert!(matches!(retry, Rotation::Repeated(session) if session.generation == 2));
    assert!(matches!(late, Rotation::Reused(_)));
}

pub async fn the_window_is_closed_once_the_successor_was_used(ports: Ports) {
    ports.sessions.open(&session(1), moment(900), Grounds::default()).await.unwrap();
    let window = |now: i64| RotationRules { retry_since: Some(moment(now - 30)), ..rotation(moment(now)) };
    rotate(&ports, 1, &window(100)).await;
    rotate(&ports, 2, &window(101)).await;

    assert!(matches!(rotate(&ports, 1, &window(102)).await, Rotation::Reused(_)));
}

pub async fn an_idle_session_does_not_rotate_but_ends(ports: Ports) {
    ports.sessions.open(&session(1), moment(900), Grounds::default()).await.unwrap();
    rotate(&ports, 1, &rotation(moment(1))).await;

    let idle = rotate(&ports, 2, &rotation(moment(14 * 86_400 + 2))).await;
    let awake = rotate(&ports, 2, &rotation(moment(2))).await;

    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert!(matches!(idle, Rotation::Reused(ended) if *ended == found));
    assert_eq!((found.generation, found.state), (2, SessionState::Ended(SessionEnd::RefreshReused)));
    assert!(matches!(awake, Rotation::Ended(_)), "{awake:?}");
}

pub async fn without_voiding_a_token_works_again_and_again(ports: Ports) {
    ports.sessions.open(&session(1), moment(900), Grounds::default()).await.unwrap();

    for now in 1..=3 {
        let rules = RotationRules { voids: false, ..rotation(moment(now)) };
        let outcome = rotate(&ports, 1, &rules).await;
        assert!(matches!(outcome, Rotation::Rotated(used) if used.generation == 1 && used.used_at == moment(now)));
    }
    ports.sessions.end(session(1).id, SessionEnd::Revoked, moment(4), moment(900)).await.unwrap();
    assert!(matches!(rotate(&ports, 1, &rotation(moment(5))).await, Rotation::Ended(_)));
}
