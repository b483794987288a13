//! Panics in a handler and in a service's `call`, and what the client hears of them.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
};

use axum::{Router, body::Body, response::Response, routing::get};
use http::Request;
use tower::{Layer, ServiceExt, service_fn};

use super::CatchPanicLayer;
use crate::ProblemLayer;

fn listening() -> (CatchPanicLayer, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = heard.clone();
    (CatchPanicLayer::new(Arc::new(move |message| ear.lock().unwrap().push(message.to_owned()))), heard)
}

#[tokio::test]
async fn a_panic_after_an_await_is_answered_and_reported_once() {
    async fn broken() -> &'static str {
        tokio::task::yield_now().await;
        panic!("secret {}", 42)
    }
    let (layer, heard) = listening();
    let app = Router::new().route("/", get(broken)).layer(layer).layer(ProblemLayer::new("https://id.example"));

    let answer = app.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
    let status = answer.status();
    let body = axum::body::to_bytes(answer.into_body(), 4096).await.unwrap();

    assert_eq!(status, 500);
    assert!(!String::from_utf8_lossy(&body).contains("secret"));
    assert_eq!(*heard.lock().unwrap(), ["secret 42"]);
}

#[tokio::test]
async fn a_panic_before_the_future_exists_is_answered_too() {
    fn broken(_: Request<Body>) -> std::future::Ready<Result<Response, Infallible>> {
        panic!("at once")
    }
    let (layer, heard) = listening();

    let answer = layer.layer(service_fn(broken)).oneshot(Request::new(Body::empty())).await.unwrap();

    assert_eq!(answer.status(), 500);
    assert_eq!(*heard.lock().unwrap(), ["at once"]);
}
