//! Bodies under observation: whether a request has arrived as a whole, and whether an answer is being read.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use hyper::body::Incoming;

use super::pulse::Beat;

/// Tells whether a request body has arrived as a whole.
#[derive(Clone, Default)]
pub(super) struct Arrival(Arc<AtomicBool>);

impl Arrival {
    pub fn is_complete(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn complete(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A request body that reports its arrival.
struct Arriving {
    inner: Incoming,
    arrival: Arrival,
}

/// A body, and what tells of its arrival; none where nothing has to arrive.
pub(super) fn arriving(inner: Incoming) -> (Body, Option<Arrival>) {
    if inner.is_end_stream() {
        return (Body::empty(), None);
    }
    let arrival = Arrival::default();
    (Body::new(Arriving { inner, arrival: arrival.clone() }), Some(arrival))
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(cx));
        if frame.is_none() || self.inner.is_end_stream() {
            self.arrival.complete();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// An answer that keeps its connection busy until it has been handed over.
pub(super) struct Leaving {
    inner: Body,
    beat: Beat,
}

impl Leaving {
    pub fn new(inner: Body, beat: Beat) -> Self {
        Self { inner, beat }
    }
}

impl HttpBody for Leaving {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(cx));
        // The last one is told by the end of the request, which follows.
        if !self.inner.is_end_stream() {
            self.beat.progress();
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}
