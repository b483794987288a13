//! Tokens in a query are refused, on any path: URLs end up in logs, histories and `Referer` headers.
//!
//! ```
//! use axum::{Router, body::Body, routing::get};
//! use http::Request;
//! use tower::ServiceExt;
//! use valetkey_rest::token_in_url::TokenInUrlLayer;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let app = Router::new().route("/users", get(|| async { "[]" })).layer(TokenInUrlLayer);
//!
//! let answer = app.oneshot(Request::get("/users?token=vk_at_x").body(Body::empty()).unwrap()).await.unwrap();
//!
//! assert_eq!(answer.status(), 400);
//! # }
//! ```

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use axum::response::{IntoResponse, Response};
use http::Request;
use pin_project_lite::pin_project;
use tower::{Layer, Service};

use crate::{
    form::spells,
    problem::{Problem, catalogue},
};

#[cfg(test)]
mod tests;

/// The parameter names that are refused.
pub const REFUSED: [&str; 2] = ["token", "access_token"];

/// Whether a raw query has a parameter that carries a token, however its name is spelled in percent escapes.
pub fn carries_token(query: &str) -> bool {
    query.split('&').any(|pair| {
        let name = pair.split('=').next().unwrap_or_default();
        REFUSED.iter().any(|refused| spells(name.as_bytes(), refused))
    })
}

/// Answers with the problem `token-in-url` before the inner service sees the request.
#[derive(Debug, Clone, Copy, Default)]
pub struct TokenInUrlLayer;

impl<S> Layer<S> for TokenInUrlLayer {
    type Service = TokenInUrlService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        TokenInUrlService { inner }
    }
}

/// Made by [`TokenInUrlLayer`].
#[derive(Debug, Clone)]
pub struct TokenInUrlService<S> {
    inner: S,
}

impl<S, B> Service<Request<B>> for TokenInUrlService<S>
where
    S: Service<Request<B>>,
    S::Response: IntoResponse,
{
    type Response = Response;
    type Error = S::Error;
    type Future = TokenInUrlFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let refused = request.uri().query().is_some_and(carries_token);
        TokenInUrlFuture { inner: (!refused).then(|| self.inner.call(request)) }
    }
}

pin_project! {
    /// Made by [`TokenInUrlService`].
    #[derive(Debug)]
    pub struct TokenInUrlFuture<F> {
        // Absent when the request was refused and the inner service was never called.
        #[pin]
        inner: Option<F>,
    }
}

impl<F, R, E> Future for TokenInUrlFuture<F>
where
    F: Future<Output = Result<R, E>>,
    R: IntoResponse,
{
    type Output = Result<Response, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project().inner.as_pin_mut() {
            Some(inner) => inner.poll(cx).map_ok(IntoResponse::into_response),
            // The word of RFC 6750 §3.1, for programs that read errors of OAuth and no others.
            None => {
                Poll::Ready(Ok(Problem::new(&catalogue::TOKEN_IN_URL).error_code("invalid_request").into_response()))
            }
        }
    }
}
