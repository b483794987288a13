//! People get a page where programs get a problem: only on addresses meant for browsers, only if they ask for HTML.

use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::Response;
use futures_util::future::{BoxFuture, Either};
use http::{HeaderValue, Method, StatusCode, header};
use tower::{Layer, Service};
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
#[derive(Clone)]
pub struct PeopleLayer(pub Arc<Brand>);

impl<S> Layer<S> for PeopleLayer {
    type Service = PeopleService<S>;

    fn layer(&self, inner: S) -> PeopleService<S> {
        PeopleService { inner, brand: self.0.clone() }
    }
}

/// Made by [`PeopleLayer`].
#[derive(Clone)]
pub struct PeopleService<S> {
    inner: S,
    brand: Arc<Brand>,
}

impl<S> Service<Request> for PeopleService<S>
where
    S: Service<Request, Response = Response>,
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Either<S::Future, BoxFuture<'static, Result<Response, S::Error>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        match Person::asking(&request) {
            None => Either::Left(self.inner.call(request)),
            Some(person) => {
                let (answer, brand) = (self.inner.call(request), self.brand.clone());
                Either::Right(Box::pin(async move { Ok(person.shown(answer.await?, brand)) }))
            }
        }
    }
}

/// Someone in front of a browser.
struct Person {
    id: Option<RequestId>,
    language: Language,
    path: String,
}

impl Person {
    fn asking(request: &Request) -> Option<Self> {
        let is_person = is_for_people(request.uri().path())
            && matches!(*request.method(), Method::GET | Method::HEAD | Method::POST)
            && prefers_html(request.headers());
        is_person.then(|| Self {
            id: request.extensions().get::<RequestId>().copied(),
            language: Language::of_request(request.uri(), request.headers()),
            path: request.uri().path().to_owned(),
        })
    }

    fn shown(self, mut response: Response, brand: Arc<Brand>) -> Response {
        let problem = response.extensions_mut().remove::<Problem>();
        if problem.is_none() && !is_bare_error(&response) {
            return response;
        }
        let language = response.extensions_mut().remove::<Language>().unwrap_or(self.language);
        let status = response.status();
        let kind = problem.as_ref().map_or_else(|| for_status(status), Problem::kind);
        let mut view = ErrorPage::new(brand, language, status, trouble(&self.path, kind, status));
        if is_for_developers(status) {
            view = view.detail(problem.as_ref().and_then(Problem::detail_text).unwrap_or(kind.meaning));
        }
        if let Some(id) = self.id {
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
