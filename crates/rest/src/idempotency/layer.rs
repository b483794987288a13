//! The layer and its service: claim, run, keep. The work goes on when the client hangs up, so that a claim always ends.

use std::{
    fmt,
    future::Future,
    mem,
    panic::resume_unwind,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, to_bytes},
    response::{IntoResponse, Response},
};
use http::{HeaderValue, Method, Request, header, request::Parts};
use tower::{Layer, Service};

use super::{
    Claim, IDEMPOTENT_REPLAYED, IdempotencyKey, KeptAnswer, Slot, Store, fingerprint, key_required, key_reused,
    still_running,
};
use crate::{
    Clock,
    problem::{Problem, catalogue},
};

/// How long an answer is kept.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);
/// Bytes of a request that is read into memory for its fingerprint.
const MAX_BODY: usize = 1 << 20;
/// The headers that speak of the resource, and not of the moment.
const REPEATED: [http::HeaderName; 5] =
    [header::CONTENT_TYPE, header::CONTENT_LOCATION, header::LOCATION, header::ETAG, header::LINK];

/// Says whose key it is; none makes the key that of nobody in particular, shared by all who are nobody.
pub type OwnerOf = Arc<dyn Fn(&Parts) -> Option<String> + Send + Sync>;

/// Does each POST under a key once.
#[derive(Clone)]
pub struct IdempotencyLayer {
    store: Arc<dyn Store>,
    owner_of: OwnerOf,
    clock: Clock,
    required: bool,
}

impl IdempotencyLayer {
    /// Keeps answers in `store`, under keys that belong to whom `owner_of` names.
    pub fn new(store: Arc<dyn Store>, owner_of: OwnerOf, clock: Clock) -> Self {
        Self { store, owner_of, clock, required: false }
    }

    /// Refuses a POST without a key.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The slot and the fingerprint of a request that has a key, and the request again.
    async fn read(&self, request: Request<Body>) -> Result<(Request<Body>, Option<(Slot, [u8; 32])>), Problem> {
        if request.method() != Method::POST {
            return Ok((request, None));
        }
        let Some(key) = IdempotencyKey::from_headers(request.headers())? else {
            return if self.required { Err(key_required()) } else { Ok((request, None)) };
        };
        let (parts, body) = request.into_parts();
        let body = to_bytes(body, MAX_BODY).await.map_err(|_| Problem::new(&catalogue::CONTENT_TOO_LARGE))?;
        let path = parts.uri.path_and_query().map_or("", |path| path.as_str());
        let fingerprint = fingerprint(&parts.method, path, &body);
        let slot = Slot { owner: (self.owner_of)(&parts).unwrap_or_default(), key: key.as_str().to_owned() };
        Ok((Request::from_parts(parts, Body::from(body)), Some((slot, fingerprint))))
    }

    /// Keeps a success; gives the key back for everything else, since a refusal did no work.
    async fn settle(&self, slot: &Slot, response: Response) -> Result<Response, Problem> {
        if !response.status().is_success() {
            self.store.release(slot).await?;
            return Ok(response);
        }
        let (parts, body) = response.into_parts();
        // An answer of our own that breaks off half-way is a fault of ours; the work may be done, so the key stays taken.
        let body = to_bytes(body, usize::MAX).await.map_err(|_| Problem::new(&catalogue::INTERNAL_ERROR))?;
        let headers = REPEATED
            .iter()
            .flat_map(|name| parts.headers.get_all(name).iter().map(|value| (name.clone(), value.clone())));
        let answer = KeptAnswer { headers: headers.collect(), body: body.clone() };
        self.store.keep(slot, answer, (self.clock)() + KEPT).await?;
        Ok(Response::from_parts(parts, Body::from(body)))
    }
}

fn replay(answer: KeptAnswer) -> Response {
    let mut response = Response::new(Body::from(answer.body));
    for (name, value) in answer.headers {
        response.headers_mut().append(name, value);
    }
    response.headers_mut().insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    response
}

impl fmt::Debug for IdempotencyLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdempotencyLayer").field("required", &self.required).finish_non_exhaustive()
    }
}

impl<S> Layer<S> for IdempotencyLayer {
    type Service = IdempotencyService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        IdempotencyService { inner, layer: self.clone() }
    }
}

/// Made by [`IdempotencyLayer`].
#[derive(Debug, Clone)]
pub struct IdempotencyService<S> {
    inner: S,
    layer: IdempotencyLayer,
}

impl<S> Service<Request<Body>> for IdempotencyService<S>
where
    S: Service<Request<Body>> + Clone + Send + 'static,
    S::Response: IntoResponse + Send,
    S::Error: Send,
    S::Future: Send,
{
    type Response = Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let clone = self.inner.clone();
        let mut inner = mem::replace(&mut self.inner, clone);
        let layer = self.layer.clone();
        Box::pin(async move {
            match layer.read(request).await {
                Err(problem) => Ok(problem.into_response()),
                Ok((request, None)) => inner.call(request).await.map(IntoResponse::into_response),
                Ok((request, Some((slot, fingerprint)))) => {
                    finish(tokio::spawn(once(layer, inner, request, slot, fingerprint))).await
                }
            }
        })
    }
}

/// Claims the key, and does the work if nobody has.
async fn once<S>(
    layer: IdempotencyLayer,
    mut inner: S,
    request: Request<Body>,
    slot: Slot,
    fingerprint: [u8; 32],
) -> Result<Response, S::Error>
where
    S: Service<Request<Body>> + Send + 'static,
    S::Response: IntoResponse + Send,
    S::Error: Send,
    S::Future: Send,
{
    match layer.store.claim(&slot, &fingerprint, (layer.clock)()).await {
        Ok(Claim::Granted) => {}
        Ok(Claim::Kept(answer)) => return Ok(replay(answer)),
        Ok(Claim::OtherRequest) => return Ok(key_reused().into_response()),
        Ok(Claim::Running) => return Ok(still_running().into_response()),
        Err(problem) => return Ok(problem.into_response()),
    }
    // A task of its own, so that a panic in the work does not take the claim with it.
    let work = tokio::spawn(async move { inner.call(request).await.map(IntoResponse::into_response) });
    match work.await {
        Ok(Ok(response)) => Ok(layer.settle(&slot, response).await.unwrap_or_else(IntoResponse::into_response)),
        Ok(Err(error)) => {
            // The error that ends the connection matters more than one of the store.
            let _ = layer.store.release(&slot).await;
            Err(error)
        }
        Err(died) => {
            let _ = layer.store.release(&slot).await;
            match died.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(_) => Ok(Problem::new(&catalogue::UNAVAILABLE).into_response()),
            }
        }
    }
}

/// Waits for a task as if it were not one: its panic is ours, for the layer that catches panics.
async fn finish<E>(task: tokio::task::JoinHandle<Result<Response, E>>) -> Result<Response, E> {
    match task.await {
        Ok(outcome) => outcome,
        Err(died) => match died.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            Err(_) => Ok(Problem::new(&catalogue::UNAVAILABLE).into_response()),
        },
    }
}
