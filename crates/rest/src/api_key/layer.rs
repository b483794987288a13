//! The layer and its service: a request with a key goes on with its caller, one without a key goes on as it came.

use std::{
    fmt, mem,
    net::IpAddr,
    sync::Arc,
    task::{Context, Poll},
};

use axum::response::{IntoResponse, Response};
use http::{Extensions, Method, Request, header};
use tower::{Layer, Service};

use super::{Holder, Keys, Presented, digest, presented};
use crate::{
    answering::Answering,
    bearer::Challenge,
    problem::{Problem, catalogue},
};

/// Tells where a request came from, by what an outer layer left in it.
pub type AddressOf = Arc<dyn Fn(&Extensions) -> Option<IpAddr> + Send + Sync>;

/// Finds the caller by an API key. A request with the method OPTIONS passes in any case, as with tokens.
#[derive(Clone)]
pub struct ApiKeyLayer {
    keys: Arc<dyn Keys>,
    prefix: Arc<str>,
    challenge: Arc<Challenge>,
    address_of: AddressOf,
    lets_on: bool,
}

impl ApiKeyLayer {
    /// Asks `keys` about keys that begin with `prefix`, and refuses others with `challenge`.
    pub fn new(keys: Arc<dyn Keys>, prefix: &str, challenge: Challenge) -> Self {
        let address_of: AddressOf = Arc::new(|_| None);
        Self { keys, prefix: prefix.into(), challenge: Arc::new(challenge), address_of, lets_on: false }
    }

    /// Refuses nobody: a good key makes its caller known, and whoever has none goes on unknown.
    #[must_use]
    pub fn letting_on(mut self) -> Self {
        self.lets_on = true;
        self
    }

    /// Tells `keys` where each request came from, for keys that are good from some addresses only.
    #[must_use]
    pub fn seen_from(mut self, address_of: AddressOf) -> Self {
        self.address_of = address_of;
        self
    }

    async fn admit<B>(&self, request: &mut Request<B>) -> Result<(), Problem> {
        let digest = match presented(request.headers(), &self.prefix) {
            Presented::Nothing => return Ok(()),
            Presented::Key(key) => digest(key),
            Presented::Malformed => return Err(self.invalid_key()),
            Presented::Several => {
                return Err(Problem::new(&catalogue::BAD_REQUEST)
                    .detail("The request carries credentials in more than one place. Send one key or one token.")
                    .header(header::WWW_AUTHENTICATE, self.challenge.value(&[("error", "invalid_request")])));
            }
        };
        let from = (self.address_of)(request.extensions());
        match self.keys.find(&digest, from).await? {
            Holder::Known(caller) => {
                request.extensions_mut().insert(Arc::new(caller));
                Ok(())
            }
            Holder::Misplaced => Err(Problem::new(&catalogue::FORBIDDEN)
                .detail("The API key must not be used from this address. Ask the operator where it may be.")),
            Holder::Nobody => Err(self.invalid_key()),
        }
    }

    fn invalid_key(&self) -> Problem {
        Problem::new(&catalogue::UNAUTHORIZED)
            .detail("The API key is not known, has expired or was revoked. Ask the operator for a new one.")
            .header(header::WWW_AUTHENTICATE, self.challenge.value(&[("error", "invalid_token")]))
    }
}

impl fmt::Debug for ApiKeyLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiKeyLayer").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}

impl<S> Layer<S> for ApiKeyLayer {
    type Service = ApiKeyService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        ApiKeyService { inner, guard: Arc::new(self.clone()) }
    }
}

/// Made by [`ApiKeyLayer`].
#[derive(Debug, Clone)]
pub struct ApiKeyService<S> {
    inner: S,
    guard: Arc<ApiKeyLayer>,
}

impl<S, B> Service<Request<B>> for ApiKeyService<S>
where
    S: Service<Request<B>> + Clone + Send + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
    B: Send + 'static,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Answering<S::Future, S::Error, ()>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        if matches!(presented(request.headers(), &self.guard.prefix), Presented::Nothing) {
            return Answering::through(self.inner.call(request), ());
        }
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let guard = self.guard.clone();
        let later = Box::pin(async move {
            let lets_on = guard.lets_on || request.method() == Method::OPTIONS;
            if let Err(problem) = guard.admit(&mut request).await
                && !lets_on
            {
                return Ok(problem.into_response());
            }
            inner.call(request).await.map(IntoResponse::into_response)
        });
        Answering::Waiting { later }
    }
}
