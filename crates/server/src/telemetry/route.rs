//! Tells the observer outside of the router which route a request is on. Inside of `Router::layer`, where it is known.

use std::task::{Context, Poll};

use axum::extract::MatchedPath;
use http::Request;
use tower::{Layer, Service};

use super::current;

/// Tells the route of each request.
#[derive(Debug, Clone, Copy)]
pub struct RouteLayer;

impl<S> Layer<S> for RouteLayer {
    type Service = RouteService<S>;

    fn layer(&self, inner: S) -> RouteService<S> {
        RouteService { inner }
    }
}

/// Made by [`RouteLayer`].
#[derive(Debug, Clone)]
pub struct RouteService<S> {
    inner: S,
}

impl<S, B> Service<Request<B>> for RouteService<S>
where
    S: Service<Request<B>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> S::Future {
        if let Some(route) = request.extensions().get::<MatchedPath>() {
            current::on_route(route.clone());
        }
        self.inner.call(request)
    }
}
