//! Who calls the endpoints: the address and the certificate that the edge found become the `Caller` that the rules know.

use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use http::Extensions;
use tower::{Layer, Service};
use valetkey_oauth::grants::Caller;

use super::certificate;
use crate::app::edge::ClientAddress;

/// Gives each request its caller.
#[derive(Debug, Clone, Copy)]
pub struct CallerLayer;

impl<S> Layer<S> for CallerLayer {
    type Service = CallerService<S>;

    fn layer(&self, inner: S) -> CallerService<S> {
        CallerService { inner }
    }
}

/// Made by [`CallerLayer`].
#[derive(Debug, Clone)]
pub struct CallerService<S> {
    inner: S,
}

impl<S: Service<Request>> Service<Request> for CallerService<S> {
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> S::Future {
        let caller = of(request.extensions());
        request.extensions_mut().insert(caller);
        self.inner.call(request)
    }
}

/// Who sent a request.
pub fn of(extensions: &Extensions) -> Caller {
    let address = extensions.get::<ClientAddress>().map(|address| address.0);
    Caller { address, certificate: certificate::of(extensions).map(Arc::new) }
}
