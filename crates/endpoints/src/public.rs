//! Documents for everyone: any origin may read them, anyone may keep them for a few minutes.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    ALLOW, CACHE_CONTROL, CONTENT_TYPE,
};
use http::{HeaderMap, HeaderValue, StatusCode};

/// Five minutes: half of what a new key is published ahead, so that no copy is older than the key's first use.
const KEEP: HeaderValue = HeaderValue::from_static("public, max-age=300");
const ANYONE: HeaderValue = HeaderValue::from_static("*");
const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");

/// A JSON document.
pub(crate) fn document(bytes: Bytes) -> Response {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, KEEP);
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANYONE);
    response
}

/// Yes to every origin, for reading only. Headers are allowed as asked: these documents depend on none.
pub(crate) async fn preflight(asked: HeaderMap) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(ALLOW, METHODS);
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, ANYONE);
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    if let Some(names) = asked.get("access-control-request-headers") {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    response
}
