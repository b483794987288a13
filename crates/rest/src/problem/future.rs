//! The future: waits for the answer and has it rewritten if it is an error.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::response::{IntoResponse, Response};
use pin_project_lite::pin_project;

use super::render::Asked;

pin_project! {
    /// Made by [`super::ProblemService`].
    #[derive(Debug)]
    pub struct ProblemFuture<F> {
        #[pin]
        inner: F,
        asked: Asked,
    }
}

impl<F> ProblemFuture<F> {
    pub(super) fn new(inner: F, asked: Asked) -> Self {
        Self { inner, asked }
    }
}

impl<F, R, E> Future for ProblemFuture<F>
where
    F: Future<Output = Result<R, E>>,
    R: IntoResponse,
{
    type Output = Result<Response, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let answer = ready!(this.inner.poll(cx));
        Poll::Ready(answer.map(|answer| this.asked.render(answer.into_response())))
    }
}
