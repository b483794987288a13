//! Rules for consents.

use valetkey_oauth::model::{ClientId, RevocationTarget, SessionEnd, SessionState};
use valetkey_oauth::ports::{Grounds, OpeningRules, Ports, RevocationCursor};

use super::race;
use crate::build::{self, consent, opening, session};
use crate::clock::moment;

pub async fn what_was_agreed_adds_up(ports: Ports) {
    ports.clients.register(&build::client("app")).await.unwrap();
    let before = ports.consents.find_consent("alice", &ClientId::new("app")).await.unwrap();

    ports.consents.agree(&consent("openid read:orders")).await.unwrap();
    let mut more = consent("read:orders write:orders");
    (more.given_at, more.changed_at) = (moment(9), moment(9));
    let all = ports.consents.agree(&more).await.unwrap();

    let found = ports.consents.find_consent("alice", &ClientId::new("app")).await.unwrap().unwrap();
    assert!(before.is_none());
    assert_eq!(found, all);
    assert_eq!(found.scope.as_str(), "openid read:orders write:orders");
    assert_eq!((found.given_at, found.changed_at), (moment(0), moment(9)));
    assert_eq!(ports.consents.consents_of("alice").await.unwrap(), [all]);
    assert!(ports.consents.consents_of("bob").await.unwrap().is_empty());
}

pub async fn what_begins_beside_a_withdrawal_ends_with_it(ports: Ports) {
    ports.clients.register(&build::client("app")).await.unwrap();
    let rules = OpeningRules { grounds: Grounds { consent: true, sign_in: false }, ..opening() };
    for number in 1..=40 {
        ports.consents.agree(&consent("openid read:orders")).await.unwrap();
        let begun = session(number);

        race(2, |which| {
            let (ports, rules, begun) = (ports.clone(), rules.clone(), begun.clone());
            async move {
                match which {
                    0 => drop(ports.sessions.open(&begun, &rules).await.unwrap()),
                    _ => drop(ports.consents.withdraw("alice", &begun.client, moment(1), moment(900)).await.unwrap()),
                }
            }
        })
        .await;

        let found = ports.sessions.find_session(begun.id).await.unwrap();
        assert!(found.is_none_or(|found| !found.is_alive(moment(1))), "{number} lives on");
    }
}

pub async fn two_who_agree_at_once_lose_nothing(ports: Ports) {
    ports.clients.register(&build::client("app")).await.unwrap();

    race(16, |number| {
        let consents = ports.consents.clone();
        async move { consents.agree(&consent(&format!("scope:{number}"))).await.unwrap() }
    })
    .await;

    let found = ports.consents.find_consent("alice", &ClientId::new("app")).await.unwrap().unwrap();
    assert_eq!(found.scope.names().count(), 16);
}

pub async fn a_withdrawn_consent_ends_what_stood_on_it(ports: Ports) {
    for id in ["app", "other"] {
        ports.clients.register(&build::client(id)).await.unwrap();
    }
    ports.consents.agree(&consent("read:orders")).await.unwrap();
    for number in 1..=3 {
        let mut opened = session(number);
        if number == 3 {
            opened.client = ClientId::new("other");
        }
        ports.sessions.open(&opened, &opening()).await.unwrap();
    }

    let revoked = ports.consents.withdraw("alice", &ClientId::new("app"), moment(5), moment(905)).await.unwrap();
    let again = ports.consents.withdraw("alice", &ClientId::new("app"), moment(6), moment(906)).await.unwrap();

    let state = async |number| ports.sessions.find_session(session(number).id).await.unwrap().unwrap().state;
    let feed = ports.revocations.feed(RevocationCursor::default(), moment(6)).await.unwrap();
    assert_eq!((revoked.len(), again.len()), (2, 0));
    assert_eq!(state(1).await, SessionState::Ended(SessionEnd::Revoked));
    assert_eq!(state(3).await, SessionState::Active);
    assert!(feed.entries.iter().any(|entry| entry.target == RevocationTarget::Session(session(2).id)));
    assert!(ports.consents.find_consent("alice", &ClientId::new("app")).await.unwrap().is_none());
}

pub async fn a_withdrawn_consent_ends_many_sessions_and_what_is_left_without_one(ports: Ports) {
    ports.clients.register(&build::client("app")).await.unwrap();
    ports.consents.agree(&consent("read:orders")).await.unwrap();
    for number in 1..=450 {
        ports.sessions.open(&session(number), &opening()).await.unwrap();
    }

    let revoked = ports.consents.withdraw("alice", &ClientId::new("app"), moment(5), moment(905)).await.unwrap();
    ports.sessions.open(&session(451), &opening()).await.unwrap();
    let left = ports.consents.withdraw("alice", &ClientId::new("app"), moment(6), moment(906)).await.unwrap();
    let nothing = ports.consents.withdraw("alice", &ClientId::new("app"), moment(7), moment(907)).await.unwrap();

    assert_eq!((revoked.len(), left.len(), nothing.len()), (450, 1, 0));
    for number in 1..=451 {
        let found = ports.sessions.find_session(session(number).id).await.unwrap().unwrap();
        assert_eq!(found.state, SessionState::Ended(SessionEnd::Revoked));
    }
    let feed = ports.revocations.feed(RevocationCursor::default(), moment(6)).await.unwrap();
    assert_eq!(feed.entries.len(), 451);
}

pub async fn a_removed_client_takes_its_consents_along(ports: Ports) {
    let client = build::client("app");
    ports.clients.register(&client).await.unwrap();
    ports.consents.agree(&consent("read:orders")).await.unwrap();

    ports
        .clients
        .remove(&client.id, &build::revocation(RevocationTarget::Client(client.id.clone(), moment(1))))
        .await
        .unwrap();

    assert!(ports.consents.consents_of("alice").await.unwrap().is_empty());
}
