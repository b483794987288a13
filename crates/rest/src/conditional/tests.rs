//! Tags and lists of tags, sound and unsound.

use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::{ETag, IfMatch, IfNoneMatch, not_modified, precondition_failed, precondition_required};
use axum::response::IntoResponse;

fn headers(name: &HeaderName, lines: &[&str]) -> HeaderMap {
    lines.iter().map(|line| (name.clone(), HeaderValue::from_bytes(line.as_bytes()).unwrap())).collect()
}

fn if_match(lines: &[&str]) -> Option<IfMatch> {
    IfMatch::from_headers(&headers(&header::IF_MATCH, lines)).unwrap()
}

#[test]
fn a_tag_is_written_as_it_is_read() {
    for text in ["\"a\"", "W/\"a\"", "\"\"", "\"a,b\"", "W/\"!#~\""] {
        assert_eq!(ETag::parse(text).unwrap().to_string(), text);
    }
}

#[test]
fn what_is_no_tag_is_not_read() {
    for text in ["", "a", "\"a", "a\"", "w/\"a\"", "W/ \"a\"", "\"a b\"", "\"a\"x", "\"a\"\"", "*", "\"é\""] {
        assert_eq!(ETag::parse(text), None, "{text}");
    }
}

#[test]
fn a_list_may_stand_on_several_lines_and_have_commas_in_quotes() {
    let expected = IfMatch::Tags(vec![ETag::strong("a,b"), ETag::weak("c"), ETag::strong("d")]);

    assert_eq!(if_match(&["\"a,b\" ,W/\"c\"", ", \"d\","]), Some(expected));
    assert_eq!(if_match(&[" * "]), Some(IfMatch::Any));
    assert_eq!(if_match(&[]), None);
}

#[test]
fn an_unsound_list_is_refused_by_name() {
    for text in ["", ",", "a", "\"a\" \"b\"", "\"a\", *", "*, *", "\"a", "\"a\", b", "\"é\""] {
        let refused = IfMatch::from_headers(&headers(&header::IF_MATCH, &[text])).expect_err(text);
        assert_eq!((refused.status_code().as_u16(), &*refused.fields()[0].field), (400, "If-Match"), "{text}");

        let refused = IfNoneMatch::from_headers(&headers(&header::IF_NONE_MATCH, &[text])).expect_err(text);
        assert_eq!(&*refused.fields()[0].field, "If-None-Match");
    }
}

#[test]
fn if_match_compares_strongly_and_if_none_match_weakly() {
    let asked = if_match(&["\"a\", W/\"b\""]).unwrap();
    assert!(asked.matches(&ETag::strong("a")));
    assert!(!asked.matches(&ETag::weak("a")));
    assert!(!asked.matches(&ETag::strong("b")));
    assert!(IfMatch::Any.matches(&ETag::weak("x")));

    let asked = IfNoneMatch::from_headers(&headers(&header::IF_NONE_MATCH, &["\"a\", W/\"b\""])).unwrap().unwrap();
    assert!(asked.matches(&ETag::weak("a")) && asked.matches(&ETag::strong("b")));
    assert!(!asked.matches(&ETag::strong("c")));
}

#[test]
fn the_answers_carry_the_current_tag() {
    let etag = ETag::strong("5-v1");

    assert_eq!(not_modified(&etag).status(), 304);
    assert_eq!(not_modified(&etag).headers()["etag"], "\"5-v1\"");
    assert_eq!(precondition_failed(Some(&etag)).into_response().headers()["etag"], "\"5-v1\"");
    assert_eq!(precondition_failed(None).status_code(), 412);
    assert_eq!(precondition_required().status_code(), 428);
}

#[test]
fn a_tag_that_no_header_can_carry_breaks_no_header() {
    for opaque in ["a\r\nSet-Cookie: x", "a\"b", "é"] {
        assert_eq!(HeaderValue::from(&ETag::strong(opaque)), "W/\"\"");
    }
}
