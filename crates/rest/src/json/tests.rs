//! Bodies that are read, and every way in which one is not.

use http::{HeaderMap, HeaderValue, header};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{ACCEPT_POST, MAX_VALUES, extract::decode, parse, read};
use crate::problem::{FieldCode, Problem};
use axum::response::IntoResponse;

fn announced(media_type: &'static str) -> HeaderMap {
    HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(media_type))])
}

fn detail(problem: &Problem) -> &str {
    problem.detail_text().unwrap()
}

#[test]
fn a_body_is_read_as_it_stands() {
    let body = br#" {"a": [1, -2, 1.5, true, null, "x\u00e9"], "b": {}} "#;

    assert_eq!(parse(body).unwrap(), json!({"a": [1, -2, 1.5, true, null, "xé"], "b": {}}));
    assert_eq!(parse(b"9007199254740993").unwrap(), json!(9007199254740993_u64));
    assert_eq!(parse(b"\"text\"").unwrap(), json!("text"));
}

#[test]
fn only_application_json_is_read() {
    for fine in ["application/json", "Application/JSON", "application/json;charset=UTF-8", "application/json; q=\"1\""]
    {
        assert!(read(&announced(fine), b"{}").is_ok(), "{fine}");
    }
    for wrong in ["text/json", "application/ld+json", "application/json; charset=latin1", "json", "", "text/plain"] {
        let refused = read(&announced(wrong), b"{}").unwrap_err();

        assert_eq!(refused.status_code(), 415, "{wrong}");
        assert_eq!(refused.into_response().headers()[ACCEPT_POST], "application/json");
    }
}

#[test]
fn a_body_without_a_media_type_is_not_guessed_at() {
    assert_eq!(read(&HeaderMap::new(), b"{}").unwrap_err().status_code(), 415);
    assert_eq!(read(&HeaderMap::new(), b"").unwrap_err().status_code(), 400);
}

#[test]
fn two_content_types_are_refused() {
    let mut headers = announced("application/json");
    headers.append(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));

    assert_eq!(read(&headers, b"{}").unwrap_err().status_code(), 415);
}

#[test]
fn a_syntax_error_names_line_and_column() {
    for (body, place) in [
        (&b"{\n \"a\": 1,\n}"[..], "line 3, column 1"),
        (b"{\"a\" 1}", "line 1, column 6"),
        (b"[1", "line 1, column 2"),
        (b"{} x", "line 1, column 4"),
        (b"\"\\ud800\"", "line 1"),
        (b"\xef\xbb\xbf{}", "line 1, column 1"),
    ] {
        let refused = parse(body).unwrap_err();

        assert_eq!(refused.status_code(), 400);
        assert!(detail(&refused).contains(place), "{:?} {}", String::from_utf8_lossy(body), detail(&refused));
    }
}

#[test]
fn a_number_beyond_all_is_json_and_no_value() {
    let refused = parse(b"{\"a\": {\"b/c\": [1, 1e999]}}").unwrap_err();

    assert_eq!(refused.status_code(), 422);
    assert_eq!((&*refused.fields()[0].field, refused.fields()[0].code), ("a.b/c.1", FieldCode::OutOfRange));
}

#[test]
fn bytes_that_are_not_utf8_are_named_by_their_place() {
    let refused = parse(b"{\n\"a\": \"\xff\"}").unwrap_err();

    assert_eq!(detail(&refused), "The body is not UTF-8: see line 2, column 7.");
}

#[test]
fn an_empty_body_is_called_empty() {
    for body in [&b""[..], b" \n\t"] {
        assert!(detail(&parse(body).unwrap_err()).contains("empty"));
    }
}

#[test]
fn thirty_two_levels_are_read_and_one_more_is_not() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));

    assert!(parse(nested(32).as_bytes()).is_ok());
    for levels in [33, 127, 200, 1_000_000] {
        let refused = parse(nested(levels).as_bytes()).unwrap_err();

        assert_eq!(refused.status_code(), 400);
        assert!(detail(&refused).contains("deeper than 32"), "{}", detail(&refused));
    }
}

#[test]
fn a_key_that_comes_twice_is_named_with_its_place() {
    let refused = parse(br#"{"a": [{"x": 1}, {"y/z": 1, "b": {}, "\u0079/z": 2}]}"#).unwrap_err();

    assert_eq!(refused.status_code(), 400);
    assert_eq!(refused.fields()[0].field, "a.1.y/z");
    assert_eq!(refused.fields()[0].code, FieldCode::Duplicate);
    assert_eq!(refused.fields()[0].pointer.as_deref(), Some("/a/1/y~1z"));
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct User {
    name: String,
    age: Option<u8>,
    address: Option<Address>,
    tags: Option<Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[allow(dead_code)]
struct Address {
    city: String,
}

#[test]
fn a_field_that_does_not_fit_is_named_by_its_path() {
    use FieldCode::{InvalidType, InvalidValue, Required, Unknown};
    for (body, status, field, code) in [
        (r#"{}"#, 400, "name", Required),
        (r#"{"age": 3}"#, 400, "name", Required),
        (r#"{"name": "A", "address": {}}"#, 400, "address.city", Required),
        (r#"{"name": "A", "address": {"zip": "\"}"}, "age": 1}"#, 400, "address.city", Required),
        (r#"{"name": 5}"#, 422, "name", InvalidType),
        (r#"{"name": "A", "age": 300}"#, 422, "age", InvalidValue),
        (r#"{"name": "A", "tags": ["a", "b", 3]}"#, 422, "tags.2", InvalidType),
        (r#"{"name": "A", "nick": "B"}"#, 422, "nick", Unknown),
        (r#"{"name": "A", "address": 5}"#, 422, "address", InvalidType),
    ] {
        let refused = decode::<User>(body.as_bytes()).unwrap_err();

        assert_eq!(refused.status_code(), status, "{body}");
        assert_eq!((&*refused.fields()[0].field, refused.fields()[0].code), (field, code), "{body}");
        assert!(!detail(&refused).contains("Address"));
    }
}

#[test]
fn a_type_that_would_take_the_last_of_two_keys_gets_neither() {
    assert_eq!(decode::<Value>(br#"{"a": 1, "a": 2}"#).unwrap_err().fields()[0].code, FieldCode::Duplicate);
}

#[test]
fn forty_five_thousand_values_are_read_and_one_more_is_not() {
    let list = |count: usize| format!("[{}]", vec!["[]"; count].join(","));

    let read = parse(list(MAX_VALUES - 1).as_bytes()).unwrap();
    let refused = parse(list(MAX_VALUES).as_bytes()).unwrap_err();

    assert_eq!(read.as_array().unwrap().len(), MAX_VALUES - 1);
    assert_eq!(refused.status_code(), 413);
    assert!(detail(&refused).contains("more than 45000 values"), "{refused}");
}
