//! What is asked most goes straight to what answers it: documents that are ready, the endpoints of tokens, the declared API.
//! Everything else goes to the router. On the way stand the same layers, in one piece, without the boxes that a router puts
//! around each route and clones for each request.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::Response;
use futures_util::FutureExt;
use http::Method;
use pin_project_lite::pin_project;
use tower::{Layer, Service, service_fn};
use valetkey_endpoints::{Act, Endpoints};
use valetkey_resources::routes::Board;

use super::edge::Serve;
use crate::bridge::caller;
use crate::telemetry::current;

/// Answers what is asked most, each by its own service: `A` by what acts, `P` by the API.
#[derive(Clone)]
pub struct StraightLayer<A, P> {
    /// Documents that are at hand.
    pub endpoints: Endpoints,
    /// What the addresses of the API mean.
    pub board: Arc<Board>,
    /// Answers for the endpoints that act.
    pub acts: A,
    /// Answers for the API.
    pub api: P,
}

impl<S, A: Clone, P: Clone> Layer<S> for StraightLayer<A, P> {
    type Service = StraightService<S, A, P>;

    fn layer(&self, inner: S) -> Self::Service {
        StraightService { inner, straight: self.clone() }
    }
}

/// Answers for the endpoints that act. Only requests that are an [`Act`] come here.
pub fn acts(endpoints: &Endpoints) -> impl Serve + use<> {
    let endpoints = endpoints.clone();
    service_fn(move |request: Request| {
        let caller = caller::of(request.extensions());
        let act = Act::of(request.method(), request.uri().path()).unwrap_or(Act::Token);
        endpoints.clone().act(act, caller, request).map(Ok::<_, Infallible>)
    })
}

/// Made by [`StraightLayer`].
#[derive(Clone)]
pub struct StraightService<S, A, P> {
    inner: S,
    straight: StraightLayer<A, P>,
}

impl<S: Serve, A: Serve, P: Serve> Service<Request> for StraightService<S, A, P> {
    type Response = Response;
    type Error = Infallible;
    type Future = Way<S::Future, A::Future, P::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let StraightLayer { endpoints, board, acts, api } = &mut self.straight;
        let (method, path) = (request.method(), request.uri().path());
        // A query has to be looked at, and other methods are answered otherwise.
        let is_plain = method == Method::GET && request.uri().query().is_none();
        if is_plain && let Some((route, response)) = endpoints.at_hand(path) {
            current::on_route(route);
            return Way::AtHand { response: Some(response) };
        }
        if let Some(act) = Act::of(method, path) {
            current::on_route(act.route());
            return Way::Act { future: acts.call(request) };
        }
        if let Some(found) = board.find(path) {
            current::on_route(found.route().clone());
            request.extensions_mut().insert(found);
            return Way::Api { future: api.call(request) };
        }
        Way::Routed { future: self.inner.call(request) }
    }
}

pin_project! {
    /// The way that a request takes.
    #[project = Taken]
    pub enum Way<S, A, P> {
        // It was answered on the spot.
        AtHand { response: Option<Response> },
        // To an endpoint that acts.
        Act { #[pin] future: A },
        // To the declared API.
        Api { #[pin] future: P },
        // To whatever the router finds.
        Routed { #[pin] future: S },
    }
}

impl<S, A, P> Future for Way<S, A, P>
where
    S: Future<Output = Result<Response, Infallible>>,
    A: Future<Output = Result<Response, Infallible>>,
    P: Future<Output = Result<Response, Infallible>>,
{
    type Output = Result<Response, Infallible>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project() {
            Taken::AtHand { response } => Poll::Ready(Ok(response.take().unwrap_or_default())),
            Taken::Act { future } => future.poll(context),
            Taken::Api { future } => future.poll(context),
            Taken::Routed { future } => future.poll(context),
        }
    }
}
