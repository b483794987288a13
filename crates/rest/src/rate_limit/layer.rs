//! The layer and its service: counts, then lets the request on or not, and writes the headers either way.

use std::{
    fmt, mem,
    sync::Arc,
    task::{Context, Poll},
};

use axum::response::{IntoResponse, Response};
use http::{Request, request::Parts};
use tower::{Layer, Service};

use super::{
    Away, Charge, ChargesOf, Counter, KeyOf, LIMIT, Limiter, Policy, Quota, Unanswered, Verdict,
    future::RateLimitFuture,
};
use crate::{Clock, answering::Answering, problem::Problem};

/// Limits how often each caller may ask.
#[derive(Clone)]
pub struct RateLimitLayer(Arc<Rules>);

/// One count for each request that holds them.
#[derive(Clone)]
struct Rules {
    limiter: Limiter,
    charges_of: ChargesOf,
    /// Are only answers counted that nobody counted further in?
    is_rest: bool,
}

impl RateLimitLayer {
    /// One policy, named `default`: counts whoever `key_of` names.
    pub fn new(quota: Quota, key_of: KeyOf, counter: Arc<dyn Counter>, clock: Clock) -> Self {
        let policy = Policy::new("default", quota);
        let charges = move |parts: &Parts| key_of(parts).map(|key| policy.charge(key.as_str())).into_iter().collect();
        Self::by(Arc::new(charges), Limiter::new(counter, clock))
    }

    /// Charges each request to the policies that `charges_of` names for it.
    pub fn by(charges_of: ChargesOf, limiter: Limiter) -> Self {
        Self(Arc::new(Rules { limiter, charges_of, is_rest: false }))
    }

    /// Counts only what no limit further in has counted: what was refused before it was known who asks, and what anyone
    /// may ask. Whoever has a good token is not held up by others at the same address who have none.
    #[must_use]
    pub fn uncounted(mut self) -> Self {
        Arc::make_mut(&mut self.0).is_rest = true;
        self
    }

    /// Was the answer counted already, or would have been?
    pub(super) fn is_counted(charges: &[Charge], response: &Response) -> bool {
        charges.is_empty()
            || response.headers().contains_key(LIMIT)
            || response.extensions().get::<Unanswered>().is_some()
    }

    /// Counts an answer that nobody has counted.
    pub(super) async fn count_rest(self, charges: Vec<Charge>, mut response: Response) -> Response {
        let verdict = match self.0.limiter.charge(charges).await {
            Ok(verdict) => verdict,
            Err(away) => return Problem::from(away).into_response(),
        };
        if let Some(refusal) = verdict.refusal() {
            response = refusal.into_response();
        }
        verdict.write(response.headers_mut());
        response
    }
}

impl fmt::Debug for RateLimitLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitLayer").field("is_rest", &self.0.is_rest).finish_non_exhaustive()
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
    S::Future: Send + 'static,
    B: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = RateLimitFuture<S::Future, S::Error>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let (parts, body) = request.into_parts();
        let charges = (self.limit.0.charges_of)(&parts);
        let request = Request::from_parts(parts, body);
        if self.limit.0.is_rest {
            let limit = Some((self.limit.clone(), charges));
            return RateLimitFuture::Rest { inner: self.inner.call(request), limit };
        }
        let charges = match self.limit.0.limiter.charge_at_once(charges) {
            Ok(verdict) => return RateLimitFuture::Judged { answer: judge(Ok(verdict), &mut self.inner, request) },
            Err(charges) => charges,
        };
        let limit = self.limit.clone();
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let later = Box::pin(async move {
            let charged = limit.0.limiter.charge(charges).await;
            judge(charged, &mut inner, request).await
        });
        RateLimitFuture::Judged { answer: Answering::Waiting { later } }
    }
}

/// The answer to a request that was charged: what the service says, or that it was one too many.
fn judge<S, B>(
    charged: Result<Verdict, Away>,
    inner: &mut S,
    request: Request<B>,
) -> Answering<S::Future, S::Error, Verdict>
where
    S: Service<Request<B>>,
{
    let verdict = match charged {
        Ok(verdict) => verdict,
        Err(away) => {
            let mut response = Problem::from(away).into_response();
            response.extensions_mut().insert(Unanswered);
            return Answering::given(response);
        }
    };
    if let Some(refusal) = verdict.refusal() {
        let mut response = refusal.into_response();
        verdict.write(response.headers_mut());
        return Answering::given(response);
    }
    Answering::through(inner.call(request), verdict)
}
