//! Which of our media types a request asked for, and whether it takes one at all. Owns q-values and wildcards.
//!
//! ```
//! use http::{HeaderMap, header};
//! use valetkey_rest::accept;
//!
//! let mut headers = HeaderMap::new();
//! headers.insert(header::ACCEPT, "text/html, application/json;q=0.5".parse().unwrap());
//!
//! assert!(accept::prefers_html(&headers));
//! assert!(accept::names(&headers, accept::JSON));
//! assert!(!accept::names(&headers, accept::PROBLEM_JSON));
//! ```

use http::{HeaderMap, header};

use crate::quoted::split;

#[cfg(test)]
mod tests;

/// The media type of most answers.
pub const JSON: &str = "application/json";
/// The media type of errors.
pub const PROBLEM_JSON: &str = "application/problem+json";
/// The media type of pages.
pub const HTML: &str = "text/html";

/// Whether `Accept` names this media type, letter for letter and not by a wildcard, with q above zero.
pub fn names(headers: &HeaderMap, media_type: &str) -> bool {
    quality(headers, |named| named.eq_ignore_ascii_case(media_type)) > 0
}

/// Whether the client takes this media type, by name or by a wildcard; what is nearer to the name decides (RFC 9110 §12.5.1).
/// Without an `Accept`, or with one that names nothing, it takes anything.
pub fn takes(headers: &HeaderMap, media_type: &str) -> bool {
    let is_empty =
        |value: &http::HeaderValue| value.to_str().is_ok_and(|text| text.trim_matches([' ', '\t', ',']).is_empty());
    if headers.get_all(header::ACCEPT).iter().all(is_empty) {
        return true;
    }
    let kind = media_type.split('/').next().unwrap_or_default();
    let whole = format!("{kind}/*");
    [media_type, &whole, "*/*"]
        .into_iter()
        .find_map(|range| stated(headers, |named| named.eq_ignore_ascii_case(range)))
        .is_some_and(|quality| quality > 0)
}

/// Whether a person is reading: `text/html` is named, and JSON is not, or only as the poorer choice. No browser names JSON.
pub fn prefers_html(headers: &HeaderMap) -> bool {
    let html = quality(headers, |named| named.eq_ignore_ascii_case(HTML));
    html > 0 && html > quality(headers, is_json)
}

fn is_json(media_type: &str) -> bool {
    let suffix = media_type.len().checked_sub(5).and_then(|at| media_type.get(at..));
    media_type.eq_ignore_ascii_case(JSON) || suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("+json"))
}

/// The highest q, in thousandths, among the named types that `wanted` picks; zero if there is none.
fn quality(headers: &HeaderMap, wanted: impl Fn(&str) -> bool) -> u16 {
    stated(headers, wanted).unwrap_or(0)
}

/// The same, and none if none is named.
fn stated(headers: &HeaderMap, wanted: impl Fn(&str) -> bool) -> Option<u16> {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| split(value, ','))
        .filter_map(|range| {
            let mut parts = split(range, ';').map(str::trim);
            parts.next().filter(|media_type| wanted(media_type))?;
            Some(parts.find_map(weight).unwrap_or(1000))
        })
        .max()
}

/// Reads a `q` parameter (RFC 9110 §12.4.2) as thousandths. A q that is no such number accepts nothing.
fn weight(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    Some(thousandths(value.trim()))
}

/// A q-value as thousandths; zero for what is no q-value.
pub(crate) fn thousandths(value: &str) -> u16 {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return 0;
    }
    let thousandths = fraction.bytes().chain(std::iter::repeat(b'0')).take(3);
    let fraction = thousandths.fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0'));
    match whole {
        "1" if fraction == 0 => 1000,
        "0" => fraction,
        _ => 0,
    }
}
