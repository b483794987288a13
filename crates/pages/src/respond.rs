//! The headers that every page carries. Owns the content policy: no script (but for three pages), no inline style, no frame, no foreign picture.

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

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (OPENER_POLICY, "same-origin"),
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
/// Chromium applies `form-action` to every redirect after a form, also to those that the client answers with: a callback on
/// one host that leads to an app on another would end in a blocked page. So the policy allows HTTPS and the scheme of
/// `target`, whatever the host. A scheme that may not stand there is left out, and the browser stops the redirect.
///
/// A client may have opened the page in a window of its own and wait for it to come back, so the window keeps its opener.
pub fn html_leading_to(status: StatusCode, page: &impl Template, target: &str) -> Response {
    html_within(status, page, leading(&sources(target)))
}

/// Renders a page whose forms may be answered by redirects out of the house, to one of these.
pub fn html_leading_on(status: StatusCode, page: &impl Template, targets: &[String]) -> Response {
    if targets.is_empty() {
        return html(status, page);
    }
    let mut all: Vec<String> = Vec::new();
    for source in targets.iter().flat_map(|target| sources(target).split(' ').map(str::to_owned).collect::<Vec<_>>()) {
        if !all.contains(&source) {
            all.push(source);
        }
    }
    html_within(status, page, leading(&all.join(" ")))
}

/// Renders the page that posts itself to `target` by our script.
pub fn html_posting_to(status: StatusCode, page: &impl Template, target: &str) -> Response {
    let form_action = format!("script-src 'self'; form-action {}", sources(target));
    html_within(status, page, CONTENT_POLICY.replacen("form-action 'self'", &form_action, 1))
}

/// Renders a page that runs our script, which may ask this server and no other.
pub fn html_with_script(status: StatusCode, page: &impl Template) -> Response {
    let policy = CONTENT_POLICY.replacen("style-src", "script-src 'self'; connect-src 'self'; style-src", 1);
    let mut response = html(status, page);
    if let Ok(policy) = HeaderValue::try_from(policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Tells a program too how long to wait before it tries again.
pub fn asking_to_wait(mut response: Response, seconds: u64) -> Response {
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds.max(1)));
    response
}

fn leading(sources: &str) -> String {
    CONTENT_POLICY.replacen("form-action 'self'", &format!("form-action 'self' {sources}"), 1)
}

fn html_within(status: StatusCode, page: &impl Template, policy: String) -> Response {
    let mut response = html(status, page);
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::try_from(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.remove(OPENER_POLICY);
    response
}

/// The source expressions for an address: HTTPS, and beside it the scheme of a local server or of an app.
fn sources(target: &str) -> String {
    match scheme(target) {
        Some(scheme) if scheme != "https" => format!("https: {scheme}:"),
        Some(_) | None => "https:".to_owned(),
    }
}

/// The scheme of an address, if forms may lead there. Only its own few characters enter the policy.
fn scheme(target: &str) -> Option<String> {
    let scheme = target.split_once(':')?.0.to_ascii_lowercase();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    (is_scheme && !["javascript", "data", "blob"].contains(&scheme.as_str())).then_some(scheme)
}
