//! What is left of a body is read before the answer goes: a connection on which a client is still sending would otherwise be
//! closed, and the answer, or the next request, lost with it. Bounded in bytes and in time.
//!
//! ```
//! use axum::{Router, routing::post};
//! use valetkey_rest::DrainLayer;
//!
//! // The handler reads no body; a client that sends one keeps its connection all the same.
//! let app: Router = Router::new().route("/", post(|| async { "done" })).layer(DrainLayer);
//! ```

use std::task::{Context, Poll};

use axum::{body::Body, response::Response};
use http::{Request, header};
use http_body::Body as _;
use tower::{Layer, Service};

mod future;
mod shared;

use future::DrainFuture;
use shared::Shared;

/// Reads what handlers left of a body. Belongs outside of everything that may refuse.
#[derive(Debug, Clone, Copy, Default)]
pub struct DrainLayer;

impl<S> Layer<S> for DrainLayer {
    type Service = DrainService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        DrainService { inner }
    }
}

/// Made by [`DrainLayer`].
#[derive(Debug, Clone)]
pub struct DrainService<S> {
    inner: S,
}

impl<S> Service<Request<Body>> for DrainService<S>
where
    S: Service<Request<Body>, Response = Response>,
{
    type Response = Response;
    type Error = S::Error;
    type Future = DrainFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // A client that waits to be told to go on sends nothing that would have to be read.
        if request.body().is_end_stream() || request.headers().contains_key(header::EXPECT) {
            return DrainFuture::Answering { answer: self.inner.call(request), rest: None };
        }
        let (parts, body) = request.into_parts();
        let shared = Shared::new(body);
        let rest = Some(shared.clone());
        DrainFuture::Answering { answer: self.inner.call(Request::from_parts(parts, Body::new(shared))), rest }
    }
}
