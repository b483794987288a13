//! The headers of a page, and policies that a redirect URI cannot break out of.

use http::{StatusCode, header};

use super::{CONTENT_POLICY, html, html_leading_to, html_posting_to, sources};
use crate::{ErrorPage, View};

fn page() -> ErrorPage {
    ErrorPage::samples().remove(0)
}

#[test]
fn a_page_runs_nothing_and_cannot_be_framed() {
    let response = html(StatusCode::NOT_FOUND, &page());

    assert_eq!(response.status(), 404);
    assert_eq!(response.headers()[header::CONTENT_SECURITY_POLICY], CONTENT_POLICY);
    assert_eq!(response.headers()[header::X_FRAME_OPTIONS], "DENY");
    assert_eq!(response.headers()[header::REFERRER_POLICY], "no-referrer");
    assert_eq!(response.headers()[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
    assert_eq!(response.headers()["cross-origin-opener-policy"], "same-origin");
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
}

fn policy(response: &axum::response::Response) -> &str {
    response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap()
}

#[test]
fn a_form_may_lead_to_the_client_that_asked_and_on_from_there() {
    for (target, expected) in [
        ("https://app.example:8443/callback?x=1", "form-action 'self' https:; frame-ancestors"),
        ("http://127.0.0.1:9000/cb", "form-action 'self' https: http:; frame-ancestors"),
        ("com.example.app:/cb", "form-action 'self' https: com.example.app:; frame-ancestors"),
    ] {
        let response = html_leading_to(StatusCode::OK, &page(), target);

        assert!(policy(&response).contains(expected), "{target}");
        assert!(!policy(&response).contains("script-src"), "{target}");
    }
}

#[test]
fn a_window_that_goes_back_to_a_client_keeps_its_opener() {
    let response = html_leading_to(StatusCode::OK, &page(), "https://app.example/cb");

    assert!(!response.headers().contains_key("cross-origin-opener-policy"));
    assert_eq!(response.headers()[header::X_FRAME_OPTIONS], "DENY");
}

#[test]
fn only_the_page_that_posts_itself_runs_a_script() {
    let response = html_posting_to(StatusCode::OK, &page(), "https://app.example/cb");

    assert!(policy(&response).contains("script-src 'self'; form-action https:; frame-ancestors 'none'"));
}

#[test]
fn nothing_but_a_scheme_enters_the_policy() {
    let refused = ["", "/cb", "javascript:alert(1)", "DATA:text/html,x", "a b:/", "x;script-src *://y", "1a:/"];
    for target in refused {
        assert_eq!(sources(target), "https:", "{target}");
    }
    assert_eq!(sources("https://a;script-src *"), "https:");
}
