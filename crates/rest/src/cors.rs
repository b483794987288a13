//! Which pages of other origins may read our answers. Origins are listed one by one; there is no wildcard to configure.
//!
//! ```
//! use axum::{Router, body::Body, routing::get};
//! use http::Request;
//! use tower::ServiceExt;
//! use valetkey_rest::cors::CorsLayer;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let app = Router::new().route("/", get(|| async { "hello" })).layer(CorsLayer::new(["https://app.example"]));
//! let from = |origin| Request::get("/").header("origin", origin).body(Body::empty()).unwrap();
//!
//! let listed = app.clone().oneshot(from("https://app.example")).await.unwrap();
//! let other = app.oneshot(from("https://evil.example")).await.unwrap();
//!
//! assert_eq!(listed.headers()["access-control-allow-origin"], "https://app.example");
//! assert!(!other.headers().contains_key("access-control-allow-origin"));
//! # }
//! ```

use std::{
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use pin_project_lite::pin_project;
use tower::{Layer, Service};

#[cfg(test)]
mod tests;

/// What a page may send.
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
/// What a page may send along. `Authorization` must be named: a wildcard would not cover it.
const REQUEST_HEADERS: &str =
    "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, X-API-Key, X-API-Version";
/// What a page may read beyond the few headers that it may always read.
const RESPONSE_HEADERS: &str = "Accept-Patch, Allow, API-Warning, Deprecation, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-API-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";
/// How long a browser keeps the answer to a preflight, in seconds.
const MAX_AGE: &str = "600";

/// Lets pages of listed origins in. Belongs outside of everything that may refuse, so that pages can read refusals too.
#[derive(Debug, Clone)]
pub struct CorsLayer {
    origins: Arc<[HeaderValue]>,
}

impl CorsLayer {
    /// Lists the origins, each as a browser writes it: `https://app.example`, without a slash.
    ///
    /// `*` and `null` are left out: any page can have the origin `null`, and tokens are not for everyone.
    pub fn new<O: AsRef<str>>(origins: impl IntoIterator<Item = O>) -> Self {
        let origins = origins.into_iter().filter_map(|origin| {
            let origin = origin.as_ref().trim_end_matches('/');
            HeaderValue::from_str(origin).ok().filter(|_| origin.contains("://"))
        });
        Self { origins: origins.collect() }
    }

    /// The origin of the request, if it is listed. Byte for byte: browsers write origins in one way.
    fn listed(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let origin = headers.get(header::ORIGIN)?;
        self.origins.iter().find(|listed| *listed == origin).cloned()
    }
}

impl<S> Layer<S> for CorsLayer {
    type Service = CorsService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        CorsService { inner, layer: self.clone() }
    }
}

/// Made by [`CorsLayer`].
#[derive(Debug, Clone)]
pub struct CorsService<S> {
    inner: S,
    layer: CorsLayer,
}

impl<S, B> Service<Request<B>> for CorsService<S>
where
    S: Service<Request<B>>,
    S::Response: IntoResponse,
{
    type Response = Response;
    type Error = S::Error;
    type Future = CorsFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let origin = self.layer.listed(request.headers());
        let preflight = request.method() == Method::OPTIONS
            && request.headers().contains_key(header::ORIGIN)
            && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        // A preflight is the browser's own question: nobody behind this layer has anything to add.
        CorsFuture { inner: (!preflight).then(|| self.inner.call(request)), origin }
    }
}

pin_project! {
    /// Made by [`CorsService`].
    #[derive(Debug)]
    pub struct CorsFuture<F> {
        // Absent for a preflight.
        #[pin]
        inner: Option<F>,
        origin: Option<HeaderValue>,
    }
}

impl<F, R, E> Future for CorsFuture<F>
where
    F: Future<Output = Result<R, E>>,
    R: IntoResponse,
{
    type Output = Result<Response, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let (mut response, preflight) = match this.inner.as_pin_mut() {
            Some(inner) => (ready!(inner.poll(cx))?.into_response(), false),
            None => ((StatusCode::NO_CONTENT, Body::empty()).into_response(), true),
        };
        allow(response.headers_mut(), this.origin.take(), preflight);
        Poll::Ready(Ok(response))
    }
}

/// `Vary` is sent to everyone: a cache must not give a page of one origin the answer for another.
fn allow(headers: &mut HeaderMap, origin: Option<HeaderValue>, preflight: bool) {
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    let Some(origin) = origin else { return };
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    if preflight {
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static(REQUEST_HEADERS));
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(MAX_AGE));
    } else {
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(RESPONSE_HEADERS));
    }
}
