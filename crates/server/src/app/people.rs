//! People get a page where programs get a problem: only on addresses meant for browsers, only if they ask for HTML.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::{HeaderValue, Method, StatusCode, header};
use valetkey_endpoints::problems;
use valetkey_pages::error_page::{self, ErrorPage, Trouble};
use valetkey_pages::{Brand, Language};
use valetkey_rest::accept::prefers_html;
use valetkey_rest::problem::{Problem, ProblemType, for_status, is_bare_error};
use valetkey_rest::request_id::RequestId;

/// Addresses that programs call. They get problems whatever they accept.
const MACHINES: [&str; 12] = [
    "/api",
    "/token",
    "/introspect",
    "/revoke",
    "/device/code",
    "/userinfo",
    "/jwks",
    "/.well-known",
    "/metrics",
    "/healthz",
    "/readyz",
    "/static",
];

/// Shows an error as a page where a person is looking.
pub async fn show(State(brand): State<Arc<Brand>>, request: Request, next: Next) -> Response {
    let person = is_for_people(request.uri().path())
        && matches!(*request.method(), Method::GET | Method::HEAD | Method::POST)
        && prefers_html(request.headers());
    if !person {
        return next.run(request).await;
    }
    let id = request.extensions().get::<RequestId>().copied();
    let asked = Language::of_request(request.uri(), request.headers());
    let path = request.uri().path().to_owned();
    let mut response = next.run(request).await;
    let problem = response.extensions_mut().remove::<Problem>();
    if problem.is_none() && !is_bare_error(&response) {
        return response;
    }
    let language = response.extensions_mut().remove::<Language>().unwrap_or(asked);
    let status = response.status();
    let kind = problem.as_ref().map_or_else(|| for_status(status), Problem::kind);
    let mut view = ErrorPage::new(brand, language, status, trouble(&path, kind, status));
    if is_for_developers(status) {
        view = view.detail(problem.as_ref().and_then(Problem::detail_text).unwrap_or(kind.meaning));
    }
    if let Some(id) = id {
        view = view.request_id(id.to_string());
    }
    let mut page = error_page::page(&view);
    page.headers_mut().append(header::VARY, HeaderValue::from_static("Accept, Accept-Language"));
    // Allow, Retry-After and the like still belong to the answer.
    for (name, value) in response.headers() {
        if !page.headers().contains_key(name) && *name != header::CONTENT_LENGTH {
            page.headers_mut().append(name, value.clone());
        }
    }
    page
}

/// What a person has to know. At these addresses a malformed request is always of the same few kinds.
fn trouble(path: &str, kind: &ProblemType, status: StatusCode) -> Trouble {
    if *kind != problems::INVALID_REQUEST {
        return Trouble::of_status(status);
    }
    match path {
        "/authorize" => Trouble::App,
        "/login" | "/consent" => Trouble::Expired,
        "/logout" => Trouble::SignOut,
        // Back from another provider, and nothing waits.
        _ if path.starts_with("/login/") => Trouble::Expired,
        _ => Trouble::of_status(status),
    }
}

/// Can the maker of an app do something about it? Not where nothing is, and the server's own failures stay in its log.
fn is_for_developers(status: StatusCode) -> bool {
    status.is_client_error() && status != StatusCode::NOT_FOUND
}

fn is_for_people(path: &str) -> bool {
    !MACHINES
        .iter()
        .any(|machine| path.strip_prefix(machine).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}
