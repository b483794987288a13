//! The headers of a page, and policies that a redirect URI cannot break out of.

use http::{StatusCode, header};

use super::{CONTENT_POLICY, html, html_leading_to, source};
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

#[test]
fn a_form_may_lead_to_the_client_that_asked() {
    let response = html_leading_to(StatusCode::OK, &page(), "https://app.example:8443/callback?x=1");

    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.contains("form-action 'self' https://app.example:8443; frame-ancestors"), "{policy}");
}

#[test]
fn only_scheme_and_host_of_a_target_enter_the_policy() {
    assert_eq!(source("http://127.0.0.1:9000/cb"), Some("http://127.0.0.1:9000"));
    assert_eq!(source("http://[::1]:9000/cb"), Some("http:"));
    assert_eq!(source("com.example.app:/cb"), Some("com.example.app:"));
    let refused = [
        "",
        "/cb",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://a;script-src *",
        "https://u@h/",
        "https:///x",
        "a b:/",
    ];
    for target in refused {
        assert_eq!(source(target), None, "{target}");
    }
}
