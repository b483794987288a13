//! Turns an answer into a problem where it must be one: which answers, which headers stay, which media type.

use std::sync::Arc;

use axum::{body::Body, response::Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::{Problem, body::ProblemBody, for_status};
use crate::{RequestId, accept};

/// What the request said that the answer depends on.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) origin: Arc<str>,
    pub(super) id: Option<RequestId>,
    pub(super) head: bool,
    /// Strict OAuth clients name `application/json` alone and throw on any other media type.
    pub(super) plain_json: bool,
}

impl Asked {
    /// Gives back a success untouched; writes a problem over everything else that is not yet readable.
    pub(super) fn render(&self, mut response: Response) -> Response {
        let problem = match response.extensions_mut().remove::<Problem>() {
            Some(problem) => problem,
            None if is_bare_error(&response) => {
                let status = response.status();
                Problem::new(for_status(status)).status(status)
            }
            None => return response,
        };
        self.write(&problem, response)
    }

    fn write(&self, problem: &Problem, response: Response) -> Response {
        let body = ProblemBody { details: problem.details(), origin: &self.origin, id: self.id };
        // Writing JSON values into memory does not fail; an empty object still leaves status and headers intact.
        let json = serde_json::to_vec(&body).unwrap_or_else(|_| b"{}".to_vec());

        let (mut parts, _) = response.into_parts();
        let media_type = if self.plain_json { accept::JSON } else { accept::PROBLEM_JSON };
        parts.status = problem.status_code();
        // These spoke of the body that is thrown away; Allow, WWW-Authenticate, Retry-After and all others stay.
        for name in [header::CONTENT_ENCODING, header::TRANSFER_ENCODING, header::CONTENT_LANGUAGE] {
            parts.headers.remove(name);
        }
        parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(json.len()));
        parts.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if parts.status == StatusCode::SERVICE_UNAVAILABLE {
            // Whoever is away most often comes back in seconds; without this, clients and proxies give up at once.
            parts.headers.entry(header::RETRY_AFTER).or_insert(HeaderValue::from_static("2"));
        }
        vary_by_accept(&mut parts.headers);
        Response::from_parts(parts, if self.head { Body::empty() } else { Body::from(json) })
    }
}

/// Writes a problem outside the layer, for refusals that never reach a router: a timeout, a wrong port.
pub fn render(
    problem: &Problem,
    origin: &str,
    id: Option<RequestId>,
    head: bool,
    accept: Option<&HeaderValue>,
) -> Response {
    let mut headers = HeaderMap::new();
    if let Some(accept) = accept {
        headers.insert(header::ACCEPT, accept.clone());
    }
    let asked = Asked { origin: origin.trim_end_matches('/').into(), id, head, plain_json: wants_plain_json(&headers) };
    asked.write(problem, Response::default())
}

/// Does the request name `application/json` and not the problem type?
pub(super) fn wants_plain_json(headers: &HeaderMap) -> bool {
    accept::names(headers, accept::JSON) && !accept::names(headers, accept::PROBLEM_JSON)
}

/// An error without a body that a client of ours can read: plain text of the framework, or nothing at all.
pub fn is_bare_error(response: &Response) -> bool {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return false;
    }
    let media_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = media_type.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    ![accept::PROBLEM_JSON, accept::JSON, accept::HTML].iter().any(|known| essence.eq_ignore_ascii_case(known))
}

/// Adds `Accept` to `Vary`, keeping what other layers have put there.
fn vary_by_accept(headers: &mut HeaderMap) {
    let named = headers
        .get_all(header::VARY)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|name| matches!(name.trim(), "*") || name.trim().eq_ignore_ascii_case("accept"));
    if !named {
        headers.append(header::VARY, HeaderValue::from_static("Accept"));
    }
}
