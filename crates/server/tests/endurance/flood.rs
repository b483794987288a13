//! Floods of wrong secrets and garbage tokens: honest clients are still served, and garbage costs no more than the real thing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use reqwest::RequestBuilder;

use crate::chance::Chance;
use crate::house::{Engine, House, Registered};
use crate::process::Process;

const TOKEN_CHARACTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A text as long as a token of ours, with the right beginning.
fn garbage(chance: &mut Chance, good: &str) -> String {
    format!("{}{}", &good[..10], chance.text(TOKEN_CHARACTERS, good.len() - 10..good.len() - 9))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_honest_client_is_served_during_a_flood() {
    const FLOODING: usize = 16;
    let house = House::on(Engine::Sqlite).await.unwrap();
    let client = house.client("till", &[]);
    let wrong = Registered { id: client.id.clone(), secret: "vk_cs_wrong".to_owned() };
    let token = house.token(&client).await;
    let stop = Arc::<AtomicBool>::default();
    let count = Arc::<AtomicUsize>::default();

    let mut chance = Chance::new(5);
    let mut flood = Vec::new();
    for number in 0..FLOODING {
        let caller = if number % 2 == 0 { &wrong } else { &client };
        let request = house.post("/introspect", caller, &[("token", &garbage(&mut chance, &token))]);
        let (stop, count) = (stop.clone(), count.clone());
        flood.push(tokio::spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                let status = request.try_clone().unwrap().send().await.unwrap().status();
                assert_eq!(status, if number % 2 == 0 { 401 } else { 200 });
                count.fetch_add(1, Ordering::Relaxed);
            }
        }));
    }
    let mut waits = Vec::new();
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(3) {
        let asked = Instant::now();
        assert_eq!(house.introspect(&client, &token).await["active"], true);
        waits.push(asked.elapsed());
    }
    stop.store(true, Ordering::Relaxed);
    for flooding in flood {
        flooding.await.unwrap();
    }

    waits.sort();
    let (middle, longest) = (waits[waits.len() / 2], waits[waits.len() - 1]);
    eprintln!(
        "{} answers beside {} of the flood: p50 {middle:?}, longest {longest:?}",
        waits.len(),
        count.load(Ordering::Relaxed)
    );
    assert!(
        middle < Duration::from_millis(100) && longest < Duration::from_secs(2),
        "p50 {middle:?}, longest {longest:?}"
    );
}

#[tokio::test]
async fn garbage_costs_hardly_more_than_the_real_thing() {
    const EACH: usize = 20;
    const ROUNDS: usize = 120;
    let house = House::on(Engine::Sqlite).await.unwrap();
    let server = Process(house.pid());
    let client = house.client("till", &[]);
    let wrong = Registered { id: client.id.clone(), secret: client.secret.replace(|c: char| c.is_ascii_digit(), "x") };
    let unknown = Registered { id: "nobody".to_owned(), secret: client.secret.clone() };
    let token = house.token(&client).await;
    let garbage = garbage(&mut Chance::new(6), &token);
    let kinds: [(&str, RequestBuilder, u16); 4] = [
        ("good", house.post("/introspect", &client, &[("token", &token)]), 200),
        ("garbage token", house.post("/introspect", &client, &[("token", &garbage)]), 200),
        ("wrong secret", house.post("/introspect", &wrong, &[("token", &token)]), 401),
        ("unknown client", house.post("/introspect", &unknown, &[("token", &token)]), 401),
    ];
    let mut turns: [Vec<Duration>; 4] = Default::default();

    // In short turns, so that whatever else the machine does falls on all of them. The first ones warm up.
    for round in 0..=ROUNDS {
        for ((_, request, status), turns) in kinds.iter().zip(&mut turns) {
            let before = server.processor_time();
            for _ in 0..EACH {
                assert_eq!(request.try_clone().unwrap().send().await.unwrap().status(), *status);
            }
            let took = server.processor_time().saturating_sub(before);
            if round >= 20 {
                turns.push(took);
            }
        }
    }

    let names = kinds.map(|(name, _, _)| name);
    // The turn in the middle: one in which the machine stood still for a moment counts for no more than any other.
    let spent = turns.map(|mut turns| {
        turns.sort_unstable();
        turns[turns.len() / 2]
    });
    eprintln!("of the processor for as many requests of {names:?} each: {spent:?}");
    // A refusal has a longer body, and a line in the log.
    for (name, spent_on) in names.iter().zip(spent).skip(1) {
        assert!(spent_on * 100 <= spent[0] * 120, "{name}: {spent_on:?}, and a good one {:?}", spent[0]);
    }
}
