//! A problem before it is written: what a handler knows about a refusal. How it looks on the wire is `body`'s business.

use std::{borrow::Cow, fmt};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde_json::Value;

use super::{FieldError, ProblemType};

/// A refusal on its way to the client. One pointer wide, so that it is cheap inside a `Result`.
#[derive(Debug, Clone)]
pub struct Problem(Box<Details>);

#[derive(Debug, Clone)]
pub(super) struct Details {
    pub(super) kind: &'static ProblemType,
    pub(super) status: StatusCode,
    pub(super) detail: Option<Cow<'static, str>>,
    /// May the client read it on a 5xx too?
    pub(super) is_public: bool,
    pub(super) fields: Vec<FieldError>,
    pub(super) error_code: Option<&'static str>,
    pub(super) extensions: Vec<(&'static str, Value)>,
    headers: HeaderMap,
}

impl Problem {
    /// Starts a problem of this kind, with the status of the kind.
    pub fn new(kind: &'static ProblemType) -> Self {
        Self(Box::new(Details {
            kind,
            status: kind.status,
            detail: None,
            is_public: false,
            fields: Vec::new(),
            error_code: None,
            extensions: Vec::new(),
            headers: HeaderMap::new(),
        }))
    }

    /// Explains this occurrence. Without it, and on a 5xx, the client reads the kind's `meaning` instead.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// Explains this occurrence to the client on a 5xx too: a sentence that was written for it and tells no cause.
    #[must_use]
    pub fn public_detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.0.is_public = true;
        self.detail(detail)
    }

    /// Adds an entry to `errors[]`.
    #[must_use]
    pub fn field(mut self, field: FieldError) -> Self {
        self.0.fields.push(field);
        self
    }

    /// Adds several entries to `errors[]`, in this order.
    #[must_use]
    pub fn with_fields(mut self, fields: impl IntoIterator<Item = FieldError>) -> Self {
        self.0.fields.extend(fields);
        self
    }

    /// Names the entries of `errors[]` otherwise.
    #[must_use]
    pub fn map_fields(mut self, named: impl FnMut(FieldError) -> FieldError) -> Self {
        self.0.fields = std::mem::take(&mut self.0.fields).into_iter().map(named).collect();
        self
    }

    /// Adds the members of RFC 6749 §5.2: `error`, `error_description` and `error_uri`.
    #[must_use]
    pub fn error_code(mut self, code: &'static str) -> Self {
        self.0.error_code = Some(code);
        self
    }

    /// Answers with another status than the kind's own.
    #[must_use]
    pub fn status(mut self, status: StatusCode) -> Self {
        self.0.status = status;
        self
    }

    /// Adds a header to the answer. A name given twice is sent twice, as `WWW-Authenticate` may be.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.append(name, value);
        self
    }

    /// Adds a member of our own to the body (RFC 9457 §3.2). It comes last and does not replace a standard member.
    #[must_use]
    pub fn extension(mut self, name: &'static str, value: Value) -> Self {
        self.0.extensions.push((name, value));
        self
    }

    /// The kind of this problem.
    pub fn kind(&self) -> &'static ProblemType {
        self.0.kind
    }

    /// The status it will be answered with.
    pub fn status_code(&self) -> StatusCode {
        self.0.status
    }

    /// What was explained, if anything; meant for the log, since a 5xx does not tell it to the client.
    pub fn detail_text(&self) -> Option<&str> {
        self.0.detail.as_deref()
    }

    /// The entries of `errors[]` so far.
    pub fn fields(&self) -> &[FieldError] {
        &self.0.fields
    }

    pub(super) fn details(&self) -> &Details {
        &self.0
    }
}

impl From<&'static ProblemType> for Problem {
    fn from(kind: &'static ProblemType) -> Self {
        Self::new(kind)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.status.as_u16(), self.0.kind.slug)?;
        self.0.detail.as_ref().map_or(Ok(()), |detail| write!(f, ": {detail}"))
    }
}

impl std::error::Error for Problem {}

impl IntoResponse for Problem {
    /// An empty answer that carries the problem; [`super::ProblemLayer`] writes the body.
    fn into_response(mut self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.0.status;
        *response.headers_mut() = std::mem::take(&mut self.0.headers);
        response.extensions_mut().insert(self);
        response
    }
}
