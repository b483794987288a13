//! Partial updates: merge patches (RFC 7396) and JSON Patch (RFC 6902), applied as a whole or not at all.
//!
//! What a patch can do to the server is bounded: a thousand operations, a result of 1 MiB, or as large as the caller says, and
//! of the depth that bodies have, and a budget for copying and shifting, since a short patch can copy a document into itself
//! again and again.
//!
//! ```
//! use http::{HeaderMap, HeaderValue, header};
//! use serde_json::json;
//! use valetkey_rest::patch::{Patch, PatchError};
//!
//! let mut headers = HeaderMap::new();
//! headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json-patch+json"));
//! let body = br#"[{"op": "test", "path": "/name", "value": "Ada"}, {"op": "add", "path": "/tags/-", "value": "new"}]"#;
//! let patch = Patch::read(&headers, body).unwrap();
//!
//! let patched = patch.apply(&json!({"name": "Ada", "tags": []})).unwrap();
//! let refused = patch.apply(&json!({"name": "Eve", "tags": []})).unwrap_err();
//!
//! assert_eq!(patched, json!({"name": "Ada", "tags": ["new"]}));
//! assert_eq!(refused, PatchError::TestFailed { pointer: "/name".into() });
//! ```

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::{
    accept,
    content_type::{Announced, announced},
    json,
    problem::{FieldCode, FieldError, Problem, catalogue},
};

mod apply;
mod merge;
mod operation;
mod pointer;
mod size;
#[cfg(test)]
mod tests;

pub use operation::Operation;
pub use pointer::Pointer;

/// The media type of merge patches.
pub const MERGE_PATCH: &str = "application/merge-patch+json";
/// The media type of JSON Patch.
pub const JSON_PATCH: &str = "application/json-patch+json";
/// The header that lists what a PATCH may be.
pub const ACCEPT_PATCH_NAME: HeaderName = HeaderName::from_static("accept-patch");
/// The value of that header.
pub static ACCEPT_PATCH: HeaderValue =
    HeaderValue::from_static("application/merge-patch+json, application/json-patch+json, application/json");

/// Operations of one patch.
pub const MAX_OPERATIONS: usize = 1000;
/// Bytes of the result, written as JSON, unless the caller says otherwise.
pub const MAX_RESULT: usize = 1 << 20;

/// A change to a document.
#[derive(Debug, Clone, PartialEq)]
pub enum Patch {
    /// An object whose members replace those of the document; null removes.
    Merge(Value),
    /// Operations, one after the other.
    Json(Vec<Operation>),
}

/// Why a patch was not applied. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatchError {
    /// The value at this place is another one than the patch expects.
    #[error("the value at {pointer:?} is not the expected one")]
    TestFailed {
        /// The place.
        pointer: String,
    },
    /// Nothing is at this place.
    #[error("nothing is at {pointer:?}")]
    MissingPath {
        /// The place.
        pointer: String,
    },
    /// The operation cannot be done on any document.
    #[error("the operation on {pointer:?} is not possible: {reason}")]
    Invalid {
        /// The place.
        pointer: String,
        /// Why not.
        reason: &'static str,
    },
    /// The result would be too large or too deep, or too much work to make.
    #[error("the patch makes the document too large")]
    TooLarge,
}

impl Patch {
    /// Reads the body of a PATCH, by its media type.
    pub fn read(headers: &HeaderMap, body: &[u8]) -> Result<Self, Problem> {
        match announced(headers) {
            Announced::Type(essence) if essence == MERGE_PATCH || essence == accept::JSON => Self::merge(body),
            Announced::Type(essence) if essence == JSON_PATCH => operation::read(body).map(Self::Json),
            Announced::Nothing | Announced::Type(_) | Announced::Other => {
                Err(Problem::new(&catalogue::UNSUPPORTED_MEDIA_TYPE)
                    .detail("A patch is `application/merge-patch+json`, `application/json` or `application/json-patch+json`. Say which in `Content-Type`.")
                    .header(ACCEPT_PATCH_NAME, ACCEPT_PATCH.clone()))
            }
        }
    }

    fn merge(body: &[u8]) -> Result<Self, Problem> {
        match json::parse(body)? {
            fields @ Value::Object(_) => Ok(Self::Merge(fields)),
            _ => Err(Problem::new(&catalogue::BAD_REQUEST)
                .detail("A merge patch is a JSON object of the fields to change. A list of operations is `application/json-patch+json`.")),
        }
    }

    /// The patched document, of at most [`MAX_RESULT`] bytes; the given one stays as it is.
    pub fn apply(&self, document: &Value) -> Result<Value, PatchError> {
        self.apply_within(MAX_RESULT, document.clone())
    }

    /// The same, of at most so many bytes, to a document that is given away. One that is larger already may be changed as long
    /// as it does not grow.
    pub fn apply_within(&self, largest: usize, document: Value) -> Result<Value, PatchError> {
        match self {
            Self::Merge(fields) => merge::apply(document, fields, largest),
            Self::Json(operations) => apply::apply(document, operations, largest),
        }
    }
}

impl From<PatchError> for Problem {
    /// What does not fit the present state is 409; what fits no state is 400. A result that is too large is 413.
    fn from(error: PatchError) -> Self {
        let field = |pointer: &str, code| {
            let name = pointer.strip_prefix('/').unwrap_or(pointer).replace('/', ".");
            FieldError::new(name, code).pointer(pointer.to_owned())
        };
        match error {
            PatchError::TestFailed { pointer } => Problem::new(&catalogue::CONFLICT)
                .detail("A `test` of the patch failed, and nothing was changed. Read the resource again.")
                .field(field(&pointer, FieldCode::InvalidValue)),
            PatchError::MissingPath { pointer } => Problem::new(&catalogue::CONFLICT)
                .detail("The patch names a place that is not there, and nothing was changed. Read the resource again.")
                .field(field(&pointer, FieldCode::NotFound)),
            PatchError::Invalid { pointer, reason } => Problem::new(&catalogue::BAD_REQUEST)
                .detail(format!("An operation of the patch is not possible: {reason}."))
                .field(field(&pointer, FieldCode::InvalidValue)),
            PatchError::TooLarge => Problem::new(&catalogue::CONTENT_TOO_LARGE)
                .detail("The patch would make the resource too large, and nothing was changed."),
        }
    }
}
