//! Headers as browsers, libraries and the careless send them.

use http::{HeaderMap, header};

use super::{JSON, names, prefers_html, takes};

fn accept(values: &[&str]) -> HeaderMap {
    values.iter().map(|value| (header::ACCEPT, value.parse().unwrap())).collect()
}

#[test]
fn a_type_is_named_only_letter_for_letter_and_above_zero() {
    for named in ["application/json", "Application/JSON; charset=utf-8; q=0.001", "text/html, application/json;q=1.000"]
    {
        assert!(names(&accept(&[named]), JSON), "{named}");
    }
    for other in
        ["", "*/*", "application/*", "application/json;q=0", "application/json;q=0.000", "application/json;q=x"]
    {
        assert!(!names(&accept(&[other]), JSON), "{other}");
    }
}

#[test]
fn several_accept_headers_count_as_one() {
    assert!(names(&accept(&["text/html", "application/json"]), JSON));
}

#[test]
fn a_browser_prefers_html() {
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

    assert!(prefers_html(&accept(&[browser])));
}

#[test]
fn a_json_type_with_a_higher_weight_outranks_html() {
    assert!(!prefers_html(&accept(&["text/html;q=0.5, application/json"])));
    assert!(!prefers_html(&accept(&["text/html;q=0.5, application/vnd.shop+json;version=1"])));
    assert!(prefers_html(&accept(&["text/html, application/problem+json;q=0.9"])));
}

#[test]
fn nobody_prefers_html_by_a_wildcard() {
    for wildcard in ["*/*", "text/*", "text/html;q=0", ""] {
        assert!(!prefers_html(&accept(&[wildcard])), "{wildcard}");
    }
    assert!(!prefers_html(&HeaderMap::new()));
}

#[test]
fn an_impossible_weight_accepts_nothing() {
    for weight in ["q=2", "q=1.5", "q=-1", "q=0.1234", "q=", "q=é"] {
        let header = format!("application/json;{weight}");
        assert!(!names(&accept(&[&header]), JSON), "{header}");
    }
}

#[test]
fn a_wildcard_takes_what_nothing_nearer_refuses() {
    let takes = |accept: &'static str| super::takes(&headers_with(accept), super::JSON);

    for accept in ["*/*", "application/*", "application/json", "text/html, */*;q=0.1", "Application/JSON;q=0.001"] {
        assert!(takes(accept), "{accept}");
    }
    for accept in
        ["text/html", "text/*", "application/json;q=0, */*", "*/*;q=0", "application/xml", "application/*;q=0, */*"]
    {
        assert!(!takes(accept), "{accept}");
    }
    assert!(super::takes(&http::HeaderMap::new(), super::JSON));
}

fn headers_with(accept: &'static str) -> http::HeaderMap {
    http::HeaderMap::from_iter([(http::header::ACCEPT, http::HeaderValue::from_static(accept))])
}

#[test]
fn an_empty_header_is_as_good_as_none() {
    for anything in [&[][..], &[""], &[" "], &[","], &["", ""], &["*/*"], &["application/*;q=0.1"]] {
        assert!(takes(&accept(anything), JSON), "{anything:?}");
    }
    for other in ["application/json;q=0", "application/json;q=0, */*", "text/html", ", text/html"] {
        assert!(!takes(&accept(&[other]), JSON), "{other}");
    }
}
