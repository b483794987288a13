//! The layer and its service: counts, then lets the request on or not, and writes the headers either way.

use std::{
    fmt,
    future::Future,
    mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::response::{IntoResponse, Response};
use http::{Request, request::Parts};
use tower::{Layer, Service};

use super::{Counter, KeyOf, LIMIT, Quota, Verdict};
use crate::Clock;

/// Limits how often each caller may ask.
#[derive(Clone)]
pub struct RateLimitLayer {
    quota: Quota,
    key_of: KeyOf,
    counter: Arc<dyn Counter>,
    clock: Clock,
    /// Are only answers counted that nobody counted further in?
    is_rest: bool,
}

impl RateLimitLayer {
    /// Counts with `counter` whoever `key_of` names. Two layers that share a counter need keys that differ.
    pub fn new(quota: Quota, key_of: KeyOf, counter: Arc<dyn Counter>, clock: Clock) -> Self {
        Self { quota, key_of, counter, clock, is_rest: false }
    }

    /// Counts only what no limit further in has counted: what was refused before it was known who asks, and what anyone
    /// may ask. Whoever has a good token is not held up by others at the same address who have none.
    #[must_use]
    pub fn uncounted(mut self) -> Self {
        self.is_rest = true;
        self
    }

    async fn count_rest(&self, asked: &Parts, mut response: Response) -> Response {
        if response.headers().contains_key(LIMIT) {
            return response;
        }
        let Some(verdict) = self.judge(asked).await else { return response };
        if verdict.exceeded {
            response = verdict.refusal((self.clock)()).into_response();
        }
        response.headers_mut().extend(verdict.headers());
        response
    }

    async fn judge(&self, parts: &Parts) -> Option<Verdict> {
        let key = (self.key_of)(parts)?;
        let Quota { limit, window } = self.quota;
        Some(Verdict::of(limit, self.counter.hit(&key, window, limit, (self.clock)()).await))
    }
}

impl fmt::Debug for RateLimitLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitLayer").field("quota", &self.quota).finish_non_exhaustive()
    }
}

impl<S> Layer<S> for RateLimitLayer {
    type Service = RateLimitService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        RateLimitService { inner, limit: self.clone() }
    }
}

/// Made by [`RateLimitLayer`].
#[derive(Debug, Clone)]
pub struct RateLimitService<S> {
    inner: S,
    limit: RateLimitLayer,
}

impl<S, B> Service<Request<B>> for RateLimitService<S>
where
    S: Service<Request<B>> + Clone + Send + 'static,
    S::Response: IntoResponse,
    S::Future: Send,
    B: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let limit = self.limit.clone();
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            if limit.is_rest {
                let asked = parts.clone();
                let response = inner.call(Request::from_parts(parts, body)).await?.into_response();
                return Ok(limit.count_rest(&asked, response).await);
            }
            let verdict = limit.judge(&parts).await;
            let mut response = match verdict {
                Some(verdict) if verdict.exceeded => verdict.refusal((limit.clock)()).into_response(),
                _ => inner.call(Request::from_parts(parts, body)).await?.into_response(),
            };
            if let Some(verdict) = verdict {
                response.headers_mut().extend(verdict.headers());
            }
            Ok(response)
        })
    }
}
