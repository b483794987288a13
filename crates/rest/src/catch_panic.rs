//! A panic becomes a 500 that the client can report, and a line in the log. Owns neither the log nor the answer's shape.
//!
//! It covers the work before the answer's first byte; a panic while a body streams still ends the connection.
//!
//! ```
//! use std::sync::Arc;
//! use axum::{Router, body::Body, routing::get};
//! use http::Request;
//! use tower::ServiceExt;
//! use valetkey_rest::catch_panic::CatchPanicLayer;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! async fn broken() -> &'static str {
//!     panic!("out of order")
//! }
//! let app = Router::new()
//!     .route("/", get(broken))
//!     .layer(CatchPanicLayer::new(Arc::new(|message| assert_eq!(message, "out of order"))));
//!
//! let answer = app.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
//!
//! assert_eq!(answer.status(), 500);
//! # }
//! ```

use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::response::{IntoResponse, Response};
use http::Request;
use pin_project_lite::pin_project;
use tower::{Layer, Service};

use crate::problem::{Problem, catalogue};

#[cfg(test)]
mod tests;

/// Told what a panic said; the place to count it and to log it.
pub type PanicHook = Arc<dyn Fn(&str) + Send + Sync>;

/// Keeps a panic of the inner service from closing the connection.
#[derive(Clone)]
pub struct CatchPanicLayer {
    hook: PanicHook,
}

impl CatchPanicLayer {
    /// Calls `hook` once for each panic.
    pub fn new(hook: PanicHook) -> Self {
        Self { hook }
    }
}

impl<S> Layer<S> for CatchPanicLayer {
    type Service = CatchPanicService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        CatchPanicService { inner, hook: self.hook.clone() }
    }
}

/// Made by [`CatchPanicLayer`].
#[derive(Clone)]
pub struct CatchPanicService<S> {
    inner: S,
    hook: PanicHook,
}

impl<S, B> Service<Request<B>> for CatchPanicService<S>
where
    S: Service<Request<B>>,
    S::Response: IntoResponse,
{
    type Response = Response;
    type Error = S::Error;
    type Future = CatchPanicFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // Unwind safety: services hold what is shared and nothing that changes, so that one that has panicked may be called again.
        let inner = match catch_unwind(AssertUnwindSafe(|| self.inner.call(request))) {
            Ok(future) => Some(future),
            Err(payload) => {
                (self.hook)(message(&*payload));
                None
            }
        };
        CatchPanicFuture { inner, hook: self.hook.clone() }
    }
}

pin_project! {
    /// Made by [`CatchPanicService`].
    pub struct CatchPanicFuture<F> {
        // Absent once a panic is known and only the answer is left to give.
        #[pin]
        inner: Option<F>,
        hook: PanicHook,
    }
}

impl<F, R, E> Future for CatchPanicFuture<F>
where
    F: Future<Output = Result<R, E>>,
    R: IntoResponse,
{
    type Output = Result<Response, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let answer = this.inner.as_pin_mut().map(|inner| catch_unwind(AssertUnwindSafe(|| inner.poll(cx))));
        match answer {
            Some(Ok(poll)) => poll.map_ok(IntoResponse::into_response),
            Some(Err(payload)) => {
                (this.hook)(message(&*payload));
                Poll::Ready(Ok(Problem::new(&catalogue::INTERNAL_ERROR).into_response()))
            }
            None => Poll::Ready(Ok(Problem::new(&catalogue::INTERNAL_ERROR).into_response())),
        }
    }
}

/// `panic!` carries a `&str` or a `String`; anything else came from `panic_any` and has no words.
fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a message")
}
