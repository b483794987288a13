//! A future that has nothing to say most of the time, beside one that is polled all the time: it is polled only after it was
//! woken, and costs one look at a flag otherwise.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// Polls a future when it asks for it.
pub(super) struct Seldom<F> {
    inner: F,
    bell: Arc<Bell>,
    /// Rings the bell.
    ringer: Waker,
}

struct Bell {
    has_rung: AtomicBool,
    /// Whoever polls.
    task: AtomicWaker,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.has_rung.store(true, Ordering::Release);
        self.task.wake();
    }
}

impl<F> Seldom<F> {
    pub fn new(inner: F) -> Self {
        // Polled once in any case, so that it can say whom to ring for.
        let bell = Arc::new(Bell { has_rung: AtomicBool::new(true), task: AtomicWaker::new() });
        Self { inner, ringer: Waker::from(Arc::clone(&bell)), bell }
    }
}

impl<F: Future + Unpin> Future for Seldom<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // First the name, then the look: a bell that rings in between wakes the task.
        self.bell.task.register(cx.waker());
        if !self.bell.has_rung.load(Ordering::Acquire) || !self.bell.has_rung.swap(false, Ordering::AcqRel) {
            return Poll::Pending;
        }
        let this = &mut *self;
        Pin::new(&mut this.inner).poll(&mut Context::from_waker(&this.ringer))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::future::poll_fn;
    use std::pin::pin;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_seldom_future_is_polled_when_it_was_woken_and_at_no_other_time() {
        let (sender, mut receiver) = oneshot::channel();
        let polls = Cell::new(0);
        let mut seldom = pin!(Seldom::new(poll_fn(|cx| {
            polls.set(polls.get() + 1);
            Pin::new(&mut receiver).poll(cx)
        })));

        for _ in 0..5 {
            assert!(futures_util::poll!(seldom.as_mut()).is_pending());
        }
        assert_eq!(polls.get(), 1);
        sender.send(7).unwrap();

        assert_eq!(seldom.await.unwrap(), 7);
        assert_eq!(polls.get(), 2);
    }

    #[tokio::test]
    async fn what_wakes_a_seldom_future_wakes_the_task_that_waits_for_it() {
        let (sender, receiver) = oneshot::channel();
        let waiting = tokio::spawn(Seldom::new(receiver));
        tokio::task::yield_now().await;

        sender.send(7).unwrap();

        assert_eq!(waiting.await.unwrap().unwrap(), 7);
    }
}
