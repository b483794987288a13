//! `Accept`: the case of letters is nothing, lines are one list, and the questions agree with each other.

use http::{HeaderMap, HeaderValue, header};
use valetkey_rest::accept::{HTML, JSON, PROBLEM_JSON, names, prefers_html, takes};
use valetkey_rest::prefer::Prefer;

use super::lines;

pub const WORDS: &[&str] = &[
    "text/html",
    "application/json",
    "application/problem+json",
    "*/*",
    "application/*",
    ";q=0",
    ";q=0.5",
    ";q=1.000",
    ";Q=0.001",
    ", ",
    "; ",
    "\"",
    "\\",
    "\n",
    ";v=\",\"",
    "return=minimal",
    "count=exact",
];

/// Each line is a line of the header.
pub fn check(data: &[u8]) {
    let values: Vec<HeaderValue> = lines(data).filter_map(|line| HeaderValue::from_bytes(line).ok()).collect();
    let asked = answers(values.iter().cloned());
    let turned = |value: &HeaderValue| {
        let bytes: Vec<u8> = value.as_bytes().iter().map(|byte| swap_case(*byte)).collect();
        HeaderValue::from_bytes(&bytes).unwrap()
    };
    assert_eq!(answers(values.iter().map(turned)), asked, "the case of letters");

    let texts: Vec<&str> = values.iter().filter_map(|value| value.to_str().ok()).collect();
    if texts.len() == values.len() && !texts.is_empty() && !texts.iter().any(|text| text.contains(['"', '\\'])) {
        let joined = HeaderValue::from_str(&texts.join(", ")).unwrap();
        assert_eq!(answers([joined].into_iter()), asked, "several lines are one list");
    }
}

fn swap_case(byte: u8) -> u8 {
    if byte.is_ascii_lowercase() { byte.to_ascii_uppercase() } else { byte.to_ascii_lowercase() }
}

fn answers(values: impl Iterator<Item = HeaderValue>) -> (Vec<bool>, bool) {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append("prefer", value.clone());
        headers.append(header::ACCEPT, value);
    }
    let _ = Prefer::from_headers(&headers);
    let mut found = Vec::new();
    for media_type in [HTML, JSON, PROBLEM_JSON] {
        assert!(takes(&headers, media_type) || !names(&headers, media_type), "what is named is taken");
        found.extend([names(&headers, media_type), takes(&headers, media_type)]);
    }
    assert!(!prefers_html(&headers) || names(&headers, HTML), "who prefers pages named them");
    (found, prefers_html(&headers))
}
