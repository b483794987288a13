//! Parameters of paging, addresses of neighbours, the envelope, and cursors in the wrong hands.

use axum::response::IntoResponse;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::cursor::{CursorKey, MAX_LENGTH};
use super::{Page, Paging, with_parameter};
use crate::{
    problem::FieldCode::{self, InvalidFormat, NotAllowed, OutOfRange},
    query::ListQuery,
};

fn paging(raw: &str) -> Paging {
    ListQuery::parse(Some(raw)).expect(raw).paging
}

fn refusal(raw: &str) -> Vec<(String, FieldCode)> {
    let problem = ListQuery::parse(Some(raw)).expect_err(raw);
    problem.fields().iter().map(|error| (error.field.to_string(), error.code)).collect()
}

#[test]
fn each_way_of_paging_is_told_by_its_parameters() {
    let cursor = |text: &str, limit| Paging::Cursor { cursor: Some(text.to_owned()), limit };
    for (raw, expected) in [
        ("cursor=abc", cursor("abc", 20)),
        ("cursor=abc&limit=3", cursor("abc", 3)),
        ("limit=3", Paging::Cursor { cursor: None, limit: 3 }),
        ("offset=0", Paging::Offset { offset: 0, limit: 20 }),
        ("offset=40&limit=7", Paging::Offset { offset: 40, limit: 7 }),
        ("offset=9007199254740992", Paging::Offset { offset: 1 << 53, limit: 20 }),
        ("page=3", Paging::Page { page: 3, size: 20 }),
        ("page=3&size=5", Paging::Page { page: 3, size: 5 }),
        ("size=5", Paging::Page { page: 1, size: 5 }),
    ] {
        assert_eq!(paging(raw), expected, "{raw}");
    }
}

#[test]
fn a_size_beyond_the_largest_is_coerced() {
    for raw in ["limit=100", "limit=101", "size=4294967296", "limit=99999999999999999999999", "offset=1&limit=00500"] {
        assert_eq!(paging(raw).per_page(), 100, "{raw}");
    }
}

#[test]
fn what_is_no_number_and_what_is_out_of_range_are_told_apart() {
    for (raw, field, code) in [
        ("limit=0", "limit", OutOfRange),
        ("limit=-1", "limit", OutOfRange),
        ("limit=", "limit", InvalidFormat),
        ("limit=ten", "limit", InvalidFormat),
        ("limit=1.5", "limit", InvalidFormat),
        ("limit=%2B5", "limit", InvalidFormat),
        ("limit=٣", "limit", InvalidFormat),
        ("size=0", "size", OutOfRange),
        ("page=0", "page", OutOfRange),
        ("page=-0", "page", OutOfRange),
        ("offset=-1", "offset", OutOfRange),
        ("offset=x", "offset", InvalidFormat),
        ("offset=9007199254740993", "offset", OutOfRange),
        ("offset=99999999999999999999999", "offset", OutOfRange),
        ("page=99999999999999999999999", "page", OutOfRange),
        ("page=900719925474099200&size=1", "page", OutOfRange),
        ("cursor=", "cursor", InvalidFormat),
    ] {
        assert_eq!(refusal(raw), [(field.to_owned(), code)], "{raw}");
    }
}

#[test]
fn two_ways_of_paging_at_once_are_refused_by_name() {
    for (raw, names) in [
        ("cursor=a&offset=1", vec!["cursor", "offset"]),
        ("cursor=a&page=1", vec!["cursor", "page"]),
        ("cursor=a&size=1", vec!["cursor", "size"]),
        ("offset=1&page=1", vec!["offset", "page"]),
        ("limit=1&page=1", vec!["limit", "page"]),
        ("limit=1&size=1", vec!["limit", "size"]),
        ("cursor=a&offset=1&page=1&limit=1&size=1", vec!["cursor", "limit", "offset", "page", "size"]),
    ] {
        let expected: Vec<_> = names.into_iter().map(|name| (name.to_owned(), NotAllowed)).collect();

        assert_eq!(refusal(raw), expected, "{raw}");
    }
}

#[test]
fn a_neighbour_keeps_the_rest_of_the_query() {
    for (before, changes, after) in [
        ("/a?x=1&cursor=old&y=%20", &[("cursor", Some("new"))][..], "/a?x=1&y=%20&cursor=new"),
        ("/a?%63ursor=old", &[("cursor", Some("new"))], "/a?cursor=new"),
        ("/a?cursor=old", &[("cursor", None)], "/a"),
        ("/a?cursor=old&x", &[("cursor", None)], "/a?x"),
        ("/a", &[("offset", Some("20")), ("limit", Some("1&2=3"))], "/a?offset=20&limit=1%262%3D3"),
        ("/a?&&", &[], "/a"),
    ] {
        assert_eq!(with_parameter(before, changes), after);
    }
}

#[tokio::test]
async fn the_envelope_says_null_for_what_is_absent_and_links_what_is_there() {
    let page = Page::new(vec![1, 2], &paging("limit=2"), "/n?limit=2").next("/n?limit=2&cursor=x").first("/n?limit=2");

    let answer = page.into_response();

    assert_eq!(answer.headers()["link"], r#"</n?limit=2&cursor=x>; rel="next", </n?limit=2>; rel="first""#);
    let body = axum::body::to_bytes(answer.into_body(), 4096).await.unwrap();
    assert_eq!(
        serde_json::from_slice::<Value>(&body).unwrap(),
        json!({
            "data": [1, 2],
            "meta": {"total": null, "page": null, "per_page": 2},
            "links": {"self": "/n?limit=2", "next": "/n?limit=2&cursor=x", "prev": null},
        })
    );
}

#[tokio::test]
async fn a_lonely_page_has_no_link_header() {
    let answer = Page::new(Vec::<u8>::new(), &paging("page=4&size=9"), "/n").total(0).into_response();

    assert!(!answer.headers().contains_key("link"));
    let body = axum::body::to_bytes(answer.into_body(), 4096).await.unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&body).unwrap()["meta"], json!({"total": 0, "page": 4, "per_page": 9}));
}

#[test]
fn a_cursor_of_another_key_or_context_does_not_open() {
    let key = CursorKey::new([1; 32]);
    let cursor = key.seal(b"query", b"place");

    assert_eq!(key.open(b"query", &cursor).unwrap(), b"place");
    assert_eq!(CursorKey::new([2; 32]).open(b"query", &cursor), None);
    assert_eq!(key.open(b"queryp", &key.seal(b"query", b"place")), None);
    assert_eq!(key.open(b"", &cursor), None);
}

#[test]
fn the_same_place_gives_the_same_cursor_and_context_and_content_do_not_blur() {
    let key = CursorKey::new([1; 32]);

    assert_eq!(key.seal(b"a", b"b"), key.seal(b"a", b"b"));
    assert_ne!(key.seal(b"ab", b"")[..16], key.seal(b"a", b"b")[..16]);
}

#[test]
fn a_changed_cursor_does_not_open() {
    let key = CursorKey::new([1; 32]);
    let cursor = key.seal(b"query", b"place");
    for at in 0..cursor.len() {
        let mut changed = cursor.clone().into_bytes();
        changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };

        assert_eq!(key.open(b"query", std::str::from_utf8(&changed).unwrap()), None);
    }
}

#[test]
fn a_long_cursor_is_not_even_decoded() {
    let key = CursorKey::new([1; 32]);
    // Four letters for three bytes, of which the nonce and the tag take 28.
    let most = MAX_LENGTH / 4 * 3 - 28;

    assert_eq!(key.open(b"", &key.seal(b"", &vec![0; most])).unwrap().len(), most);
    assert_eq!(key.open(b"", &key.seal(b"", &vec![0; most + 1])), None);
}

proptest! {
    #[test]
    fn any_content_comes_back(context: Vec<u8>, content: Vec<u8>) {
        let key = CursorKey::new([3; 32]);
        prop_assert_eq!(key.open(&context, &key.seal(&context, &content)), Some(content));
    }

    #[test]
    fn no_text_opens(text in ".{0,60}") {
        prop_assert_eq!(CursorKey::new([3; 32]).open(b"", &text), None);
    }

    #[test]
    fn no_address_makes_it_panic(address in ".{0,60}", value in ".{0,20}") {
        let _ = with_parameter(&address, &[("cursor", Some(&value)), ("é", None)]);
    }
}
