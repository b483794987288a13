//! A body that two can hold.

use std::{
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};

use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};

/// So much is read and thrown away.
const MOST: usize = 256 * 1024;

/// A body that two can hold: the handler that reads it, and the layer that reads what is left.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Body>>);

impl Shared {
    pub fn new(body: Body) -> Self {
        Self(Arc::new(Mutex::new(body)))
    }

    fn lock(&self) -> MutexGuard<'_, Body> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads to the end; answers whether it was reached.
    pub async fn drain(&self) -> bool {
        let mut read = 0;
        while !self.lock().is_end_stream() {
            match poll_fn(|cx| Pin::new(&mut *self.lock()).poll_frame(cx)).await {
                Some(Ok(frame)) => read += frame.data_ref().map_or(0, Bytes::len),
                Some(Err(_)) => return false,
                None => return true,
            }
            if read > MOST {
                return false;
            }
        }
        true
    }
}

impl HttpBody for Shared {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut *self.lock()).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.lock().is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.lock().size_hint()
    }
}
