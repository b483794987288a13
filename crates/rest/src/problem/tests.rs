//! Problems seen from outside: through a router with the layers on, as a client meets them.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode, header},
    response::{Html, IntoResponse},
    routing::{get, post},
};
use http::HeaderValue;
use serde_json::{Value, json};
use tower::ServiceExt;
use uuid::Uuid;

use super::{FieldCode, FieldError, Problem, ProblemLayer, body::reduce, catalogue, for_status};
use crate::RequestIdLayer;

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

async fn ask(routes: Router, request: http::request::Builder) -> Answer {
    ask_with(routes, request, Body::empty()).await
}

async fn ask_with(routes: Router, request: http::request::Builder, body: Body) -> Answer {
    let app = routes
        .layer(ProblemLayer::new("https://id.example/"))
        .layer(RequestIdLayer::new(Arc::new(|| Uuid::from_u128(9))));
    let (parts, body) = app.oneshot(request.body(body).unwrap()).await.unwrap().into_parts();
    let bytes = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    Answer { status: parts.status, headers: parts.headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
}

fn failing(problem: Problem) -> Router {
    Router::new().route("/", get(move || async move { problem }))
}

#[tokio::test]
async fn the_members_come_in_a_fixed_order() {
    let problem = Problem::new(&catalogue::UNPROCESSABLE)
        .extension("limit", json!(3))
        .extension("status", json!("a standard member stays"))
        .error_code("invalid_request")
        .field(FieldError::required("name"))
        .field(FieldError::new("age", FieldCode::OutOfRange).pointer("/age").detail("At most 150."))
        .detail("Two fields are wrong.");

    let answer = ask(failing(problem), Request::get("/")).await;

    assert_eq!(
        answer.text,
        concat!(
            r#"{"type":"https://id.example/problems/unprocessable","title":"Unprocessable content","status":422,"#,
            r#""detail":"Two fields are wrong.","instance":"urn:uuid:00000000-0000-0000-0000-000000000009","#,
            r#""errors":[{"field":"name","code":"REQUIRED"},"#,
            r#"{"field":"age","code":"OUT_OF_RANGE","pointer":"/age","detail":"At most 150."}],"#,
            r#""error":"invalid_request","error_description":"Two fields are wrong.","#,
            r#""error_uri":"https://id.example/problems/unprocessable","limit":3}"#
        )
    );
}

#[tokio::test]
async fn the_headers_say_what_it_is_and_that_nobody_keeps_it() {
    let answer = ask(failing(Problem::new(&catalogue::CONFLICT)), Request::get("/")).await;

    assert_eq!(answer.status, 409);
    assert_eq!(answer.headers[header::CONTENT_TYPE], "application/problem+json");
    assert_eq!(answer.headers[header::CACHE_CONTROL], "no-store");
    assert_eq!(answer.headers[header::VARY], "Accept");
    assert_eq!(answer.headers["x-request-id"], "00000000-0000-0000-0000-000000000009");
}

#[tokio::test]
async fn a_client_that_accepts_only_json_gets_the_same_bytes_as_json() {
    let problem = || failing(Problem::new(&catalogue::CONFLICT));
    let usual = ask(problem(), Request::get("/")).await;
    let cases = [
        ("application/json", "application/json"),
        ("application/json;q=0.2, text/html", "application/json"),
        ("application/json, application/problem+json;q=0", "application/json"),
        ("application/json, application/problem+json;q=0.1", "application/problem+json"),
        ("application/json;q=0", "application/problem+json"),
        ("*/*", "application/problem+json"),
    ];
    for (accept, media_type) in cases {
        let answer = ask(problem(), Request::get("/").header(header::ACCEPT, accept)).await;

        assert_eq!(answer.headers[header::CONTENT_TYPE], media_type, "{accept}");
        assert_eq!(answer.text, usual.text);
    }
}

#[tokio::test]
async fn a_rejection_of_the_framework_becomes_a_problem() {
    let routes = Router::new().route("/", post(|Json(_): Json<Value>| async {}));
    let request = Request::post("/").header(header::CONTENT_TYPE, "application/json");

    let answer = ask_with(routes, request, Body::from("{")).await;

    assert_eq!(answer.headers[header::CONTENT_TYPE], "application/problem+json");
    assert_eq!(answer.json()["type"], "https://id.example/problems/bad-request");
    assert_eq!(answer.headers[header::CONTENT_LENGTH], answer.text.len().to_string().as_str());
}

#[tokio::test]
async fn an_unknown_path_is_a_problem() {
    let answer = ask(Router::new(), Request::get("/nowhere")).await;

    assert_eq!(answer.status, 404);
    assert_eq!(answer.json()["title"], "Not found");
}

#[tokio::test]
async fn a_wrong_method_keeps_its_allow_header() {
    let answer = ask(Router::new().route("/", get(|| async {})), Request::delete("/")).await;

    assert_eq!(answer.status, 405);
    assert_eq!(answer.headers[header::ALLOW], "GET,HEAD");
    assert_eq!(answer.json()["type"], "https://id.example/problems/method-not-allowed");
}

#[tokio::test]
async fn headers_of_a_problem_are_sent_each_time_they_are_given() {
    let challenge = |scheme| (header::WWW_AUTHENTICATE, HeaderValue::from_static(scheme));
    let ((name, bearer), (_, basic)) = (challenge("Bearer"), challenge("Basic"));
    let problem = Problem::new(&catalogue::UNAUTHORIZED).header(name.clone(), bearer).header(name.clone(), basic);

    let answer = ask(failing(problem), Request::get("/")).await;

    assert_eq!(answer.headers.get_all(name).iter().collect::<Vec<_>>(), ["Bearer", "Basic"]);
}

#[tokio::test]
async fn what_is_away_for_a_while_says_when_to_come_again() {
    let told = Problem::new(&catalogue::UNAVAILABLE).header(header::RETRY_AFTER, HeaderValue::from_static("7"));

    let silent = ask(failing(Problem::new(&catalogue::UNAVAILABLE)), Request::get("/")).await;
    let told = ask(failing(told), Request::get("/")).await;
    let other = ask(failing(Problem::new(&catalogue::INTERNAL_ERROR)), Request::get("/")).await;

    assert_eq!(silent.headers[header::RETRY_AFTER], "2");
    assert_eq!(told.headers[header::RETRY_AFTER], "7");
    assert!(!other.headers.contains_key(header::RETRY_AFTER));
}

#[tokio::test]
async fn head_gets_the_headers_and_no_body() {
    let problem = || failing(Problem::new(&catalogue::GONE));
    let full = ask(problem(), Request::get("/")).await;

    let head = ask(problem(), Request::head("/")).await;

    assert_eq!(head.status, 410);
    assert_eq!(head.text, "");
    assert_eq!(head.headers, full.headers);
}

#[tokio::test]
async fn an_error_that_is_already_readable_is_left_alone() {
    let page = || async { (StatusCode::NOT_FOUND, Html("<h1>Not here</h1>")) };
    let body = || async { (StatusCode::BAD_REQUEST, Json(json!({"error": "slow_down"}))) };
    let routes = Router::new().route("/page", get(page)).route("/json", get(body));

    assert_eq!(ask(routes.clone(), Request::get("/page")).await.text, "<h1>Not here</h1>");
    assert_eq!(ask(routes, Request::get("/json")).await.json(), json!({"error": "slow_down"}));
}

#[tokio::test]
async fn a_success_is_left_alone() {
    let answer = ask(Router::new().route("/", get(|| async { "fine" })), Request::get("/")).await;

    assert_eq!(answer.text, "fine");
    assert!(!answer.headers.contains_key(header::VARY));
    assert!(!answer.headers.contains_key(header::CACHE_CONTROL));
}

#[tokio::test]
async fn vary_keeps_what_was_there() {
    for (before, after) in
        [("Origin", vec!["Origin", "Accept"]), ("origin, ACCEPT", vec!["origin, ACCEPT"]), ("*", vec!["*"])]
    {
        let problem = Problem::new(&catalogue::CONFLICT).header(header::VARY, HeaderValue::from_static(before));

        let answer = ask(failing(problem), Request::get("/")).await;

        assert_eq!(answer.headers.get_all(header::VARY).iter().collect::<Vec<_>>(), after);
    }
}

#[tokio::test]
async fn a_5xx_does_not_tell_its_cause() {
    let problem = Problem::new(&catalogue::INTERNAL_ERROR)
        .detail("disk hush is full")
        .field(FieldError::required("hush"))
        .extension("cause", json!("hush"))
        .error_code("server_error");

    let answer = ask(failing(problem), Request::get("/")).await;
    let bare =
        ask(Router::new().route("/", get(|| async { (StatusCode::BAD_GATEWAY, "hush") })), Request::get("/")).await;

    assert!(!answer.text.contains("hush") && !bare.text.contains("hush"));
    assert_eq!(answer.json()["error"], "server_error");
    assert_eq!(bare.json()["status"], 502);
}

#[tokio::test]
async fn an_inbound_request_id_is_ignored() {
    let request = Request::get("/").header("x-request-id", "chosen-by-the-client");

    let answer = ask(failing(Problem::new(&catalogue::CONFLICT)), request).await;

    assert_eq!(answer.headers.get_all("x-request-id").iter().count(), 1);
    assert_eq!(answer.json()["instance"], "urn:uuid:00000000-0000-0000-0000-000000000009");
}

#[tokio::test]
async fn an_unusual_status_keeps_its_number() {
    let answer = ask(Router::new().route("/", get(|| async { StatusCode::IM_A_TEAPOT })), Request::get("/")).await;

    assert_eq!(answer.status, 418);
    assert_eq!(answer.json()["status"], 418);
}

#[test]
fn an_error_description_has_only_the_characters_of_rfc_6749() {
    let reduced = reduce("\"C:\\dir\"\n“naïve” ~!\u{7f}");

    assert_eq!(reduced, "'C:/dir' 'na?ve' ~!?");
    assert!(reduced.bytes().all(|byte| matches!(byte, 0x20..=0x21 | 0x23..=0x5b | 0x5d..=0x7e)));
}

#[test]
fn each_kind_has_its_own_slug_and_an_error_status() {
    let mut slugs: Vec<_> = catalogue::ALL.iter().map(|kind| kind.slug).collect();
    slugs.sort_unstable();
    slugs.dedup();

    assert_eq!(slugs.len(), catalogue::ALL.len());
    assert!(catalogue::ALL.iter().all(|kind| kind.status.as_u16() >= 400));
    assert!(catalogue::ALL.iter().all(|kind| kind.meaning.ends_with('.') && kind.remedy.ends_with('.')));
}

#[test]
fn a_status_finds_the_kind_that_was_made_for_it() {
    let special = |slug: &str| {
        ["token-in-url", "being-prepared", "superseded"].contains(&slug) || slug.starts_with("idempotency-")
    };
    for kind in catalogue::ALL.iter().filter(|kind| !special(kind.slug)) {
        assert_eq!(for_status(kind.status), *kind);
    }
}

#[test]
fn without_the_layer_a_problem_is_still_its_status() {
    assert_eq!(Problem::new(&catalogue::FORBIDDEN).into_response().status(), 403);
}
