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

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{body::Body, response::Response};
use bytes::Bytes;
use http::{HeaderValue, Request, header};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tower::{Layer, Service};

/// So much is read and thrown away.
const MOST: usize = 256 * 1024;
/// Whoever sends more slowly than this is not waited for.
const PATIENCE: Duration = Duration::from_millis(500);

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
    S::Future: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // A client that waits to be told to go on sends nothing that would have to be read.
        if request.body().is_end_stream() || request.headers().contains_key(header::EXPECT) {
            return Box::pin(self.inner.call(request));
        }
        let (parts, body) = request.into_parts();
        let shared = Shared(Arc::new(Mutex::new(body)));
        let rest = shared.clone();
        let answer = self.inner.call(Request::from_parts(parts, Body::new(shared)));
        Box::pin(async move {
            let mut response = answer.await?;
            if !tokio::time::timeout(PATIENCE, rest.drain()).await.unwrap_or(false) {
                response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response)
        })
    }
}

/// A body that two can hold: the handler that reads it, and the layer that reads what is left.
#[derive(Clone)]
struct Shared(Arc<Mutex<Body>>);

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Body> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads to the end; answers whether it was reached.
    async fn drain(&self) -> bool {
        let mut read = 0;
        while !self.lock().is_end_stream() {
            match poll_fn(|cx| Pin::new(&mut *self.lock()).poll_frame(cx)).await {
                Some(Ok(frame)) => read += frame.data_ref().map_or(0, Bytes::len),
                Some(Err(_)) => return false,
                None => return true,
            }
            if read > MOST {
                return false;
            }
        }
        true
    }
}

impl HttpBody for Shared {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut *self.lock()).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.lock().size_hint()
    }
}
