//! Entity tags, idempotency keys, and who wins a race.

use std::sync::Arc;

use reqwest::Method;
use serde_json::json;

use crate::world::{Server, send};

#[tokio::test]
async fn a_change_of_another_state_is_refused() {
    let server = Server::start().await;
    let path = server.user("ada").await;
    let patch = |tag: &'static str| {
        send(server.request(Method::PATCH, &path).header("if-match", tag).json(&json!({"name": "B"})))
    };

    assert_eq!(patch("\"1-v1\"").await.status, 200);
    let stale = patch("\"1-v1\"").await;

    assert_eq!((stale.status.as_u16(), stale.header("etag")), (412, "\"2-v1\""));
    assert_eq!(patch("W/\"2-v1\"").await.status, 412);
    assert_eq!(patch("nonsense").await.status, 400);
    assert_eq!(patch("*").await.status, 200);
    assert_eq!(send(server.request(Method::DELETE, &path).header("if-match", "\"1-v1\"")).await.status, 412);
}

#[tokio::test]
async fn what_the_client_has_is_not_sent_again() {
    let server = Server::start().await;
    let path = server.user("ada").await;
    let get = |tag: &'static str| send(server.request(Method::GET, &path).header("if-none-match", tag));

    let known = get("\"0-v1\", W/\"1-v1\"").await;

    assert_eq!((known.status.as_u16(), known.header("etag"), known.body.as_str()), (304, "\"1-v1\"", ""));
    assert_eq!(get("\"0-v1\"").await.status, 200);
}

#[tokio::test]
async fn of_many_writers_with_one_tag_one_wins() {
    let server = Arc::new(Server::start().await);
    let path = server.user("ada").await;
    let writers: Vec<_> = (0..32)
        .map(|n| {
            let (server, path) = (server.clone(), path.clone());
            tokio::spawn(async move {
                let request = server.request(Method::PATCH, &path).header("if-match", "\"1-v1\"");
                send(request.json(&json!({"name": format!("writer {n}")}))).await.status.as_u16()
            })
        })
        .collect();
    let mut statuses = Vec::new();
    for writer in writers {
        statuses.push(writer.await.unwrap());
    }

    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1);
    assert_eq!(statuses.iter().filter(|status| **status == 412).count(), 31);
}

#[tokio::test]
async fn a_repeated_creation_makes_one_user() {
    let server = Server::start().await;
    let post = |token: &'static str, key: &'static str, name: &'static str| {
        let body = json!({"name": name, "email": format!("{name}@example.com")});
        send(server.bare(Method::POST, "/api/users").bearer_auth(token).header("idempotency-key", key).json(&body))
    };
    let app = "app.read_users.write_users";

    let first = post(app, "k", "ada").await;
    let again = post(app, "k", "ada").await;

    assert_eq!((first.status.as_u16(), again.status.as_u16()), (201, 200));
    assert_eq!((again.header("idempotent-replayed"), again.header("location")), ("true", first.header("location")));
    assert_eq!(first.body, again.body);
    assert_eq!(post(app, "k", "eve").await.status, 422);
    assert_eq!(post("other.write_users", "k", "eve").await.status, 201);
    assert_eq!(post(app, "two words", "bob").await.status, 400);
    assert_eq!(server.get("/api/users?page=1").await.json()["meta"]["total"], 2);
}
