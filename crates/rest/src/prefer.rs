//! What a client would rather have (RFC 7240): a count, a short answer. Unknown preferences mean nothing and harm nothing.
//!
//! ```
//! use http::{HeaderMap, HeaderValue};
//! use valetkey_rest::prefer::{CountPreference, Prefer};
//!
//! let mut headers = HeaderMap::new();
//! headers.insert("prefer", HeaderValue::from_static("count=exact, return=minimal, wait=10"));
//! let prefer = Prefer::from_headers(&headers);
//!
//! assert_eq!(prefer.count, Some(CountPreference::Exact));
//! assert!(prefer.return_minimal);
//! ```

use http::{HeaderMap, HeaderName};

#[cfg(test)]
mod tests;

/// The header of the request.
pub const PREFER: HeaderName = HeaderName::from_static("prefer");
/// The header of an answer that followed a preference.
pub const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// What the client would rather have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Prefer {
    /// `count=exact` or `count=capped`.
    pub count: Option<CountPreference>,
    /// `return=minimal`: no body where the client has it already.
    pub return_minimal: bool,
}

/// How carefully the rows of a list are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountPreference {
    /// All of them.
    Exact,
    /// Up to a bound that the server chooses.
    Capped,
}

impl Prefer {
    /// Reads all `Prefer` headers. Of a preference given twice the first counts (§2).
    pub fn from_headers(headers: &HeaderMap) -> Self {
        let (mut count, mut returned) = (None, None);
        let lines = headers.get_all(PREFER).iter().filter_map(|line| line.to_str().ok());
        for preference in lines.flat_map(|line| line.split(',')) {
            // Parameters behind a semicolon refine preferences that we do not have.
            let word = preference.split(';').next().unwrap_or_default();
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let value = value.trim().trim_matches('"');
            match name.trim().to_ascii_lowercase().as_str() {
                "count" => _ = count.get_or_insert(value),
                "return" => _ = returned.get_or_insert(value),
                _ => {}
            }
        }
        let count = match count {
            Some("exact") => Some(CountPreference::Exact),
            Some("capped") => Some(CountPreference::Capped),
            _ => None,
        };
        Self { count, return_minimal: returned == Some("minimal") }
    }
}
