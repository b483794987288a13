//! The future: waits for the answer, then reads what is left of the body. Only something left costs a box and a timer.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::response::Response;
use http::{HeaderValue, header};
use http_body::Body as _;
use pin_project_lite::pin_project;

use super::Shared;

/// Whoever sends more slowly than this is not waited for.
const PATIENCE: Duration = Duration::from_millis(500);

pin_project! {
    /// Made by [`super::DrainService`].
    #[project = Step]
    pub enum DrainFuture<F> {
        // Nobody knows yet how much of the body is left.
        Answering { #[pin] answer: F, rest: Option<Shared> },
        // Something is left.
        Draining { response: Option<Response>, emptied: Pin<Box<dyn Future<Output = bool> + Send>> },
    }
}

impl<F, E> Future for DrainFuture<F>
where
    F: Future<Output = Result<Response, E>>,
{
    type Output = Result<Response, E>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        loop {
            match self.as_mut().project() {
                Step::Answering { answer, rest } => {
                    let response = ready!(answer.poll(cx))?;
                    let Some(rest) = rest.take().filter(|rest| !rest.is_end_stream()) else {
                        return Poll::Ready(Ok(response));
                    };
                    let emptied =
                        Box::pin(async move { tokio::time::timeout(PATIENCE, rest.drain()).await.unwrap_or_default() });
                    self.set(Self::Draining { response: Some(response), emptied });
                }
                Step::Draining { response, emptied } => {
                    let is_empty = ready!(emptied.as_mut().poll(cx));
                    let mut response = response.take().unwrap_or_default();
                    if !is_empty {
                        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                    }
                    return Poll::Ready(Ok(response));
                }
            }
        }
    }
}
