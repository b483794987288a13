//! What happens to running requests when the server is told to stop.

use tokio::net::TcpStream;
use valetkey::app::edge::EdgeEvent;

use crate::world::{World, client, millis};

#[tokio::test]
async fn a_running_request_finishes_and_new_ones_are_not_accepted() {
    let mut world = World::start(|_| {}).await;
    let running = tokio::spawn(world.get("/hold").send());
    world.gate.entered.notified().await;

    world.stop();
    world.event(|event| matches!(event, EdgeEvent::Draining { connections: 1 })).await;
    let late = TcpStream::connect(world.address).await;
    world.gate.open.notify_one();

    assert_eq!(running.await.unwrap().unwrap().text().await.unwrap(), "held");
    assert!(late.is_err(), "the port is closed while running requests finish");
    world.stopped().await;
}

#[tokio::test]
async fn a_running_request_over_http2_finishes_too() {
    let mut world = World::start(|_| {}).await;
    let client = client().http2_prior_knowledge().build().unwrap();
    let running = tokio::spawn(client.get(world.url("/hold")).send());
    world.gate.entered.notified().await;

    world.stop();
    world.event(|event| matches!(event, EdgeEvent::Draining { .. })).await;
    world.gate.open.notify_one();

    assert_eq!(running.await.unwrap().unwrap().text().await.unwrap(), "held");
    world.stopped().await;
}

#[tokio::test]
async fn a_connection_that_rests_does_not_delay_the_end() {
    let mut world = World::start(|_| {}).await;
    let client = client().build().unwrap();
    client.get(world.url("/")).send().await.unwrap().text().await.unwrap();

    world.stop();

    world.stopped().await;
}

#[tokio::test]
async fn a_request_that_does_not_finish_in_time_is_cut() {
    let mut world = World::start(|edge| edge.limits.drain = millis(50)).await;
    let running = tokio::spawn(world.get("/hold").send());
    world.gate.entered.notified().await;

    world.stop();
    world.event(|event| matches!(event, EdgeEvent::DrainExpired { connections: 1 })).await;

    assert!(running.await.unwrap().is_err());
    world.stopped().await;
}

#[tokio::test]
async fn while_proxies_may_notice_all_is_served() {
    let mut world = World::start(|edge| edge.limits.notice = millis(60_000)).await;
    let client = client().build().unwrap();
    client.get(world.url("/")).send().await.unwrap().text().await.unwrap();

    world.stop();
    world.leaving.cancelled().await;
    let (old, new) = (client.get(world.url("/")).send().await.unwrap(), world.get("/").send().await.unwrap());

    for answer in [old, new] {
        assert_eq!(answer.status(), 200);
        assert!(!answer.headers().contains_key("connection"), "nothing ends yet");
    }
}

#[tokio::test]
async fn a_connection_that_rests_is_good_for_one_more_request() {
    let mut world = World::start(|edge| edge.limits.notice = millis(2_000)).await;
    let client = client().build().unwrap();
    client.get(world.url("/")).send().await.unwrap().text().await.unwrap();

    world.stop();
    world.event(|event| matches!(event, EdgeEvent::Draining { connections: 1 })).await;
    let late = TcpStream::connect(world.address).await;
    let last = client.get(world.url("/")).send().await.unwrap();

    assert!(late.is_err(), "the port is closed");
    assert_eq!(last.headers()["connection"], "close");
    last.text().await.unwrap();
    world.stopped().await;
}
