//! The future of a layer that seldom has to wait: it answers by itself, or lets the request on and has a word with the
//! answer. Only one that waits before it knows pays for a box.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use axum::response::{IntoResponse, Response};
use pin_project_lite::pin_project;

/// What a layer does with the answer of the service behind it.
pub trait Touch {
    /// Has a word with it.
    fn touch(self, response: &mut Response);
}

/// Nothing.
impl Touch for () {
    fn touch(self, _: &mut Response) {}
}

/// An answer that takes its time.
pub type Later<E> = Pin<Box<dyn Future<Output = Result<Response, E>> + Send>>;

pin_project! {
    /// The answer of a layer before a service with the future `F`.
    #[project = Step]
    pub enum Answering<F, E, T> {
        // The layer has answered by itself.
        Given { response: Option<Response> },
        // The service answers.
        Through { #[pin] inner: F, touch: Option<T> },
        // The layer has yet to find out.
        Waiting { later: Later<E> },
    }
}

impl<F, E, T> Answering<F, E, T> {
    /// The layer's own answer.
    pub fn given(response: impl IntoResponse) -> Self {
        Self::Given { response: Some(response.into_response()) }
    }

    /// The service's answer, touched.
    pub fn through(inner: F, touch: T) -> Self {
        Self::Through { inner, touch: Some(touch) }
    }
}

impl<F, R, E, T> Future for Answering<F, E, T>
where
    F: Future<Output = Result<R, E>>,
    R: IntoResponse,
    T: Touch,
{
    type Output = Result<Response, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.project() {
            Step::Given { response } => Poll::Ready(Ok(response.take().unwrap_or_default())),
            Step::Through { inner, touch } => {
                let mut response = ready!(inner.poll(cx))?.into_response();
                if let Some(touch) = touch.take() {
                    touch.touch(&mut response);
                }
                Poll::Ready(Ok(response))
            }
            Step::Waiting { later } => later.as_mut().poll(cx),
        }
    }
}
