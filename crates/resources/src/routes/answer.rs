//! Answers: the headers that each kind has.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, LINK, LOCATION, RETRY_AFTER, VARY};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use valetkey_rest::conditional::ETag;
use valetkey_rest::idempotency::IDEMPOTENT_REPLAYED;
use valetkey_rest::json::ACCEPT_POST;
use valetkey_rest::links::LinkHeader;
use valetkey_rest::patch::{ACCEPT_PATCH, ACCEPT_PATCH_NAME};
use valetkey_rest::prefer::{CountPreference, PREFERENCE_APPLIED};
use valetkey_rest::problem::catalogue;
use valetkey_rest::{Problem, accept};

use super::target::{Place, Target};
use crate::model::Operation;
use crate::ports::KeptAnswer;
use crate::service::{Listed, Made, Served};

/// So many headers an answer has in the end.
const HEADERS: usize = 20;

/// JSON.
pub(super) fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    // With what the layers add: a table that grows is written anew each time.
    response.headers_mut().reserve(HEADERS);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// One row.
pub(super) fn row(status: StatusCode, etag: Option<&ETag>, body: String) -> Response {
    let mut response = json(status, body);
    if let Some(etag) = etag {
        response.headers_mut().insert(ETAG, etag.into());
    }
    response.headers_mut().insert(ACCEPT_PATCH_NAME, ACCEPT_PATCH.clone());
    response
}

/// What was made or done, now or before under the same key.
pub(super) fn made(made: Made, status: StatusCode) -> Response {
    let (status, KeptAnswer { location, etag, body }, is_replay) = match made {
        Made::Now(answer) => (status, answer, false),
        // A row, which has a tag, is not told there. A task that goes on is.
        Made::Before(answer) if status == StatusCode::NO_CONTENT && answer.etag.is_some() => (status, answer, true),
        Made::Before(answer) => (StatusCode::OK, answer, true),
    };
    let mut response = match status {
        StatusCode::NO_CONTENT => status.into_response(),
        _ => json(status, body),
    };
    let headers = response.headers_mut();
    if let Some(location) = location {
        put(headers, LOCATION, &location);
    }
    if let Some(etag) = etag {
        put(headers, ETAG, &etag);
    }
    if is_replay {
        headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    }
    if status == StatusCode::ACCEPTED {
        headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

/// The status of success, as the version has it.
pub(super) fn success(served: &Served, operation: Operation, usual: StatusCode) -> StatusCode {
    served.face.status(operation).and_then(|status| StatusCode::from_u16(status).ok()).unwrap_or(usual)
}

/// A list.
pub(super) fn list(listed: &Listed) -> Response {
    let mut link = LinkHeader::default();
    for (target, rel) in [(&listed.next, "next"), (&listed.previous, "prev")] {
        if let Some(target) = target {
            link.push(target, rel);
        }
    }
    let mut response = json(StatusCode::OK, listed.body.clone());
    if let Some(value) = link.to_value() {
        response.headers_mut().insert(LINK, value);
    }
    let applied = match listed.counted {
        Some(CountPreference::Exact) => "count=exact",
        Some(CountPreference::Capped) => "count=capped",
        None => return response,
    };
    response.headers_mut().insert(PREFERENCE_APPLIED, HeaderValue::from_static(applied));
    response
}

/// What can be done here.
pub(super) fn options(target: &Target) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    put(headers, ALLOW, &allow(target));
    match &target.place {
        Place::Item { .. } => {
            headers.insert(ACCEPT_PATCH_NAME, ACCEPT_PATCH.clone());
        }
        Place::Collection { .. } | Place::Action { .. } => {
            headers.insert(ACCEPT_POST, HeaderValue::from_static("application/json"));
        }
        Place::Operation => {}
    }
    response
}

/// Another method.
pub(super) fn method_not_allowed(target: &Target) -> Problem {
    let allow = allow(target);
    let problem = Problem::new(&catalogue::METHOD_NOT_ALLOWED).detail(format!("This address has {allow}."));
    match HeaderValue::try_from(allow) {
        Ok(value) => problem.header(ALLOW, value),
        Err(_) => problem,
    }
}

fn allow(target: &Target) -> String {
    let mut methods: Vec<String> = target.operations().map(|(method, _)| method.to_string()).collect();
    methods.push("OPTIONS".to_owned());
    methods.join(", ")
}

/// Can the client read JSON?
pub(super) fn check_accept(headers: &HeaderMap, name: &str) -> Result<(), Problem> {
    let names_own = || accept::names(headers, &format!("application/vnd.{name}+json"));
    if accept::takes(headers, accept::JSON) || names_own() {
        return Ok(());
    }
    Err(Problem::new(&catalogue::NOT_ACCEPTABLE)
        .detail("This API speaks `application/json`; the `Accept` header does not allow it."))
}

/// What all answers have: they are for this caller alone, and to be asked for again. Without a tag to ask by there is
/// nothing to keep.
pub(super) fn common(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let kept = if headers.contains_key(ETAG) { "private, no-cache" } else { "no-store" };
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static(kept));
    headers.append(VARY, HeaderValue::from_static("authorization, accept"));
    response
}

/// For `HEAD`: the length is that of the body which is not sent.
pub(super) fn without_body(response: Response) -> Response {
    if response.status() == StatusCode::NOT_MODIFIED {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // A problem is written further out; its length is not known here.
    if let Some(length) = http_body::Body::size_hint(&body).exact().filter(|length| *length > 0) {
        parts.headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::empty())
}

fn put(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        headers.insert(name, value);
    }
}
