//! What `Content-Type` announces: one media type, and a charset that is UTF-8. Never reads a body.

use http::{HeaderMap, header};

/// What the headers say about the body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Announced {
    /// No `Content-Type` at all.
    Nothing,
    /// One media type, in lower case, with a charset of UTF-8 or none.
    Type(String),
    /// Two headers, another charset, or no media type: nothing that we read.
    Other,
}

/// Reads the header. Parameters besides `charset` are tolerated: no media type of ours has any.
pub(crate) fn announced(headers: &HeaderMap) -> Announced {
    let mut lines = headers.get_all(header::CONTENT_TYPE).iter();
    let (first, second) = (lines.next(), lines.next());
    let Some(first) = first else { return Announced::Nothing };
    let Some(text) = first.to_str().ok().filter(|_| second.is_none()) else { return Announced::Other };
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
    let readable = parts.filter_map(|parameter| parameter.split_once('=')).all(|(name, value)| {
        !name.trim().eq_ignore_ascii_case("charset") || value.trim().trim_matches('"').eq_ignore_ascii_case("utf-8")
    });
    if readable && essence.contains('/') { Announced::Type(essence) } else { Announced::Other }
}
