//! Pages of listed origins and of others, with and without a preflight.

use std::sync::Arc;

use axum::{Extension, Router, body::Body, response::Response, routing::get};
use http::{Request, StatusCode, header};
use tower::ServiceExt;

use super::{CorsLayer, ForClient, Origins, async_trait};

async fn ask(request: http::request::Builder) -> Response {
    let app = Router::new()
        .route("/", get(|| async {}))
        .route("/broken", get(|| async { StatusCode::BAD_REQUEST }))
        .layer(CorsLayer::new(["https://app.example", "http://localhost:3000/", "*", "null", "bad\norigin://"]));
    app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
}

fn allowed(response: &Response) -> Option<&str> {
    response.headers().get(header::ACCESS_CONTROL_ALLOW_ORIGIN).map(|origin| origin.to_str().unwrap())
}

#[tokio::test]
async fn only_listed_origins_are_let_in_and_never_by_a_wildcard() {
    for origin in ["https://app.example", "http://localhost:3000"] {
        assert_eq!(allowed(&ask(Request::get("/").header(header::ORIGIN, origin)).await), Some(origin));
    }
    for origin in [
        "https://evil.example",
        "null",
        "*",
        "https://app.example.evil.example",
        "http://app.example",
        "HTTPS://APP.EXAMPLE",
        "",
    ] {
        let answer = ask(Request::get("/").header(header::ORIGIN, origin)).await;

        assert_eq!((answer.status().as_u16(), allowed(&answer)), (200, None), "{origin}");
    }
}

#[tokio::test]
async fn every_answer_varies_by_origin_and_errors_can_be_read_too() {
    assert_eq!(ask(Request::get("/")).await.headers()[header::VARY], "Origin");
    let error = ask(Request::get("/broken").header(header::ORIGIN, "https://app.example")).await;

    assert_eq!((error.status().as_u16(), allowed(&error)), (400, Some("https://app.example")));
    let exposed = error.headers()[header::ACCESS_CONTROL_EXPOSE_HEADERS].to_str().unwrap();
    assert!(exposed.contains("Location") && exposed.contains("Retry-After"));
}

#[tokio::test]
async fn a_preflight_is_answered_before_anyone_asks_for_a_token() {
    let preflight = |origin| {
        Request::options("/nowhere")
            .header(header::ORIGIN, origin)
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "PATCH")
    };
    let answer = ask(preflight("https://app.example")).await;

    assert_eq!((answer.status().as_u16(), allowed(&answer)), (204, Some("https://app.example")));
    assert!(answer.headers()[header::ACCESS_CONTROL_ALLOW_METHODS].to_str().unwrap().contains("PATCH"));
    assert!(answer.headers()[header::ACCESS_CONTROL_ALLOW_HEADERS].to_str().unwrap().contains("Authorization"));
    let other = ask(preflight("https://evil.example")).await;
    assert_eq!((other.status().as_u16(), allowed(&other)), (204, None));
}

#[tokio::test]
async fn a_plain_options_request_goes_to_the_route() {
    assert_eq!(ask(Request::options("/").header(header::ORIGIN, "https://app.example")).await.status(), 405);
}

struct Registered;

#[async_trait]
impl Origins for Registered {
    async fn allow(&self, origin: &str, client: Option<&str>) -> bool {
        origin == "https://spa.example" && client.is_none_or(|client| client == "spa")
    }
}

#[tokio::test]
async fn what_a_client_registered_is_for_its_own_answers() {
    let answer = async |path: &str, origin: &str| {
        let for_client = |id: &'static str| async move { Extension(ForClient(id.into())) };
        let app = Router::new()
            .route("/spa", get(move || for_client("spa")))
            .route("/other", get(move || for_client("other")))
            .route("/nobody", get(|| async {}))
            .layer(CorsLayer::new(["https://app.example"]).registered(Arc::new(Registered)));
        let request = Request::get(path).header(header::ORIGIN, origin).body(Body::empty()).unwrap();
        allowed(&app.oneshot(request).await.unwrap()).is_some()
    };

    assert!(answer("/spa", "https://spa.example").await);
    assert!(!answer("/other", "https://spa.example").await);
    assert!(answer("/nobody", "https://spa.example").await, "a refusal before anyone is known can be read");
    assert!(answer("/other", "https://app.example").await, "what the operator lists is for everyone");
    assert!(!answer("/spa", "https://evil.example").await && !answer("/nobody", "null").await);
}
