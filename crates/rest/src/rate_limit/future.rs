//! The future: an answer that was counted before it was given, or one that is counted now unless somebody did.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::response::{IntoResponse, Response};
use pin_project_lite::pin_project;

use super::{Charge, RateLimitLayer, Verdict};
use crate::answering::Answering;

pin_project! {
    /// Made by [`super::RateLimitService`].
    #[project = Step]
    pub enum RateLimitFuture<F, E> {
        // Counted before.
        Judged { #[pin] answer: Answering<F, E, Verdict> },
        // To be counted after, unless somebody further in did.
        Rest { #[pin] inner: F, limit: Option<(RateLimitLayer, Vec<Charge>)> },
        // Nobody did.
        Counting { counting: Pin<Box<dyn Future<Output = Response> + Send>> },
    }
}

impl<F, R, E> Future for RateLimitFuture<F, E>
where
    F: Future<Output = Result<R, E>>,
    R: IntoResponse,
{
    type Output = Result<Response, E>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match self.as_mut().project() {
                Step::Judged { answer } => return answer.poll(cx),
                Step::Rest { inner, limit } => {
                    let response = ready!(inner.poll(cx))?.into_response();
                    let Some((limit, charges)) = limit.take() else { return Poll::Ready(Ok(response)) };
                    if RateLimitLayer::is_counted(&charges, &response) {
                        return Poll::Ready(Ok(response));
                    }
                    let counting = Box::pin(limit.count_rest(charges, response));
                    self.set(Self::Counting { counting });
                }
                Step::Counting { counting } => return counting.as_mut().poll(cx).map(Ok),
            }
        }
    }
}
