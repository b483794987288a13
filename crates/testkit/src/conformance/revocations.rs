//! Rules for what was taken back: nothing recorded is ever missed by the feed.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use valetkey_oauth::model::{ClientId, RevocationTarget, TokenId};
use valetkey_oauth::ports::{Ports, RevocationCursor};

use super::race;
use crate::build::{self, access_token, revocation};
use crate::clock::moment;

fn token(number: u128) -> RevocationTarget {
    RevocationTarget::Token(TokenId(build::id(number)))
}

pub async fn a_recorded_revocation_is_in_the_feed(ports: Ports) {
    let recorded = [
        revocation(token(1)),
        revocation(RevocationTarget::Session(build::session(1).id)),
        revocation(RevocationTarget::Subject("alice".to_owned(), moment(3))),
        revocation(RevocationTarget::Client(ClientId::new("app"), moment(4))),
    ];
    for entry in &recorded {
        ports.revocations.record(entry).await.unwrap();
    }

    let feed = ports.revocations.feed(RevocationCursor::default(), moment(5)).await.unwrap();

    assert_eq!(feed.entries, recorded);
}

pub async fn the_feed_goes_on_where_it_stopped(ports: Ports) {
    ports.revocations.record(&revocation(token(1))).await.unwrap();
    let first = ports.revocations.feed(RevocationCursor::default(), moment(1)).await.unwrap();
    ports.revocations.record(&revocation(token(2))).await.unwrap();

    let second = ports.revocations.feed(first.cursor, moment(1)).await.unwrap();
    let third = ports.revocations.feed(second.cursor, moment(1)).await.unwrap();
    let fourth = ports.revocations.feed(third.cursor, moment(1)).await.unwrap();

    assert!(second.entries.contains(&revocation(token(2))));
    assert!(fourth.entries.is_empty(), "a feed that is read to its end falls silent");
}

pub async fn the_feed_misses_nothing_under_concurrent_writers(ports: Ports) {
    let done = Arc::new(AtomicBool::new(false));
    let reader = {
        let (revocations, done) = (ports.revocations.clone(), done.clone());
        tokio::spawn(async move {
            let (mut cursor, mut seen) = (RevocationCursor::default(), HashSet::new());
            loop {
                // Asked before the read: what was written until then must be in it.
                let is_last = done.load(Ordering::SeqCst);
                let feed = revocations.feed(cursor, moment(1)).await.unwrap();
                cursor = feed.cursor;
                seen.extend(feed.entries.into_iter().map(|entry| entry.target));
                if is_last {
                    return seen.len();
                }
                tokio::task::yield_now().await;
            }
        })
    };

    race(40, |writer| {
        let revocations = ports.revocations.clone();
        async move {
            for number in 0..5 {
                revocations.record(&revocation(token((writer * 5 + number) as u128))).await.unwrap();
            }
        }
    })
    .await;
    done.store(true, Ordering::SeqCst);

    assert_eq!(reader.await.unwrap(), 200);
}

pub async fn the_store_knows_what_is_revoked(ports: Ports) {
    let before = ports.revocations.is_revoked(&access_token(1)).await.unwrap();
    ports.revocations.record(&revocation(RevocationTarget::Token(access_token(1).id))).await.unwrap();
    ports.revocations.record(&revocation(RevocationTarget::Session(build::session(2).id))).await.unwrap();
    ports.revocations.record(&revocation(RevocationTarget::Subject("bob".to_owned(), moment(10)))).await.unwrap();
    ports.revocations.record(&revocation(RevocationTarget::Client(ClientId::new("c"), moment(10)))).await.unwrap();

    let by_id = ports.revocations.is_revoked(&access_token(1)).await.unwrap();
    let by_session = ports.revocations.is_revoked(&access_token(2)).await.unwrap();
    let untouched = ports.revocations.is_revoked(&access_token(3)).await.unwrap();
    let mut bobs = access_token(4);
    bobs.subject = "bob".to_owned();
    let by_subject = ports.revocations.is_revoked(&bobs).await.unwrap();
    bobs.issued_at = moment(11);
    let issued_later = ports.revocations.is_revoked(&bobs).await.unwrap();
    let mut of_client = access_token(5);
    of_client.client = ClientId::new("c");
    let by_client = ports.revocations.is_revoked(&of_client).await.unwrap();

    assert!(!before && by_id && by_session && by_subject && by_client);
    assert!(!untouched && !issued_later);
}

pub async fn of_many_tokens_asked_about_at_once_those_revoked_are_told(ports: Ports) {
    let revoked = [3, 7, 8, 30];
    for number in revoked {
        ports.revocations.record(&revocation(RevocationTarget::Token(access_token(number).id))).await.unwrap();
    }

    let answers = race(32, |number| {
        let revocations = ports.revocations.clone();
        async move { revocations.is_revoked(&access_token(number as u128)).await.unwrap() }
    })
    .await;

    let told: Vec<u128> = (0..).zip(answers).filter(|(_, is_revoked)| *is_revoked).map(|(number, _)| number).collect();
    assert_eq!(told, revoked);
}

pub async fn an_expired_revocation_is_not_fed(ports: Ports) {
    ports.revocations.record(&revocation(token(1))).await.unwrap();

    let feed = ports.revocations.feed(RevocationCursor::default(), moment(86_400)).await.unwrap();

    assert!(feed.entries.is_empty());
}
