//! Slow and large clients.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use valetkey::app::edge::EdgeEvent;

use crate::world::{World, client, millis, read_all};

#[tokio::test]
async fn a_client_that_sends_its_headers_too_slowly_is_cut() {
    let mut world = World::start(|edge| edge.limits.header_timeout = millis(50)).await;

    let answer = world.talk("GET / HTTP/1.1\r\nhost: ").await;

    assert_eq!(answer, "");
    let event = world.event(|event| matches!(event, EdgeEvent::ConnectionCut { .. })).await;
    assert!(
        matches!(event, EdgeEvent::ConnectionCut { reason: "the request headers came too slowly", .. }),
        "{event:?}"
    );
}

#[tokio::test]
async fn a_client_that_says_nothing_is_cut() {
    let world = World::start(|edge| edge.limits.header_timeout = millis(50)).await;

    assert_eq!(world.talk("").await, "");
}

#[tokio::test]
async fn a_connection_that_rests_too_long_is_closed() {
    let world = World::start(|edge| edge.limits.idle_timeout = millis(50)).await;

    let answer = world.talk("GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;

    assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("hello"), "{answer}");
}

#[tokio::test]
async fn a_connection_may_rest_longer_than_headers_may_take() {
    let world = World::start(|edge| edge.limits.header_timeout = millis(400)).await;
    let mut stream = world.connect().await;
    let mut answer = [0; 256];
    stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let _ = stream.read(&mut answer).await.unwrap();

    // The rest itself is what is tested, so time has to pass.
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();

    assert!(read_all(&mut stream).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_body_that_comes_too_slowly_is_answered_with_408() {
    let world = World::start(|edge| edge.limits.request_timeout = millis(50)).await;

    let answer = world.talk("POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc").await;

    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
}

#[tokio::test]
async fn an_answer_that_is_not_ready_in_time_is_503() {
    let world = World::start(|edge| edge.limits.request_timeout = millis(50)).await;

    let answer = world.get("/hold").send().await.unwrap();

    assert_eq!(answer.status(), 503);
}

#[tokio::test]
async fn headers_that_are_too_large_are_answered_with_431() {
    let world = World::start(|_| {}).await;
    let long = "x".repeat(20_000);

    let answer = world.talk(&format!("GET / HTTP/1.1\r\nhost: x\r\nlong: {long}\r\n\r\n")).await;

    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn too_many_headers_are_answered_with_431() {
    let world = World::start(|_| {}).await;
    let many: String = (0..101).map(|number| format!("h{number}: x\r\n")).collect();

    let answer = world.talk(&format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n")).await;

    assert!(answer.starts_with("HTTP/1.1 431"), "{answer}");
}

#[tokio::test]
async fn too_many_headers_over_http2_are_answered_with_431() {
    let world = World::start(|edge| edge.limits.headers = 20).await;
    let client = client().http2_prior_knowledge().build().unwrap();

    let many = (0..30).fold(client.get(world.url("/")), |request, number| request.header(format!("h{number}"), "x"));
    let answer = many.send().await.unwrap();

    assert_eq!(answer.status(), 431);
}

#[tokio::test]
async fn headers_that_are_too_large_over_http2_are_answered_with_431() {
    let world = World::start(|_| {}).await;
    let client = client().http2_prior_knowledge().build().unwrap();

    let answer = client.get(world.url("/")).header("long", "x".repeat(20_000)).send().await.unwrap();

    assert_eq!(answer.status(), 431);
}

#[tokio::test]
async fn a_connection_beyond_the_limit_waits_until_another_ends() {
    let mut world = World::start(|edge| edge.limits.connections = 1).await;
    let first = world.connect().await;
    world.event(|event| matches!(event, EdgeEvent::ConnectionOpened { .. })).await;
    let mut second = world.connect().await;
    second.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();

    let mut early = [0; 1];
    let waiting = tokio::time::timeout(std::time::Duration::from_millis(50), second.peek(&mut early)).await;
    drop(first);

    assert!(waiting.is_err(), "the second connection is not served beside the first");
    assert!(read_all(&mut second).await.starts_with("HTTP/1.1 200"));
}
