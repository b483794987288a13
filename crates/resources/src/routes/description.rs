//! `/openapi.json`: what is served, for machines. Anyone may read it, in any version.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_HEADERS, ACCESS_CONTROL_REQUEST_METHOD, ALLOW, CACHE_CONTROL, CONTENT_TYPE, ETAG,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use valetkey_rest::Problem;
use valetkey_rest::conditional::{self, ETag, IfNoneMatch};
use valetkey_rest::version::{Indicator, Lifecycle, VersionChoice};

use super::not_in_this_version;
use crate::openapi::{self, Surroundings};
use crate::service::Service;

/// The document of one version, in one state of its life, below one prefix.
type Which = (u32, Lifecycle, bool);

struct Described {
    service: Arc<Service>,
    issuer: String,
    base: String,
    /// Each is written when it is first asked for: a version changes its state while the server runs.
    written: Mutex<HashMap<Which, (Bytes, ETag)>>,
}

/// What can be done with a document that anyone may read. A browser may send whatever headers it asks for.
pub async fn options(asked: HeaderMap) -> Response {
    const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(ALLOW, METHODS);
    if asked.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    }
    if let Some(names) = asked.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    response
}

/// The routes, below `base` (`/api`) and below each version. `issuer` is the origin of all addresses.
pub fn description(service: &Arc<Service>, issuer: &str, base: &str) -> Router {
    let described = Arc::new(Described {
        service: service.clone(),
        issuer: issuer.to_owned(),
        base: base.to_owned(),
        written: Mutex::default(),
    });
    let numbers = service.editions.iter().map(|edition| format!("{base}/v{}", edition.number()));
    let mut router = Router::new();
    for prefix in numbers.chain([base.to_owned()]) {
        let described = described.clone();
        let serve = move |request: Request| {
            let answer = described.answer(&request).unwrap_or_else(IntoResponse::into_response);
            async move { answer }
        };
        router = router.route(&format!("{prefix}/openapi.json"), get(serve).options(options));
    }
    router
}

impl Described {
    fn answer(&self, request: &Request) -> Result<Response, Problem> {
        let newest = self.service.editions.first().map_or(1, |newest| newest.number());
        let (number, state, in_path) = match request.extensions().get::<VersionChoice>() {
            Some(choice) => (choice.version, choice.state, choice.by == Indicator::Path),
            None => (newest, Lifecycle::Active, false),
        };
        let (body, etag) = self.document((number, state, in_path)).ok_or_else(|| not_in_this_version(number))?;
        respond(request.headers(), body, &etag)
    }

    fn document(&self, which: Which) -> Option<(Bytes, ETag)> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = written.get(&which) {
            return Some(found.clone());
        }
        let (version, state, in_path) = which;
        let edition = self.service.edition(version)?;
        let prefix = if in_path { format!("{}/v{version}", self.base) } else { self.base.clone() };
        let base_url = format!("{}{prefix}", self.issuer);
        let at = Surroundings { base_url, issuer: self.issuer.clone(), version, state };
        let text = openapi::document(&edition.api, &at).to_string();
        let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, text.as_bytes());
        let name: String = digest.as_ref().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let made = (Bytes::from(text), ETag::strong(name));
        written.insert(which, made.clone());
        Some(made)
    }
}

fn respond(headers: &HeaderMap, body: Bytes, etag: &ETag) -> Result<Response, Problem> {
    if IfNoneMatch::from_headers(headers)?.is_some_and(|tags| tags.matches(etag)) {
        return Ok(conditional::not_modified(etag));
    }
    let mut response = Response::new(Body::from(body));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=60"));
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    if let Ok(value) = HeaderValue::try_from(etag.to_string()) {
        headers.insert(ETAG, value);
    }
    Ok(response)
}
