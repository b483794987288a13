//! Answers that are ready before anyone asks go out before a router is asked for the way. Each is the answer that the router
//! would have found.

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::Response;
use futures_util::future::Either;
use http::Method;
use tower::{Layer, Service};
use valetkey_endpoints::Endpoints;

use crate::telemetry::current;

/// Answers what is at hand.
#[derive(Clone)]
pub struct AtHandLayer(pub Endpoints);

impl<S> Layer<S> for AtHandLayer {
    type Service = AtHandService<S>;

    fn layer(&self, inner: S) -> AtHandService<S> {
        AtHandService { inner, endpoints: self.0.clone() }
    }
}

/// Made by [`AtHandLayer`].
#[derive(Clone)]
pub struct AtHandService<S> {
    inner: S,
    endpoints: Endpoints,
}

impl<S> Service<Request> for AtHandService<S>
where
    S: Service<Request, Response = Response, Error = Infallible>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Either<Ready<Result<Response, Infallible>>, S::Future>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        // A query has to be looked at, and other methods are answered otherwise.
        let is_plain = request.method() == Method::GET && request.uri().query().is_none();
        match is_plain.then(|| self.endpoints.at_hand(request.uri().path())).flatten() {
            Some((route, response)) => {
                current::on_route(route);
                Either::Left(ready(Ok(response)))
            }
            None => Either::Right(self.inner.call(request)),
        }
    }
}
