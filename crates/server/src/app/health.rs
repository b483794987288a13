//! `/healthz`: the process lives. `/readyz`: it can also do its work.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use http::HeaderValue;
use http::header::{CACHE_CONTROL, RETRY_AFTER};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use valetkey_oauth::Authority;
use valetkey_resources::model::Api;
use valetkey_rest::problem::{Problem, catalogue};

use super::engine::Filling;

/// What anyone may ask: the answers tell no more than that a server is there.
pub const PATHS: &[&str] = &["/healthz", "/readyz"];

/// What has to be in order.
#[derive(Clone)]
pub struct Readiness {
    /// The store, and what it answers.
    pub authority: Arc<Authority>,
    /// The same store, as it keeps the rows of the declared API.
    pub filling: Filling,
    /// The declaration that is served.
    pub api: Arc<Api>,
    /// Cancelled when the server was told to stop.
    pub leaving: CancellationToken,
}

/// Both routes.
pub fn routes(readiness: Readiness) -> Router {
    Router::new().route("/healthz", get(alive)).route("/readyz", get(ready)).with_state(readiness)
}

async fn alive() -> Response {
    fresh(Json(json!({ "status": "ok" })).into_response())
}

async fn ready(State(of): State<Readiness>) -> Response {
    let unready = |kind| Problem::new(kind).header(RETRY_AFTER, HeaderValue::from_static("2")).into_response();
    // Still served, but whoever shares out requests should send the next ones elsewhere.
    if of.leaving.is_cancelled() {
        return unready(&catalogue::UNAVAILABLE);
    }
    if of.authority.ports.sweeping.ping().await.is_err() {
        return unready(&catalogue::UNAVAILABLE);
    }
    match of.filling.is_superseded(&of.api).await {
        Ok(false) => fresh(Json(json!({ "status": "ready" })).into_response()),
        // Whoever shares out requests should send them to nodes that can read the rows.
        Ok(true) => unready(&catalogue::SUPERSEDED),
        Err(_) => unready(&catalogue::UNAVAILABLE),
    }
}

fn fresh(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
