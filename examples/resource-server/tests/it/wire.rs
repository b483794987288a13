//! What holds for every request: tokens, scopes, versions, limits, media types, pages of other origins.

use reqwest::Method;

use crate::world::{Server, send};

#[tokio::test]
async fn without_a_token_nothing_is_told_and_without_a_scope_which_one_is_missing() {
    let server = Server::start().await;

    let bare = send(server.bare(Method::GET, "/api/users")).await;
    assert_eq!((bare.status.as_u16(), bare.header("www-authenticate")), (401, "Bearer realm=\"shop\""));
    let bad = send(server.bare(Method::GET, "/api/users").bearer_auth("bad")).await;
    assert!(bad.header("www-authenticate").contains("error=\"invalid_token\""));
    let poor = send(server.bare(Method::POST, "/api/users").bearer_auth("app.read_users").body("{}")).await;
    assert_eq!(poor.status, 403);
    assert!(poor.header("www-authenticate").contains("scope=\"write:users\""));
    assert!(poor.json()["instance"].as_str().unwrap().starts_with("urn:uuid:"));
}

#[tokio::test]
async fn a_version_is_chosen_in_each_way_and_echoed() {
    let server = Server::start().await;
    let path = server.user("ada").await;
    let versioned = path.replace("/api/", "/api/v1/");

    let read = server.get(&versioned).await;

    assert_eq!((read.status.as_u16(), read.header("x-api-version")), (200, "1"));
    assert_eq!(read.json()["links"]["self"], versioned);
    assert_eq!(server.get("/api/v2/users").await.status, 404);
    for (name, value, status) in [
        ("x-api-version", "1", 200),
        ("x-api-version", "2026-06-30", 200),
        ("x-api-version", "2", 400),
        ("x-api-version", "2025-12-31", 400),
        ("accept", "application/vnd.shop+json;version=1", 200),
        ("accept", "application/vnd.shop+json;version=2", 406),
        ("accept", "text/html", 406),
        ("accept", "*/*", 200),
    ] {
        let answer = send(server.request(Method::GET, &path).header(name, value)).await;
        assert_eq!(answer.status, status, "{name}: {value}");
    }
}

#[tokio::test]
async fn every_answer_tells_the_limit_and_one_too_many_is_refused() {
    let server = Server::with_limit(2).await;

    let first = server.get("/api/users").await;
    let missing = server.get("/api/nothing").await;
    let refused = server.get("/api/users").await;

    assert_eq!((first.header("x-ratelimit-limit"), first.header("x-ratelimit-remaining")), ("2", "1"));
    assert_eq!((missing.status.as_u16(), missing.header("x-ratelimit-remaining")), (404, "0"));
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "60"));
    assert_eq!(refused.header("x-ratelimit-reset"), "1800000060");
    assert_eq!(refused.json()["type"], "https://id.example/problems/too-many-requests");
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused_cheaply() {
    let server = Server::start().await;
    let post = |kind: &'static str, body: Vec<u8>| {
        send(server.request(Method::POST, "/api/users").header("content-type", kind).body(body))
    };

    assert_eq!(post("text/plain", b"{}".to_vec()).await.status, 415);
    assert_eq!(post("application/json", b"{".to_vec()).await.status, 400);
    assert_eq!(post("application/json", b"{\"a\":\"\xff\"}".to_vec()).await.status, 400);
    assert_eq!(post("application/json", b"{\"name\":\"a\",\"name\":\"b\"}".to_vec()).await.status, 400);
    assert_eq!(post("application/json", vec![b'['; 100_000]).await.status, 400);
    assert_eq!(post("application/json", vec![b' '; 2 << 20]).await.status, 413);
}

#[tokio::test]
async fn pages_of_listed_origins_can_read_answers_and_refusals() {
    let server = Server::start().await;
    let from = |origin: &'static str| send(server.bare(Method::GET, "/api/users").header("origin", origin));

    assert_eq!(from("https://app.example").await.header("access-control-allow-origin"), "https://app.example");
    assert_eq!(from("https://evil.example").await.header("access-control-allow-origin"), "");
    let preflight = server
        .bare(Method::OPTIONS, "/api/users")
        .header("origin", "https://app.example")
        .header("access-control-request-method", "POST");
    assert_eq!(send(preflight).await.status, 204);
}
