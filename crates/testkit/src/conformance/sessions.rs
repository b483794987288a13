//! Rules for sessions: one opens, one rotates, and a replay ends everything at any age.

use valetkey_oauth::model::{ClientId, RevocationTarget, Session, SessionEnd, SessionOrigin, SessionState};
use valetkey_oauth::ports::{
    Ending, Grounds, Leaving, Opening, OpeningRules, Ports, RevocationCursor, Rotation, SessionQuery,
};
use valetkey_oauth::protocol::Scope;

use super::race;
use crate::build::{self, client, consent, opening, rotation, session, sign_in, user};
use crate::clock::moment;

async fn is_fed(ports: &Ports, number: u128) -> bool {
    let feed = ports.revocations.feed(RevocationCursor::default(), moment(1)).await.unwrap();
    feed.entries.iter().any(|entry| entry.target == RevocationTarget::Session(session(number).id))
}

pub async fn an_opened_session_is_found_again(ports: Ports) {
    let mut opened = session(1);
    opened.resource = Some("https://api.example".to_owned());
    opened.key_binding = Some("thumbprint".to_owned());

    let outcome = ports.sessions.open(&opened, &opening()).await.unwrap();

    assert_eq!(outcome, Opening::Opened);
    assert_eq!(ports.sessions.find_session(opened.id).await.unwrap(), Some(opened));
    assert_eq!(ports.sessions.find_session(session(2).id).await.unwrap(), None);
    assert!(!is_fed(&ports, 1).await);
}

pub async fn a_second_opening_ends_the_session(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    let outcome = ports.sessions.open(&session(1), &opening()).await.unwrap();

    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert!(matches!(outcome, Opening::Replayed(_)));
    assert_eq!(found.state, SessionState::Ended(SessionEnd::CodeReplayed));
    assert!(is_fed(&ports, 1).await);
}

pub async fn opening_has_one_winner(ports: Ports) {
    let outcomes = race(32, |_| {
        let sessions = ports.sessions.clone();
        async move { sessions.open(&session(1), &opening()).await.unwrap() }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Opening::Opened).count(), 1);
}

pub async fn rotation_counts_up(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    for generation in 1..=5 {
        let outcome = ports.sessions.rotate(session(1).id, generation, &rotation(moment(7))).await.unwrap();
        let Rotation::Rotated(rotated) = outcome else { panic!("{outcome:?}") };
        assert_eq!(rotated.generation, generation + 1);
        assert_eq!(rotated.used_at, moment(7));
    }
    assert_eq!(ports.sessions.find_session(session(1).id).await.unwrap().unwrap().generation, 6);
}

pub async fn rotation_has_one_winner(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    let outcomes = race(32, |_| {
        let sessions = ports.sessions.clone();
        async move { sessions.rotate(session(1).id, 1, &rotation(moment(1))).await.unwrap() }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Rotation::Rotated(_))).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Rotation::Reused(_))).count(), 31);
    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert_eq!(found.state, SessionState::Ended(SessionEnd::RefreshReused));
}

pub async fn what_happens_to_one_session_is_nothing_to_the_others(ports: Ports) {
    race(32, |number| {
        let sessions = ports.sessions.clone();
        async move { sessions.open(&session(number as u128), &opening()).await.unwrap() }
    })
    .await;
    for number in (0..32).step_by(4) {
        ports.sessions.rotate(session(number).id, 1, &rotation(moment(1))).await.unwrap();
    }

    // Of each four: a void generation, one that is yet to come, a good one, and another good one.
    let outcomes = race(32, |number| {
        let (sessions, generation) = (ports.sessions.clone(), if number % 4 == 1 { 2 } else { 1 });
        async move { sessions.rotate(session(number as u128).id, generation, &rotation(moment(2))).await.unwrap() }
    })
    .await;

    for (number, outcome) in outcomes.into_iter().enumerate() {
        let of = session(number as u128).id;
        match (number % 4, outcome) {
            (0, Rotation::Reused(ended)) => assert_eq!((ended.id, ended.is_alive(moment(2))), (of, false)),
            (1, Rotation::Unknown) => {}
            (2 | 3, Rotation::Rotated(rotated)) => assert_eq!((rotated.id, rotated.generation), (of, 2)),
            (_, other) => panic!("session {number}: {other:?}"),
        }
    }
}

pub async fn a_reused_generation_ends_the_session(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();
    ports.sessions.rotate(session(1).id, 1, &rotation(moment(1))).await.unwrap();

    let replay = ports.sessions.rotate(session(1).id, 1, &rotation(moment(2))).await.unwrap();
    let successor = ports.sessions.rotate(session(1).id, 2, &rotation(moment(3))).await.unwrap();

    assert!(matches!(replay, Rotation::Reused(_)));
    assert!(matches!(successor, Rotation::Ended(_)));
    assert!(is_fed(&ports, 1).await);
}

pub async fn reuse_is_detected_at_any_age(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();
    for generation in 1..=40 {
        ports.sessions.rotate(session(1).id, generation, &rotation(moment(1))).await.unwrap();
    }

    let replay = ports.sessions.rotate(session(1).id, 1, &rotation(moment(29 * 86_400))).await.unwrap();

    assert!(matches!(replay, Rotation::Reused(_)));
    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert_eq!(found.state, SessionState::Ended(SessionEnd::RefreshReused));
}

pub async fn a_generation_never_issued_is_unknown(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    let future = ports.sessions.rotate(session(1).id, 2, &rotation(moment(1))).await.unwrap();
    let stranger = ports.sessions.rotate(session(2).id, 1, &rotation(moment(1))).await.unwrap();

    assert_eq!((future, stranger), (Rotation::Unknown, Rotation::Unknown));
    assert!(ports.sessions.find_session(session(1).id).await.unwrap().unwrap().is_alive(moment(1)));
}

pub async fn an_expired_session_does_not_rotate_but_ends(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();
    let end = session(1).expires_at;

    let outcome = ports.sessions.rotate(session(1).id, 1, &rotation(end)).await.unwrap();
    let again = ports.sessions.rotate(session(1).id, 1, &rotation(end)).await.unwrap();

    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert!(matches!(outcome, Rotation::Reused(ended) if *ended == found));
    assert_eq!((found.generation, found.state), (1, SessionState::Ended(SessionEnd::RefreshReused)));
    assert!(matches!(again, Rotation::Ended(_)), "{again:?}");
    assert!(is_fed(&ports, 1).await);
}

pub async fn an_ended_session_stays_ended(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    let first = ports.sessions.end(session(1).id, SessionEnd::Revoked, moment(1), moment(900)).await.unwrap();
    let second = ports.sessions.end(session(1).id, SessionEnd::Operator, moment(2), moment(900)).await.unwrap();
    let stranger = ports.sessions.end(session(2).id, SessionEnd::Revoked, moment(1), moment(900)).await.unwrap();

    assert!(matches!(first, Ending::Ended(_)));
    assert_eq!((second, stranger), (Ending::EndedBefore, Ending::Unknown));
    let found = ports.sessions.find_session(session(1).id).await.unwrap().unwrap();
    assert_eq!(found.state, SessionState::Ended(SessionEnd::Revoked));
    assert!(is_fed(&ports, 1).await);
}

pub async fn what_ends_at_once_is_filed_once(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();
    ports.sessions.rotate(session(1).id, 1, &rotation(moment(1))).await.unwrap();

    race(24, |number| {
        let sessions = ports.sessions.clone();
        async move {
            let id = session(1).id;
            match number % 3 {
                0 => drop(sessions.open(&session(1), &opening()).await.unwrap()),
                1 => drop(sessions.rotate(id, 1, &rotation(moment(1))).await.unwrap()),
                _ => drop(sessions.end(id, SessionEnd::Revoked, moment(1), moment(900)).await.unwrap()),
            }
        }
    })
    .await;

    let feed = ports.revocations.feed(RevocationCursor::default(), moment(1)).await.unwrap();
    assert_eq!(feed.entries.len(), 1);
    assert!(!ports.sessions.find_session(session(1).id).await.unwrap().unwrap().is_alive(moment(1)));
}

pub async fn ending_has_one_winner(ports: Ports) {
    ports.sessions.open(&session(1), &opening()).await.unwrap();

    let outcomes = race(16, |_| {
        let sessions = ports.sessions.clone();
        async move { sessions.end(session(1).id, SessionEnd::Revoked, moment(1), moment(900)).await.unwrap() }
    })
    .await;

    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, Ending::Ended(_))).count(), 1);
}

pub async fn lists_are_newest_first_and_filtered(ports: Ports) {
    for number in 1..=5 {
        let mut opened = session(number);
        if number == 3 {
            opened.subject = "bob".to_owned();
            opened.client = ClientId::new("other");
        }
        ports.sessions.open(&opened, &opening()).await.unwrap();
    }
    let ids = async |query: SessionQuery| -> Vec<_> {
        ports.sessions.list_sessions(&query).await.unwrap().into_iter().map(|found| found.id.0).collect()
    };

    let all = ids(SessionQuery { limit: 10, ..Default::default() }).await;
    let page = ids(SessionQuery { limit: 2, before: Some(session(4).id), ..Default::default() }).await;
    let bobs = ids(SessionQuery { limit: 10, subject: Some("bob".to_owned()), ..Default::default() }).await;
    let apps = ids(SessionQuery { limit: 10, client: Some(ClientId::new("app")), ..Default::default() }).await;

    assert_eq!(all, [5, 4, 3, 2, 1].map(build::id));
    assert_eq!(page, [3, 2].map(build::id));
    assert_eq!(bobs, [3].map(build::id));
    assert_eq!(apps, [5, 4, 2, 1].map(build::id));
}

pub async fn nothing_begins_that_goes_beyond_its_consent(ports: Ports) {
    ports.clients.register(&client("app")).await.unwrap();
    ports.consents.agree(&consent("openid")).await.unwrap();
    let agreed = Grounds { consent: true, sign_in: false };
    let of = |number, scope| Session { scope: Scope::parse(scope).unwrap(), ..session(number) };
    let open =
        async |session| ports.sessions.open(&session, &OpeningRules { grounds: agreed, ..opening() }).await.unwrap();

    assert_eq!(open(of(1, "openid read:orders")).await, Opening::Unfounded);
    assert_eq!(open(of(2, "openid")).await, Opening::Opened);
    assert_eq!(open(of(3, "")).await, Opening::Opened);
    assert!(ports.sessions.find_session(session(1).id).await.unwrap().is_none());
}

pub async fn nothing_begins_on_grounds_that_are_gone(ports: Ports) {
    ports.clients.register(&client("app")).await.unwrap();
    ports.consents.agree(&consent("openid read:orders")).await.unwrap();
    ports.users.add(&user(1, "alice")).await.unwrap();
    ports.sign_ins.begin(&sign_in(1), &user(1, "alice").password_hash).await.unwrap();
    let (agreed, seated) = (Grounds { consent: true, sign_in: false }, Grounds { consent: true, sign_in: true });
    let of = |number| Session {
        origin: SessionOrigin { sign_in: Some(sign_in(1).id.0), ..SessionOrigin::default() },
        ..session(number)
    };
    let open =
        async |number, grounds| ports.sessions.open(&of(number), &OpeningRules { grounds, ..opening() }).await.unwrap();

    assert_eq!(open(1, seated).await, Opening::Opened);
    let leaving =
        Leaving { sign_in: sign_in(1).id, sessions: Vec::new(), tokens_until: moment(900), messages: Vec::new() };
    ports.sign_ins.leave(&leaving).await.unwrap();
    assert_eq!(open(2, seated).await, Opening::Unfounded);
    assert_eq!(open(3, agreed).await, Opening::Opened);
    ports.consents.withdraw("alice", &client("app").id, moment(1), moment(900)).await.unwrap();
    assert_eq!(open(4, agreed).await, Opening::Unfounded);

    assert!(matches!(open(1, seated).await, Opening::Replayed(_)), "a replay is one all the same");
    assert!(ports.sessions.find_session(session(2).id).await.unwrap().is_none());
    assert!(ports.sessions.find_session(session(4).id).await.unwrap().is_none());
}

pub async fn of_sessions_that_end_together_those_that_live_are_filed(ports: Ports) {
    for number in 1..=3 {
        ports.sessions.open(&session(number), &opening()).await.unwrap();
    }
    ports.sessions.end(session(2).id, SessionEnd::Operator, moment(5), moment(900)).await.unwrap();
    let ids = [session(1).id, session(2).id, session(9).id];

    ports.sessions.end_together(&ids, SessionEnd::SignedOut, moment(900)).await.unwrap();
    ports.sessions.end_together(&ids, SessionEnd::Revoked, moment(900)).await.unwrap();

    let state = async |number| ports.sessions.find_session(session(number).id).await.unwrap().unwrap().state;
    assert_eq!(state(1).await, SessionState::Ended(SessionEnd::SignedOut));
    assert_eq!(state(2).await, SessionState::Ended(SessionEnd::Operator));
    assert_eq!(state(3).await, SessionState::Active);
    let feed = ports.revocations.feed(RevocationCursor::default(), moment(6)).await.unwrap();
    let filed = feed.entries.iter().map(|entry| entry.target.clone()).collect::<Vec<_>>();
    assert_eq!(filed, [2, 1].map(|number| RevocationTarget::Session(session(number).id)));
}
