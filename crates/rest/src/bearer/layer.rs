//! The layer and its service: a request goes on with its caller, or does not go on.

use std::{
    fmt,
    future::Future,
    mem,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::response::{IntoResponse, Response};
use http::{Extensions, Method, Request, header};
use tower::{Layer, Service};

use super::{Caller, Challenge, Verify, credentials};
use crate::{cors::ForClient, problem::Problem};

/// Finds the `x5t#S256` of the certificate whose key the client of a request has proven to hold.
pub type KeyOf = Arc<dyn Fn(&Extensions) -> Option<String> + Send + Sync>;

/// Verifies the bearer token of every request.
#[derive(Clone)]
pub struct BearerLayer {
    verify: Arc<dyn Verify>,
    challenge: Arc<Challenge>,
    lets_on: bool,
    shown: Option<KeyOf>,
}

impl BearerLayer {
    /// Asks `verify` about tokens, and refuses with `challenge`.
    pub fn new(verify: Arc<dyn Verify>, challenge: Challenge) -> Self {
        Self { verify, challenge: Arc::new(challenge), lets_on: false, shown: None }
    }

    /// Finds certificates with `shown`, so that tokens that are bound to one can be used.
    #[must_use]
    pub fn shown_by(mut self, shown: KeyOf) -> Self {
        self.shown = Some(shown);
        self
    }

    /// Refuses nobody: a good token makes its caller known, and whoever has none goes on unknown.
    #[must_use]
    pub fn letting_on(mut self) -> Self {
        self.lets_on = true;
        self
    }
}

impl fmt::Debug for BearerLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BearerLayer").field("challenge", &self.challenge).finish_non_exhaustive()
    }
}

impl<S> Layer<S> for BearerLayer {
    type Service = BearerService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        BearerService { inner, guard: self.clone() }
    }
}

/// Made by [`BearerLayer`].
#[derive(Debug, Clone)]
pub struct BearerService<S> {
    inner: S,
    guard: BearerLayer,
}

impl<S, B> Service<Request<B>> for BearerService<S>
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

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        // The service that was polled ready is the one that is called; its clone waits for the next request.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let guard = self.guard.clone();
        Box::pin(async move {
            // Browsers ask for OPTIONS without a token; whoever sends one is known by it.
            let lets_on = guard.lets_on || request.method() == Method::OPTIONS;
            if let Err(problem) = guard.admit(&mut request).await
                && !lets_on
            {
                return Ok(problem.into_response());
            }
            // A browser asks for whom the answer is.
            let known = request.extensions().get::<Arc<Caller>>();
            let reader = known.filter(|_| request.headers().contains_key(header::ORIGIN)).cloned();
            let mut response = inner.call(request).await.map(IntoResponse::into_response)?;
            if let Some(caller) = reader {
                response.extensions_mut().insert(ForClient(caller.client.as_str().into()));
            }
            Ok(response)
        })
    }
}

impl BearerLayer {
    async fn admit<B>(&self, request: &mut Request<B>) -> Result<(), Problem> {
        // An outer layer knows the caller already, by an API key or a certificate.
        if request.extensions().get::<Arc<Caller>>().is_some() {
            return Ok(());
        }
        let token = credentials::token(request.headers()).map_err(|flaw| self.challenge.refuse(flaw))?.to_owned();
        let caller = self.verify.verify(&token).await?.ok_or_else(|| self.challenge.invalid_token())?;
        if !self.is_held(&caller, request.extensions()) {
            return Err(self.challenge.invalid_token());
        }
        request.extensions_mut().insert(Arc::new(caller));
        Ok(())
    }

    /// RFC 8705 §3: a token that is bound to a certificate is good for nobody else.
    fn is_held(&self, caller: &Caller, extensions: &Extensions) -> bool {
        let Some(bound) = &caller.key_binding else { return true };
        let shown = self.shown.as_ref().and_then(|shown| shown(extensions));
        shown.is_some_and(|shown| shown == *bound)
    }
}
