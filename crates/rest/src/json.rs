//! JSON bodies, read strictly: what two readers could understand differently is refused. Never knows what fields mean.
//!
//! ```
//! use http::{HeaderMap, HeaderValue, header};
//! use valetkey_rest::json;
//!
//! let mut headers = HeaderMap::new();
//! headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
//!
//! let body = json::read(&headers, br#"{"name": "Ada"}"#).unwrap();
//! let twice = json::read(&headers, br#"{"name": "Ada", "name": "Eve"}"#).unwrap_err();
//!
//! assert_eq!(body["name"], "Ada");
//! assert_eq!(twice.status_code(), 400);
//! assert_eq!(twice.fields()[0].field, "name");
//! ```

use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use serde_json::Value;

use crate::{
    accept,
    content_type::{Announced, announced},
    problem::{FieldCode, FieldError, Problem, catalogue},
};

mod extract;
mod place;
mod strict;
#[cfg(test)]
mod tests;

pub use extract::Json;
pub(crate) use strict::Flaw;

/// Objects and arrays inside each other; deeper ones only serve to exhaust a stack.
pub const MAX_DEPTH: usize = 32;

/// Values of one body, those inside of others included. A body that is made of more takes longer to check than anyone should
/// keep a core busy.
pub const MAX_VALUES: usize = 45_000;

/// Tells which media types a POST may have.
pub const ACCEPT_POST: HeaderName = HeaderName::from_static("accept-post");

/// Reads the body of a POST, which must be announced as `application/json`.
pub fn read(headers: &HeaderMap, body: &[u8]) -> Result<Value, Problem> {
    read_of(&Method::POST, headers, body)
}

/// The same for any method. A refusal says what is read here: of a POST in `Accept-Post`, of others in `Accept`
/// (RFC 9110 §15.5.16).
pub fn read_of(method: &Method, headers: &HeaderMap, body: &[u8]) -> Result<Value, Problem> {
    check_media_type(method, headers, body)?;
    parse(body)
}

/// Reads a body, whatever its media type.
pub fn parse(body: &[u8]) -> Result<Value, Problem> {
    Ok(strict::parse(body)?)
}

/// A body without a media type is not guessed at; no body at all is `parse`'s to complain about.
fn check_media_type(method: &Method, headers: &HeaderMap, body: &[u8]) -> Result<(), Problem> {
    match announced(headers) {
        Announced::Type(essence) if essence == accept::JSON => Ok(()),
        Announced::Nothing if body.is_empty() => Ok(()),
        Announced::Nothing | Announced::Type(_) | Announced::Other => {
            let offer = if *method == Method::POST { ACCEPT_POST } else { header::ACCEPT };
            Err(Problem::new(&catalogue::UNSUPPORTED_MEDIA_TYPE)
                .detail("The body must be `application/json`, in UTF-8. Say so in the `Content-Type` header.")
                .header(offer, HeaderValue::from_static(accept::JSON)))
        }
    }
}

impl From<Flaw> for Problem {
    fn from(flaw: Flaw) -> Self {
        let problem = Problem::new(&catalogue::BAD_REQUEST);
        match flaw {
            Flaw::Duplicate { pointer, .. } => problem
                .detail("An object of the body has the same key twice. Send each key once.")
                .field(FieldError::new(dotted(&pointer), FieldCode::Duplicate).pointer(pointer)),
            // It is JSON, and no value that anything has.
            Flaw::OutOfRange { pointer, .. } => Problem::new(&catalogue::UNPROCESSABLE)
                .detail("A number of the body is too large. Numbers go from -9007199254740991 to 9007199254740991.")
                .field(FieldError::new(dotted(&pointer), FieldCode::OutOfRange).pointer(pointer)),
            Flaw::TooMany => Problem::new(&catalogue::CONTENT_TOO_LARGE).detail(flaw.to_string()),
            Flaw::Empty => problem.detail("The body is empty. Send JSON."),
            Flaw::Utf8 { .. } | Flaw::TooDeep { .. } | Flaw::Syntax { .. } => problem.detail(flaw.to_string()),
        }
    }
}

/// `/address/lines/0` is the field `address.lines.0`.
fn dotted(pointer: &str) -> String {
    let steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
    steps.collect::<Vec<_>>().join(".")
}
