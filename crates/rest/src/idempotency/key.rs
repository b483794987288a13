//! The key of a request: one word of the client's choice, with or without the quotes of the draft.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::{HeaderMap, request::Parts};

use super::{IDEMPOTENCY_KEY, key_required};
use crate::problem::{FieldCode, FieldError, Problem, catalogue};

/// Characters of a key at most.
const MAX_LENGTH: usize = 255;

/// A key: 1 to 255 visible ASCII characters. As an extractor it is required; `Option<IdempotencyKey>` is not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// Reads the header, if it is there. `"x"` and `x` are the same key.
    pub fn from_headers(headers: &HeaderMap) -> Result<Option<Self>, Problem> {
        let mut lines = headers.get_all(IDEMPOTENCY_KEY).iter();
        let Some(line) = lines.next() else { return Ok(None) };
        if lines.next().is_some() {
            return Err(refuse(FieldCode::Duplicate, "Send one `Idempotency-Key`."));
        }
        let text = line.to_str().unwrap_or_default().trim();
        let Some(word) = unquote(text) else {
            return Err(refuse(
                FieldCode::InvalidFormat,
                "The `Idempotency-Key` opens a quote and does not end with it.",
            ));
        };
        if word.len() > MAX_LENGTH {
            return Err(refuse(FieldCode::TooLong, "An `Idempotency-Key` has at most 255 characters."));
        }
        if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(refuse(
                FieldCode::InvalidFormat,
                "An `Idempotency-Key` is one word of visible ASCII characters, such as a UUID.",
            ));
        }
        Ok(Some(Self(word)))
    }

    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The word inside the quotes of a structured string (RFC 9651 §3.3.3), or the text if there are none.
fn unquote(text: &str) -> Option<String> {
    let Some(inside) = text.strip_prefix('"') else { return Some(text.to_owned()) };
    let mut word = String::with_capacity(inside.len());
    let mut rest = inside.chars();
    loop {
        match rest.next()? {
            '"' => return rest.next().is_none().then_some(word),
            '\\' => word.push(rest.next().filter(|c| matches!(c, '"' | '\\'))?),
            c => word.push(c),
        }
    }
}

fn refuse(code: FieldCode, detail: &'static str) -> Problem {
    Problem::new(&catalogue::BAD_REQUEST).detail(detail).field(FieldError::new("Idempotency-Key", code))
}

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Self::from_headers(&parts.headers)?.ok_or_else(key_required)
    }
}

impl<S: Send + Sync> OptionalFromRequestParts<S> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Problem> {
        Self::from_headers(&parts.headers)
    }
}
