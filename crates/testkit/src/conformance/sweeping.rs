//! Rules for removing what has expired.

use valetkey_oauth::model::{ClientSecret, Device, RevocationTarget, Secret, TokenId};
use valetkey_oauth::ports::{KeptAnswer, Ports, RotationRules, Swept};

use crate::build;
use crate::clock::moment;

pub async fn only_expired_rows_go(ports: Ports) {
    let fresh = ClientSecret { digest: Secret::new("new").digest(), created_at: moment(0), expires_at: None };
    ports.clients.register(&build::client("app")).await.unwrap();
    ports.clients.add_secret(&build::client("app").id, &fresh, moment(50)).await.unwrap();
    for number in 1..=4 {
        let mut session = build::session(number);
        session.expires_at = moment(if number <= 2 { 100 } else { 1_000 });
        ports.sessions.open(&session, &build::opening()).await.unwrap();
        let target = RevocationTarget::Token(TokenId(build::id(number)));
        let mut revocation = build::revocation(target);
        revocation.expires_at = session.expires_at;
        ports.revocations.record(&revocation).await.unwrap();
    }

    let alice = build::user(1, "alice");
    ports.users.add(&alice).await.unwrap();
    for number in 1..=2 {
        let mut sign_in = build::sign_in(number);
        sign_in.expires_at = moment(if number == 1 { 100 } else { 1_000 });
        ports.sign_ins.begin(&sign_in, &alice.password_hash).await.unwrap();
        let device = Device { expires_at: sign_in.expires_at, ..build::device(number) };
        ports.devices.ask(&device, 100).await.unwrap();
        let answer = KeptAnswer { id: [number as u8; 32], sealed: vec![1], expires_at: sign_in.expires_at };
        let rules = RotationRules { answer: Some(answer), ..build::rotation(moment(1)) };
        ports.sessions.rotate(build::session(3).id, number as u32, &rules).await.unwrap();
    }

    let swept = ports.sweeping.sweep(moment(200), 100).await.unwrap();
    let again = ports.sweeping.sweep(moment(200), 100).await.unwrap();

    let client = ports.clients.find(&build::client("app").id).await.unwrap().unwrap();
    let counted = Swept { sessions: 2, revocations: 2, secrets: 1, sign_ins: 1, answers: 1, ..Swept::default() };
    assert_eq!(swept, Swept { devices: 1, ..counted });
    assert_eq!(again, Swept::default());
    assert!(ports.sessions.find_session(build::session(2).id).await.unwrap().is_none());
    assert!(ports.sessions.find_session(build::session(3).id).await.unwrap().is_some());
    assert!(client.accepts(&fresh.digest, moment(200)));
}

pub async fn a_sweep_takes_no_more_than_asked(ports: Ports) {
    for number in 1..=10 {
        let mut session = build::session(number);
        session.expires_at = moment(100);
        ports.sessions.open(&session, &build::opening()).await.unwrap();
    }

    let swept = ports.sweeping.sweep(moment(200), 3).await.unwrap();

    assert_eq!(swept.sessions, 3);
}

pub async fn the_store_answers(ports: Ports) {
    ports.sweeping.ping().await.unwrap();
}
