//! `/openapi.json`: what is served, for machines. Anyone may read it.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG};
use http::{HeaderMap, HeaderValue, StatusCode};
use valetkey_rest::Problem;
use valetkey_rest::conditional::{self, ETag, IfNoneMatch};

use crate::model::Api;
use crate::openapi::{self, Surroundings};

/// The route, below `prefix`.
pub fn description(api: &Api, prefix: &str, at: &Surroundings) -> Router {
    let text = openapi::document(api, at).to_string();
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, text.as_bytes());
    let name: String = digest.as_ref().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let (body, etag) = (Bytes::from(text), ETag::strong(name));
    let serve = move |headers: HeaderMap| {
        let answer = answer(&headers, &body, &etag);
        async move { answer }
    };
    Router::new().route(&format!("{prefix}/openapi.json"), get(serve).options(options))
}

/// What can be done with a document that anyone may read.
pub async fn options() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD, OPTIONS"));
    response
}

fn answer(headers: &HeaderMap, body: &Bytes, etag: &ETag) -> Result<Response, Problem> {
    if IfNoneMatch::from_headers(headers)?.is_some_and(|tags| tags.matches(etag)) {
        return Ok(conditional::not_modified(etag));
    }
    let mut response = Response::new(Body::from(body.clone()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=60"));
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    if let Ok(value) = HeaderValue::try_from(etag.to_string()) {
        headers.insert(ETAG, value);
    }
    Ok(response)
}
