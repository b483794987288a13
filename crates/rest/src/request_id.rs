//! One id for each request: in the `X-Request-Id` header, in the log line and as `instance` of a problem.
//!
//! An inbound header of that name is ignored, so that nobody chooses what stands in our log.
//!
//! ```
//! use std::sync::Arc;
//! use axum::{Extension, Router, body::Body, routing::get};
//! use http::Request;
//! use tower::ServiceExt;
//! use valetkey_rest::request_id::{RequestId, RequestIdLayer};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let app = Router::new()
//!     .route("/", get(|Extension(id): Extension<RequestId>| async move { id.to_string() }))
//!     .layer(RequestIdLayer::new(Arc::new(|| uuid::Uuid::from_u128(7))));
//!
//! let answer = app.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
//!
//! assert_eq!(answer.headers()["x-request-id"], "00000000-0000-0000-0000-000000000007");
//! # }
//! ```

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use http::{HeaderName, HeaderValue, Request, Response};
use pin_project_lite::pin_project;
use tower::{Layer, Service};
use uuid::{Uuid, fmt::Urn};

/// The header that tells the client the id.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Where ids come from. Ids that grow with time keep log and database indexes in order.
pub type RequestIdSource = Arc<dyn Fn() -> Uuid + Send + Sync>;

/// The id of one request, found in the extensions of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestId(pub Uuid);

impl RequestId {
    /// The form that stands in `instance`: `urn:uuid:<id>`.
    pub fn urn(self) -> Urn {
        self.0.urn()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<RequestId> for HeaderValue {
    fn from(id: RequestId) -> Self {
        let mut text = Uuid::encode_buffer();
        // Hexadecimal digits and hyphens always make a header value.
        HeaderValue::from_str(id.0.hyphenated().encode_lower(&mut text)).unwrap_or(HeaderValue::from_static(""))
    }
}

/// Gives every request an id.
#[derive(Clone)]
pub struct RequestIdLayer {
    source: RequestIdSource,
}

impl RequestIdLayer {
    /// Takes ids from `source`.
    pub fn new(source: RequestIdSource) -> Self {
        Self { source }
    }
}

impl<S> Layer<S> for RequestIdLayer {
    type Service = RequestIdService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        RequestIdService { inner, source: self.source.clone() }
    }
}

/// Made by [`RequestIdLayer`].
#[derive(Clone)]
pub struct RequestIdService<S> {
    inner: S,
    source: RequestIdSource,
}

impl<S, B, R> Service<Request<B>> for RequestIdService<S>
where
    S: Service<Request<B>, Response = Response<R>>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = RequestIdFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let id = RequestId((self.source)());
        request.extensions_mut().insert(id);
        RequestIdFuture { inner: self.inner.call(request), id }
    }
}

pin_project! {
    /// Made by [`RequestIdService`].
    #[derive(Debug)]
    pub struct RequestIdFuture<F> {
        #[pin]
        inner: F,
        id: RequestId,
    }
}

impl<F, R, E> Future for RequestIdFuture<F>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = Result<Response<R>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let answer = ready!(this.inner.poll(cx));
        Poll::Ready(answer.map(|mut answer| {
            answer.headers_mut().insert(X_REQUEST_ID, (*this.id).into());
            answer
        }))
    }
}
