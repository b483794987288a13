//! Keys as clients send them, and what makes two requests the same.

use axum::response::IntoResponse;
use http::{HeaderMap, HeaderValue, Method};

use super::super::{
    IDEMPOTENCY_KEY, IdempotencyKey, fingerprint, fingerprint_of, key_required, key_reused, still_running,
};
use crate::problem::FieldCode;

fn key(lines: &[&[u8]]) -> Result<Option<String>, (u16, FieldCode)> {
    let headers: HeaderMap =
        lines.iter().map(|line| (IDEMPOTENCY_KEY, HeaderValue::from_bytes(line).unwrap())).collect();
    IdempotencyKey::from_headers(&headers)
        .map(|key| key.map(|key| key.as_str().to_owned()))
        .map_err(|problem| (problem.status_code().as_u16(), problem.fields()[0].code))
}

#[test]
fn a_quoted_key_is_the_same_as_a_bare_one() {
    assert_eq!(key(&[b"abc-1"]).unwrap().unwrap(), "abc-1");
    assert_eq!(key(&[b"\"abc-1\""]).unwrap().unwrap(), "abc-1");
    assert_eq!(key(&[br#""a\"b\\c""#]).unwrap().unwrap(), r#"a"b\c"#);
    assert_eq!(key(&[]).unwrap(), None);
}

#[test]
fn what_is_no_word_is_refused() {
    for text in
        [&b""[..], b" ", b"\"\"", b"a b", b"\"a b\"", b"\"a", b"\"a\"b", b"\"a\\x\"", b"\"\\", b"caf\xc3\xa9", b"a\tb"]
    {
        assert_eq!(key(&[text]), Err((400, FieldCode::InvalidFormat)), "{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn a_key_has_at_most_255_characters() {
    assert!(key(&["x".repeat(255).as_bytes()]).is_ok());
    assert_eq!(key(&["x".repeat(256).as_bytes()]), Err((400, FieldCode::TooLong)));
}

#[test]
fn two_keys_are_none() {
    assert_eq!(key(&[b"a", b"a"]), Err((400, FieldCode::Duplicate)));
}

#[test]
fn each_part_of_a_request_changes_its_fingerprint() {
    let first = fingerprint(&Method::POST, "/a", b"bc");

    assert_eq!(first, fingerprint(&Method::POST, "/a", b"bc"));
    assert_ne!(first, fingerprint(&Method::PUT, "/a", b"bc"));
    assert_ne!(first, fingerprint(&Method::POST, "/ab", b"c"));
    assert_ne!(first, fingerprint(&Method::POST, "/a", b"bcd"));
    let json = fingerprint(&Method::POST, "/a", br#"{"a":1,"b":[{"c":1,"d":2}]}"#);
    assert_eq!(json, fingerprint(&Method::POST, "/a", br#" { "b": [{"d":2, "c":1}], "a":1 }"#));
    assert_ne!(json, fingerprint(&Method::POST, "/a", br#"{"a":1,"b":[{"c":1,"d":"2"}]}"#));
    let read = serde_json::from_str(r#"{"b":[{"c":1,"d":2}],"a":1}"#).unwrap();
    assert_eq!(json, fingerprint_of(&Method::POST, "/a", &read));
}

#[test]
fn each_refusal_has_its_status() {
    assert_eq!(key_reused().status_code(), 422);
    assert_eq!(key_required().status_code(), 400);
    assert_eq!(still_running().status_code(), 409);
    assert_eq!(still_running().into_response().headers()["retry-after"], "1");
}
