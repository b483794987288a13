//! Two servers and a real Redis, where `VALETKEY_TEST_REDIS` says one is.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use super::RedisCounter;
use crate::rate_limit::{Counter, Policy, Quota};

/// A counter with names of its own, so that tests do not count each other.
#[expect(clippy::disallowed_methods, reason = "where the services of a test are, is said in the environment")]
fn counter(prefix: &str) -> Option<RedisCounter> {
    let Ok(url) = std::env::var("VALETKEY_TEST_REDIS") else {
        eprintln!("left out: VALETKEY_TEST_REDIS is not set");
        return None;
    };
    Some(RedisCounter::new(&url, prefix).unwrap())
}

fn prefix() -> String {
    let mut bytes = [0; 16];
    aws_lc_rs::rand::fill(&mut bytes).unwrap();
    format!("test {} ", uuid::Uuid::from_bytes(bytes))
}

fn policy(limit: u64, seconds: u64) -> Policy {
    Policy::new("read", Quota { limit, window: Duration::from_secs(seconds) })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_together_let_exactly_so_many_through() {
    let prefix = prefix();
    let (Some(one), Some(other)) = (counter(&prefix), counter(&prefix)) else { return };
    let servers = [Arc::new(one), Arc::new(other)];
    // A window so long that no test runs over its end, except once in many years.
    let policy = policy(50, 1_000_000_000);

    let asking = (0..200).map(|number| {
        let (server, charge) = (servers[number % 2].clone(), policy.charge("ada"));
        tokio::spawn(async move { server.hit(&[charge], Duration::ZERO).await.unwrap()[0].used })
    });
    let mut through = 0;
    for one in asking.collect::<Vec<_>>() {
        through += u64::from(one.await.unwrap() <= 50);
    }

    assert_eq!(through, 50);
}

#[tokio::test]
async fn several_charges_are_one_question_and_each_has_its_own_count() {
    let Some(counter) = counter(&prefix()) else { return };
    let (short, long) = (policy(5, 1_000_000_000), policy(5, 2_000_000_000));

    counter.hit(&[short.charge("a")], Duration::ZERO).await.unwrap();
    let counts = counter.hit(&[short.charge("a"), long.charge("a"), short.charge("b")], Duration::ZERO).await.unwrap();

    assert_eq!(counts.iter().map(|count| count.used).collect::<Vec<_>>(), [2, 1, 1]);
    assert_eq!(counts[0].reset_at % 1_000_000_000, 0);
    assert_eq!(counts[1].reset_at % 2_000_000_000, 0);
}

#[tokio::test]
async fn what_one_limit_refuses_is_not_charged_to_another() {
    let Some(counter) = counter(&prefix()) else { return };
    let (tight, wide) = (policy(2, 1_000_000_000), policy(9, 2_000_000_000));
    let charges = [wide.charge("a"), tight.charge("a")];

    let mut used = Vec::new();
    for _ in 0..4 {
        let counts = counter.hit(&charges, Duration::ZERO).await.unwrap();
        used.push((counts[0].used, counts[1].used));
    }

    assert_eq!(used, [(1, 1), (2, 2), (2, 3), (2, 3)]);
}

#[tokio::test]
async fn a_window_that_is_over_starts_anew() {
    let Some(counter) = counter(&prefix()) else { return };
    let charge = [policy(1, 1).charge("a")];
    let first = counter.hit(&charge, Duration::ZERO).await.unwrap()[0];

    let mut next = first;
    // Without a pause, so that the very first moment of the next window is met.
    while next.reset_at == first.reset_at {
        next = counter.hit(&charge, Duration::ZERO).await.unwrap()[0];
    }

    assert_eq!(next.used, 1);
}

#[tokio::test]
async fn where_no_redis_is_the_answer_comes_soon_and_the_next_ones_at_once() {
    let counter = RedisCounter::new("redis://127.0.0.1:1/", "test ").unwrap();
    let charge = [policy(1, 60).charge("a")];

    let first = tokio::time::timeout(Duration::from_secs(5), counter.hit(&charge, Duration::from_secs(100))).await;
    let second = counter.hit(&charge, Duration::from_millis(100_999)).await;

    assert!(first.unwrap().is_err());
    assert!(second.unwrap_err().0.contains("a moment ago"));
    // A second later one looks again, and the others do not wait for it.
    let later = Duration::from_secs(102);
    let (one, other) = tokio::join!(counter.hit(&charge, later), counter.hit(&charge, later));
    assert!(!one.unwrap_err().0.contains("a moment ago"));
    assert!(other.unwrap_err().0.contains("a moment ago"));
}

#[tokio::test]
async fn a_clock_that_is_set_back_does_not_keep_anyone_from_looking_whether_it_is_back() {
    let counter = RedisCounter::new("redis://127.0.0.1:1/", "test").unwrap();
    counter.away_until.store(90_000_000, Ordering::Relaxed);

    assert!(counter.may_ask(5_000), "an hour or a year ahead is not a second");
    assert!(!counter.may_ask(5_000), "one at a time");
    assert!(counter.may_ask(6_000));
}
