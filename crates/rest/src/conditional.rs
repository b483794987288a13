//! Conditional requests (RFC 9110 §13): entity tags and the headers that compare them. Never knows how a tag is made.
//!
//! ```
//! use http::{HeaderMap, HeaderValue, header};
//! use valetkey_rest::conditional::{ETag, IfMatch, IfNoneMatch};
//!
//! let mut headers = HeaderMap::new();
//! headers.insert(header::IF_MATCH, HeaderValue::from_static(r#""7-v1", "8-v1""#));
//! let current = ETag::strong("8-v1");
//!
//! assert!(IfMatch::from_headers(&headers).unwrap().unwrap().matches(&current));
//! assert_eq!(IfNoneMatch::from_headers(&headers).unwrap(), None);
//! ```

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    body::{Body, HttpBody},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, StatusCode, header};

use crate::problem::{FieldError, Problem, catalogue};

mod etag;
#[cfg(test)]
mod tests;

pub use etag::ETag;

/// The request is done only if the resource is one of these: `If-Match`, compared strongly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IfMatch {
    /// `*`: the resource must be there.
    Any,
    /// One of these.
    Tags(Vec<ETag>),
}

/// The request is done only if the resource is none of these: `If-None-Match`, compared weakly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IfNoneMatch {
    /// `*`: the resource must not be there.
    Any,
    /// None of these.
    Tags(Vec<ETag>),
}

impl IfMatch {
    /// Reads the header, if it is there.
    pub fn from_headers(headers: &HeaderMap) -> Result<Option<Self>, Problem> {
        Ok(read(headers, header::IF_MATCH, "If-Match")?.map(|tags| tags.map_or(Self::Any, Self::Tags)))
    }

    /// Whether a resource that is there, with this tag, may be changed. Weak tags never match.
    pub fn matches(&self, current: &ETag) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(|tag| tag.equals_strongly(current)),
        }
    }
}

impl IfNoneMatch {
    /// Reads the header, if it is there.
    pub fn from_headers(headers: &HeaderMap) -> Result<Option<Self>, Problem> {
        Ok(read(headers, header::IF_NONE_MATCH, "If-None-Match")?.map(|tags| tags.map_or(Self::Any, Self::Tags)))
    }

    /// Whether the client has this already: 304 for a read, 412 for a write.
    pub fn matches(&self, current: &ETag) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(|tag| tag.equals_weakly(current)),
        }
    }
}

/// The tags of all lines of a header: none if it is absent, `Some(None)` for `*`.
fn read(headers: &HeaderMap, name: HeaderName, shown: &'static str) -> Result<Option<Option<Vec<ETag>>>, Problem> {
    let mut lines = headers.get_all(name).iter().peekable();
    if lines.peek().is_none() {
        return Ok(None);
    }
    let text: Option<Vec<&str>> = lines.map(|line| line.to_str().ok()).collect();
    let text = text.map(|lines| lines.join(","));
    if text.as_deref().is_some_and(|text| text.trim() == "*") {
        return Ok(Some(None));
    }
    match text.as_deref().and_then(etag::list) {
        Some(tags) => Ok(Some(Some(tags))),
        None => Err(Problem::new(&catalogue::BAD_REQUEST)
            .detail(format!(
                "`{shown}` cannot be read. It is `*` or a list of entity tags in quotes, as `ETag` gives them."
            ))
            .field(FieldError::invalid_format(shown))),
    }
}

/// 304: the client has it already.
pub fn not_modified(etag: &ETag) -> Response {
    let mut response = Response::new(Body::new(Unsaid));
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response.headers_mut().insert(header::ETAG, etag.into());
    response.into_response()
}

/// No body, and no word on how long one would be: a 304 that says 0 speaks of a resource that is empty (RFC 9110 §8.6).
struct Unsaid;

impl HttpBody for Unsaid {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, Infallible>>> {
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        true
    }

    fn size_hint(&self) -> http_body::SizeHint {
        http_body::SizeHint::default()
    }
}

/// 412: the resource is not what the request expects. Tells what it is now, if it is there.
pub fn precondition_failed(current: Option<&ETag>) -> Problem {
    let problem = Problem::new(&catalogue::PRECONDITION_FAILED);
    match current {
        Some(etag) => problem.header(header::ETAG, etag.into()),
        None => problem,
    }
}

/// 412: the resource is there, and the request is for one that is not, or is another.
pub fn there_already(current: &ETag) -> Problem {
    let told = "The resource is there, and is one of those that `If-None-Match` rules out.";
    precondition_failed(Some(current)).detail(told)
}

/// 412: the resource is not there, and the request is for one that is.
pub fn not_there() -> Problem {
    precondition_failed(None).detail("There is no such resource, and `If-Match` asks for one.")
}

/// 428: this is only done with an `If-Match`.
pub fn precondition_required() -> Problem {
    Problem::new(&catalogue::PRECONDITION_REQUIRED).field(FieldError::required("If-Match"))
}
