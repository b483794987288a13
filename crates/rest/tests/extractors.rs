//! The extractors in the signature of a handler, as a service writes them.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

use axum::{
    Router,
    body::{Body, to_bytes},
    routing::{get, post},
};
use http::Request;
use serde::Deserialize;
use serde_json::Value;
use tower::ServiceExt;
use valetkey_rest::{IdempotencyKey, Json, ListQuery, ProblemLayer};

#[derive(Deserialize)]
struct Note {
    text: String,
}

fn app() -> Router {
    let list = |query: ListQuery| async move { query.paging.per_page().to_string() };
    let create = |key: Option<IdempotencyKey>, Json(note): Json<Note>| async move {
        format!("{} {}", key.map(|key| key.as_str().to_owned()).unwrap_or_default(), note.text)
    };
    let keyed = |key: IdempotencyKey| async move { key.as_str().to_owned() };
    Router::new()
        .route("/notes", get(list).post(create))
        .route("/keyed", post(keyed))
        .layer(ProblemLayer::new("https://id.example"))
}

async fn ask(request: http::request::Builder, body: &'static str) -> (u16, String) {
    let answer = app().oneshot(request.body(Body::from(body)).unwrap()).await.unwrap();
    let status = answer.status().as_u16();
    (status, String::from_utf8(to_bytes(answer.into_body(), 1 << 20).await.unwrap().to_vec()).unwrap())
}

fn errors(body: &str) -> Value {
    serde_json::from_str::<Value>(body).unwrap()["errors"].clone()
}

#[tokio::test]
async fn a_query_is_read_or_refused_by_name() {
    assert_eq!(ask(Request::get("/notes?limit=7"), "").await, (200, "7".into()));
    let (status, body) = ask(Request::get("/notes?limit=x"), "").await;

    assert_eq!((status, &errors(&body)[0]["field"]), (400, &Value::from("limit")));
}

#[tokio::test]
async fn a_body_becomes_its_type_or_names_the_field() {
    let post = || Request::post("/notes").header("content-type", "application/json");

    assert_eq!(ask(post().header("idempotency-key", "k"), r#"{"text": "hello"}"#).await, (200, "k hello".into()));
    assert_eq!(ask(post(), r#"{"text": "hello"}"#).await, (200, " hello".into()));
    let (status, body) = ask(post(), "{}").await;
    assert_eq!((status, &errors(&body)[0]["code"]), (400, &Value::from("REQUIRED")));
    let (status, body) = ask(post(), r#"{"text": 5}"#).await;
    assert_eq!((status, &errors(&body)[0]["pointer"]), (422, &Value::from("/text")));
    assert_eq!(ask(Request::post("/notes"), "{}").await.0, 415);
    assert_eq!(ask(post().header("idempotency-key", "two words"), "{}").await.0, 400);
}

#[tokio::test]
async fn a_key_that_is_not_optional_is_asked_for() {
    let (status, body) = ask(Request::post("/keyed"), "").await;

    assert_eq!((status, &errors(&body)[0]["field"]), (400, &Value::from("Idempotency-Key")));
    assert_eq!(ask(Request::post("/keyed").header("idempotency-key", "k"), "").await, (200, "k".into()));
}
