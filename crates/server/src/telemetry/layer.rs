//! Measures each request and tells it as one event. Changes neither the request nor the answer.
//!
//! Its place is just inside `ProblemLayer`: there the request has its id, the answer has its final status, and the problem
//! is still attached. The matched route is known by itself where it is put on with `Router::layer`; around a router, a
//! `RouteLayer` inside tells it. Outermost first: `RequestIdLayer`, `ProblemLayer`, **`ObserveLayer`**, CORS,
//! `CatchPanicLayer`, all others.

use std::{
    future::Future,
    net::IpAddr,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Instant,
};

use axum::extract::MatchedPath;
use http::{Extensions, Request, Response};
use pin_project_lite::pin_project;
use tower::{Layer, Service};
use valetkey_rest::{Problem, RequestId};

use super::{
    Event, Finished, Note, Telemetry,
    current::{self, GivenUp, Route, Working},
    event::{ABANDONED, UNMATCHED, method_word},
    trace::TraceParent,
};

/// Tells [`Telemetry`] of every request. `A` finds out who asked, from what the edge has left with the request.
#[derive(Clone)]
pub struct ObserveLayer<A = fn(&Extensions) -> Option<IpAddr>> {
    telemetry: Telemetry,
    address: A,
}

impl ObserveLayer {
    /// Tells this one. Who asked is not known.
    pub fn new(telemetry: Telemetry) -> Self {
        Self { telemetry, address: |_| None }
    }

    /// Finds the client's address in this way.
    pub fn client_address<A>(self, address: A) -> ObserveLayer<A>
    where
        A: Fn(&Extensions) -> Option<IpAddr>,
    {
        ObserveLayer { telemetry: self.telemetry, address }
    }
}

impl<S, A: Clone> Layer<S> for ObserveLayer<A> {
    type Service = ObserveService<S, A>;

    fn layer(&self, inner: S) -> Self::Service {
        ObserveService { inner, telemetry: self.telemetry.clone(), address: self.address.clone() }
    }
}

/// Made by [`ObserveLayer`].
#[derive(Clone)]
pub struct ObserveService<S, A> {
    inner: S,
    telemetry: Telemetry,
    address: A,
}

impl<S, A, B, R> Service<Request<B>> for ObserveService<S, A>
where
    S: Service<Request<B>, Response = Response<R>>,
    A: Fn(&Extensions) -> Option<IpAddr>,
{
    type Response = Response<R>;
    type Error = S::Error;
    type Future = ObserveFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let extensions = request.extensions();
        let mut open = Open {
            telemetry: self.telemetry.clone(),
            started: Instant::now(),
            method: method_word(request.method()),
            route: extensions.get::<MatchedPath>().cloned().map(Route::from),
            id: extensions.get::<RequestId>().copied(),
            client_address: (self.address)(extensions),
            parent: TraceParent::of(request.headers()),
            told: false,
        };
        let working = current::enter(open.id);
        let inner = self.inner.call(request);
        open.found(&working);
        ObserveFuture { inner, open }
    }
}

pin_project! {
    /// Made by [`ObserveService`].
    pub struct ObserveFuture<F> {
        #[pin]
        inner: F,
        open: Open,
    }
}

impl<F, R, E> Future for ObserveFuture<F>
where
    F: Future<Output = Result<Response<R>, E>>,
{
    type Output = Result<Response<R>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let working = current::enter(this.open.id);
        let answer = this.inner.poll(cx);
        this.open.found(&working);
        let answer = ready!(answer);
        match &answer {
            Ok(answer) => this.open.tell(answer.status().as_u16(), answer.extensions().get()),
            Err(_) => this.open.tell(500, None),
        }
        Poll::Ready(answer)
    }
}

/// A request that is not answered yet.
struct Open {
    telemetry: Telemetry,
    started: Instant,
    method: &'static str,
    route: Option<Route>,
    id: Option<RequestId>,
    client_address: Option<IpAddr>,
    parent: Option<TraceParent>,
    told: bool,
}

impl Open {
    /// Somebody further in may have found the route.
    fn found(&mut self, working: &Working) {
        if let Some(route) = working.route() {
            self.route = Some(route);
        }
    }

    fn tell(&mut self, status: u16, problem: Option<&Problem>) {
        self.told = true;
        self.telemetry.observe(&Event::RequestFinished(Finished {
            method: self.method,
            route: self.route.as_ref().map_or(UNMATCHED, Route::as_str),
            status,
            elapsed: self.started.elapsed(),
            request_id: self.id,
            client_address: self.client_address,
            problem: problem.map(|problem| Note { slug: problem.kind().slug, detail: problem.detail_text() }),
            parent: self.parent,
        }));
    }
}

impl Drop for Open {
    /// A future that is dropped unfinished belonged to a client that has left, unless somebody else answers it.
    fn drop(&mut self) {
        if self.told {
            return;
        }
        let (id, route) = (self.id, self.route.take());
        let (started, client_address, parent) = (self.started, self.client_address, self.parent);
        if !current::hand_over(|| GivenUp { id, route: route.clone(), started, client_address, parent }) {
            self.route = route;
            self.tell(ABANDONED, None);
        }
    }
}
