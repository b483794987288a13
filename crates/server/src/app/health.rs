//! `/healthz`: the process lives. `/readyz`: it can also do its work.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, RETRY_AFTER};
use serde_json::json;
use valetkey_oauth::Authority;
use valetkey_rest::problem::{Problem, catalogue};

/// Both routes.
pub fn routes(authority: Arc<Authority>) -> Router {
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready)).with_state(authority)
}

async fn alive() -> Response {
    fresh(Json(json!({ "status": "ok" })).into_response())
}

async fn ready(State(authority): State<Arc<Authority>>) -> Response {
    match authority.ports.sweeping.ping().await {
        Ok(()) => fresh(Json(json!({ "status": "ready" })).into_response()),
        Err(_) => {
            Problem::new(&catalogue::UNAVAILABLE).header(RETRY_AFTER, HeaderValue::from_static("2")).into_response()
        }
    }
}

fn fresh(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
