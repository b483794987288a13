//! The service: remembers of each request what the answer may need, and nothing that costs an allocation.

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use axum::response::{IntoResponse, Response};
use http::{Method, Request};
use tower::Service;

use super::{
    ProblemFuture,
    render::{Asked, wants_plain_json},
};
use crate::RequestId;

/// Made by [`super::ProblemLayer`].
#[derive(Debug, Clone)]
pub struct ProblemService<S> {
    pub(super) inner: S,
    pub(super) origin: Arc<str>,
}

impl<S, B> Service<Request<B>> for ProblemService<S>
where
    S: Service<Request<B>>,
    S::Response: IntoResponse,
{
    type Response = Response;
    type Error = S::Error;
    type Future = ProblemFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let asked = Asked {
            origin: self.origin.clone(),
            id: request.extensions().get::<RequestId>().copied(),
            head: request.method() == Method::HEAD,
            plain_json: wants_plain_json(request.headers()),
        };
        ProblemFuture::new(self.inner.call(request), asked)
    }
}
