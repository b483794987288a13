//! The headers that every page carries. Owns the content policy: no script, no inline style, no frame, no foreign picture.

use askama::Template;
use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderName, HeaderValue, StatusCode, header};

#[cfg(test)]
mod tests;

/// What a page may load and where its forms may lead.
pub const CONTENT_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' data:; \
     form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Renders a page. A template that fails leaves an empty 500, for the problem layer to fill.
pub fn html(status: StatusCode, page: &impl Template) -> Response {
    let Ok(text) = page.render() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CONTENT_POLICY));
    response
}

/// Renders a page whose form is answered by a redirect to `target`, such as a client's redirect URI.
///
/// Browsers apply `form-action` to the redirect after a form too, so a consent page must name where it leads. Of `target`
/// only scheme and host are named. One that cannot stand in the policy is left out, and the browser stops the redirect.
pub fn html_leading_to(status: StatusCode, page: &impl Template, target: &str) -> Response {
    let mut response = html(status, page);
    let policy = source(target)
        .map(|source| CONTENT_POLICY.replacen("form-action 'self'", &format!("form-action 'self' {source}"), 1));
    if let Some(policy) = policy.and_then(|policy| HeaderValue::try_from(policy).ok()) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Renders a page whose form may be answered by a redirect out of the house, where `target` says so.
pub fn html_leading_on(status: StatusCode, page: &impl Template, target: Option<&str>) -> Response {
    match target {
        Some(target) => html_leading_to(status, page, target),
        None => html(status, page),
    }
}

/// Renders the page that posts itself to a client by our script. What the client answers may lead to any other address of
/// its own, and browsers apply `form-action` to that too, so every HTTPS address is allowed beside the target.
pub fn html_posting_to(status: StatusCode, page: &impl Template, target: &str) -> Response {
    let mut response = html_leading_to(status, page, target);
    let headers = response.headers_mut();
    let policy = headers
        .get(header::CONTENT_SECURITY_POLICY)
        .and_then(|policy| policy.to_str().ok())
        .map(|policy| policy.replacen("form-action 'self'", "script-src 'self'; form-action https:", 1));
    if let Some(policy) = policy.and_then(|policy| HeaderValue::try_from(policy).ok()) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The source expression for an address: its origin, or its scheme alone where an app has one of its own.
fn source(target: &str) -> Option<&str> {
    let (scheme, rest) = target.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    if !is_scheme || ["javascript", "data", "blob"].iter().any(|bad| scheme.eq_ignore_ascii_case(bad)) {
        return None;
    }
    let web = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    if !web {
        return Some(&target[..=scheme.len()]);
    }
    let host = rest.strip_prefix("//")?.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    // A policy has no source expression for an IPv6 literal: its brackets are outside the grammar.
    let plain = host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':'));
    if plain {
        Some(&target[..scheme.len() + 3 + host.len()])
    } else {
        host.starts_with('[').then_some(&target[..=scheme.len()])
    }
}
