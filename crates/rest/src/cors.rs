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
    fmt, mem,
    sync::Arc,
    task::{Context, Poll},
};

pub use async_trait::async_trait;

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use tower::{Layer, Service};

use crate::answering::{Answering, Touch};

#[cfg(test)]
mod tests;

/// What a page may send.
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
/// What a page may send along. `Authorization` must be named: a wildcard would not cover it.
const REQUEST_HEADERS: &str = "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, MCP-Protocol-Version, Prefer, X-API-Key, X-API-Version";
/// What a page may read beyond the few headers that it may always read.
const RESPONSE_HEADERS: &str = "Accept-Patch, Allow, API-Warning, Deprecation, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-API-Version, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";
/// How long a browser keeps the answer to a preflight, in seconds.
const MAX_AGE: &str = "600";

/// Which client an answer is for. Whoever knows it leaves it among the extensions of the answer, if the request has an
/// `Origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForClient(pub Arc<str>);

/// Origins that clients have registered for themselves.
#[async_trait]
pub trait Origins: Send + Sync {
    /// May a page of this origin read an answer for this client? Where nobody knows the client, as in a preflight: is the
    /// origin any client's?
    async fn allow(&self, origin: &str, client: Option<&str>) -> bool;
}

/// Lets pages of listed origins in. Belongs outside of everything that may refuse, so that pages can read refusals too.
#[derive(Clone)]
pub struct CorsLayer(Arc<Rules>);

/// One count for each request that holds them.
#[derive(Clone)]
struct Rules {
    listed: Vec<HeaderValue>,
    registered: Option<Arc<dyn Origins>>,
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
        Self(Arc::new(Rules { listed: origins.collect(), registered: None }))
    }

    /// Lets in also what clients have registered, each for answers of its own.
    #[must_use]
    pub fn registered(mut self, origins: Arc<dyn Origins>) -> Self {
        Arc::make_mut(&mut self.0).registered = Some(origins);
        self
    }

    /// May a page of this origin read an answer for this client? Byte for byte: browsers write origins in one way.
    async fn allows(&self, origin: &HeaderValue, client: Option<&str>) -> bool {
        if self.0.listed.iter().any(|listed| listed == origin) {
            return true;
        }
        let Some(registered) = &self.0.registered else { return false };
        match origin.to_str() {
            Ok(origin) if origin.contains("://") => registered.allow(origin, client).await,
            Ok(_) | Err(_) => false,
        }
    }
}

impl fmt::Debug for CorsLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CorsLayer").field("origins", &self.0.listed).finish_non_exhaustive()
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
    S: Service<Request<B>> + Clone + Send + 'static,
    S::Response: IntoResponse,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Answering<S::Future, S::Error, Varying>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let Some(origin) = request.headers().get(header::ORIGIN).cloned() else {
            return Answering::through(self.inner.call(request), Varying(!self.layer.0.listed.is_empty()));
        };
        let clone = self.inner.clone();
        let (mut inner, layer) = (mem::replace(&mut self.inner, clone), self.layer.clone());
        // A preflight is the browser's own question: nobody behind this layer has anything to add.
        let preflight = request.method() == Method::OPTIONS
            && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
        let later = Box::pin(async move {
            let mut response = match preflight {
                true => (StatusCode::NO_CONTENT, Body::empty()).into_response(),
                false => inner.call(request).await?.into_response(),
            };
            let client = response.extensions().get::<ForClient>().cloned();
            let allowed = layer.allows(&origin, client.as_ref().map(|client| &*client.0)).await;
            allow(response.headers_mut(), allowed.then_some(origin), preflight);
            Ok(response)
        });
        Answering::Waiting { later }
    }
}

/// Would the answer be another one for a page of some origin?
pub struct Varying(bool);

impl Touch for Varying {
    fn touch(self, response: &mut Response) {
        if self.0 {
            response.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
        }
    }
}

/// `Vary` is sent whether or not: a cache must not give a page of one origin the answer for another.
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
