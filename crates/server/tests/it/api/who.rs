//! Who may call: tokens, scopes, challenges.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use super::{Caller, status_of};
use crate::answer::{header, problem};
use crate::both_engines;
use crate::house::{Engine, House};

both_engines! {
    async fn without_a_good_token_nothing_is_told(house: House) {
        let caller = Caller::client(&house).await;
        let anonymous = house.get("/api/orders").send().await.unwrap();
        let bad = house.get("/api/orders").bearer_auth("vk_at_nonsense").send().await.unwrap();

        let metadata = format!("resource_metadata=\"{}/.well-known/oauth-protected-resource/api\"", house.origin);
        for (answer, error) in [(anonymous, None), (bad, Some("error=\"invalid_token\""))] {
            assert_eq!(answer.status(), 401);
            let challenge = header(&answer, "www-authenticate");
            assert!(challenge.starts_with("Bearer realm=") && challenge.contains(&metadata), "{challenge}");
            assert_eq!(challenge.contains("error="), error.is_some(), "{challenge}");
            assert!(challenge.contains(error.unwrap_or_default()), "{challenge}");
            problem(answer).await;
        }
        status_of(caller.get("/api/orders?access_token=x"), 400).await;
        status_of(caller.get("/api/orders?token=x"), 400).await;
        status_of(house.get("/api/orders").basic_auth("till", Some("x")), 401).await;
        let twice = caller.get("/api/orders").header("authorization", "Bearer x");
        status_of(twice, 400).await;
        status_of(house.get("/api/orders").bearer_auth("x".repeat(10_000)), 401).await;
    }

    async fn each_operation_needs_its_scope(house: House) {
        let reader = Caller::client_with(&house, "reader", "read:orders").await;
        let writer = Caller::client_with(&house, "writer", "write:orders").await;
        let path = writer.make_order(json!({ "amount": 1 })).await;

        for refused in [
            reader.post("/api/orders", &json!({ "amount": 1 })),
            reader.patch(&path, &json!({})),
            reader.put(&path, &json!({ "amount": 1 })),
            reader.delete(&path),
            reader.post(&format!("{path}/pay"), &json!({})),
            reader.request(Method::POST, "/api/orders").body("no json at all"),
            writer.get(&path),
            writer.get("/api/orders"),
            reader.get("/api/users"),
            reader.get(&format!("{path}?include=user")),
        ] {
            let answer = status_of(refused, 403).await;
            let challenge = header(&answer, "www-authenticate");
            assert!(challenge.contains("error=\"insufficient_scope\"") && challenge.contains("scope=\""), "{challenge}");
            problem(answer).await;
        }
        status_of(reader.get(&path), 200).await;
    }

    async fn a_revoked_token_is_refused_at_once(house: House) {
        let client = crate::api::register(&house, "till", crate::api::SCOPES);
        let caller = Caller::with(&house, house.token(&client).await);
        status_of(caller.get("/api/orders"), 200).await;

        let revoked = house.post("/revoke", &client, &[("token", &caller.token)]).send().await.unwrap();

        assert_eq!(revoked.status(), 200);
        status_of(caller.get("/api/orders"), 401).await;
    }
}

#[tokio::test]
async fn every_answer_tells_the_limit_and_what_is_left_of_it() {
    let settings = [("VALETKEY_LIMITS_API_REQUESTS", "3"), ("VALETKEY_LIMITS_API_WINDOW", "1h")];
    let house = House::with(Engine::Sqlite, &settings).await.unwrap();
    let caller = Caller::client(&house).await;
    let other = Caller::client_with(&house, "other", crate::api::SCOPES).await;

    let mut left = Vec::new();
    for path in ["/api/orders", "/api/orders?colour=red", "/api/users"] {
        let answer = caller.get(path).send().await.unwrap();
        assert_eq!(header(&answer, "x-ratelimit-limit"), "3");
        left.push(header(&answer, "x-ratelimit-remaining"));
    }
    let refused = status_of(caller.get("/api/orders"), 429).await;

    assert_eq!(left, ["2", "1", "0"]);
    assert_eq!(header(&refused, "x-ratelimit-remaining"), "0");
    let wait: u64 = header(&refused, "retry-after").parse().unwrap();
    let reset: u64 = header(&refused, "x-ratelimit-reset").parse().unwrap();
    assert!((1..=3600).contains(&wait) && reset.is_multiple_of(3600), "{wait} {reset}");
    problem(refused).await;
    status_of(other.get("/api/orders"), 200).await;
}

#[tokio::test]
async fn a_refusal_before_the_body_came_leaves_the_connection_in_use() {
    let house = House::embedded().await;
    let address = house.origin.strip_prefix("http://").unwrap().to_owned();

    let (first, second) = tokio::task::spawn_blocking(move || {
        let mut socket = TcpStream::connect(&address).unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let head = format!("POST /api/orders HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n");
        socket.write_all(head.as_bytes()).unwrap();
        socket.flush().unwrap();
        // The body follows in a packet of its own, as most client libraries send it.
        std::thread::yield_now();
        socket.write_all(b"{}").unwrap();
        let first = status_line(&mut socket);
        socket.write_all(format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").as_bytes()).unwrap();
        (first, status_line(&mut socket))
    })
    .await
    .unwrap();

    assert_eq!((first.as_str(), second.as_str()), ("HTTP/1.1 401 Unauthorized", "HTTP/1.1 200 OK"));
}

/// The first line of an answer; the rest of it is read too.
fn status_line(socket: &mut TcpStream) -> String {
    let mut reader = BufReader::new(socket);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first).unwrap();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    reader.read_exact(&mut vec![0; length]).unwrap();
    first.trim().to_owned()
}
