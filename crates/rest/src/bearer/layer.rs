//! The layer and its service: a request goes on with its caller, or does not go on.

use std::{
    fmt, mem,
    sync::Arc,
    task::{Context, Poll},
};

use axum::response::{IntoResponse, Response};
use http::{Extensions, Method, Request, header};
use tower::{Layer, Service};

use super::{Caller, Challenge, Unverifiable, Verify, credentials};
use crate::{
    answering::{Answering, Touch},
    at_once::at_once,
    cors::ForClient,
    problem::Problem,
};

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
        BearerService { inner, guard: Arc::new(self.clone()) }
    }
}

/// Made by [`BearerLayer`].
#[derive(Debug, Clone)]
pub struct BearerService<S> {
    inner: S,
    guard: Arc<BearerLayer>,
}

impl<S, B> Service<Request<B>> for BearerService<S>
where
    S: Service<Request<B>> + Clone + Send + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
    B: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Answering<S::Future, S::Error, ForReader>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // An outer layer knows the caller already, by an API key or a certificate.
        if request.extensions().get::<Arc<Caller>>().is_some() {
            return answer(&mut self.inner, request);
        }
        let token = match credentials::token(request.headers()) {
            Ok(token) => token,
            Err(flaw) => return self.guard.conclude(Err(self.guard.challenge.refuse(flaw)), &mut self.inner, request),
        };
        if let Some(verified) = self.guard.verify.verify_at_once(token) {
            let admitted = self.guard.admit(verified, request.extensions());
            return self.guard.conclude(admitted, &mut self.inner, request);
        }
        let (token, guard) = (token.to_owned(), self.guard.clone());
        let verify = guard.verify.clone();
        let mut verifying = Box::pin(async move { Ok(verify.verify(&token).await?.map(Arc::new)) });
        if let Some(verified) = at_once(&mut verifying) {
            return guard.conclude(guard.admit(verified, request.extensions()), &mut self.inner, request);
        }
        // The service that was polled ready is the one that is called; its clone waits for the next request.
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let later = Box::pin(async move {
            let admitted = guard.admit(verifying.await, request.extensions());
            guard.conclude(admitted, &mut inner, request).await
        });
        Answering::Waiting { later }
    }
}

/// A browser asks for whom the answer is.
pub struct ForReader(Option<Arc<Caller>>);

impl Touch for ForReader {
    fn touch(self, response: &mut Response) {
        if let Some(caller) = self.0 {
            response.extensions_mut().insert(ForClient(caller.client.as_str().into()));
        }
    }
}

/// What the service says to a request.
fn answer<S, B>(inner: &mut S, request: Request<B>) -> Answering<S::Future, S::Error, ForReader>
where
    S: Service<Request<B>>,
{
    let known = request.extensions().get::<Arc<Caller>>();
    let reader = known.filter(|_| request.headers().contains_key(header::ORIGIN)).cloned();
    Answering::through(inner.call(request), ForReader(reader))
}

impl BearerLayer {
    /// The caller, if whoever verified the token vouches for it and it is in the right hands.
    fn admit(
        &self,
        verified: Result<Option<Arc<Caller>>, Unverifiable>,
        extensions: &Extensions,
    ) -> Result<Arc<Caller>, Problem> {
        let caller = verified?.filter(|caller| self.is_held(caller, extensions));
        caller.ok_or_else(|| self.challenge.invalid_token())
    }

    /// Lets a request in, or refuses it.
    fn conclude<S, B>(
        &self,
        admitted: Result<Arc<Caller>, Problem>,
        inner: &mut S,
        mut request: Request<B>,
    ) -> Answering<S::Future, S::Error, ForReader>
    where
        S: Service<Request<B>>,
    {
        match admitted {
            Ok(caller) => drop(request.extensions_mut().insert(caller)),
            // Browsers ask for OPTIONS without a token; whoever sends one is known by it.
            Err(_) if self.lets_on || request.method() == Method::OPTIONS => {}
            Err(problem) => return Answering::given(problem),
        }
        answer(inner, request)
    }

    /// RFC 8705 §3: a token that is bound to a certificate is good for nobody else.
    fn is_held(&self, caller: &Caller, extensions: &Extensions) -> bool {
        let Some(bound) = &caller.key_binding else { return true };
        let shown = self.shown.as_ref().and_then(|shown| shown(extensions));
        shown.is_some_and(|shown| shown == *bound)
    }
}
