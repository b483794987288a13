//! JSON answers that nobody may keep.

use axum::body::Body;
use axum::response::Response;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, PRAGMA};
use http::{HeaderValue, StatusCode};
use serde::Serialize;

/// So many headers an answer has in the end.
const HEADERS: usize = 12;
/// And about so many bytes.
const BYTES: usize = 512;

/// 200 with JSON, not to be stored by anyone on the way.
pub(crate) fn json(value: &impl Serialize) -> Response {
    let mut bytes = Vec::with_capacity(BYTES);
    match serde_json::to_writer(&mut bytes, value) {
        Ok(()) => written(bytes),
        Err(_) => empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// The same with JSON that is written already.
pub(crate) fn written(body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    // With what the layers add: a table that grows is written anew each time.
    response.headers_mut().reserve(HEADERS);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    private(response)
}

/// A status without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    private(response)
}

fn private(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(PRAGMA, HeaderValue::from_static("no-cache"));
    response
}
