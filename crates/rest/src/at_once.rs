//! Futures that are ready more often than not. Whoever looks first need not prepare to wait: no clone of the service
//! behind, which in a stack of layers is a clone of all of them.

use std::{
    pin::Pin,
    task::{Context, Poll, Waker},
};

/// What a future has to say without any waiting. One that has nothing to say yet goes on as if nobody had looked: the
/// next poll tells it whom to wake.
pub(crate) fn at_once<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    match Pin::new(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

#[cfg(test)]
mod tests {
    use super::at_once;

    #[tokio::test]
    async fn a_future_that_was_looked_at_too_early_is_woken_all_the_same() {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let mut answer = Box::pin(async move { receiver.await.unwrap() });

        assert_eq!(at_once(&mut answer), None);
        let waiting = tokio::spawn(answer);
        tokio::task::yield_now().await;
        sender.send(7).unwrap();

        assert_eq!(waiting.await.unwrap(), 7);
        assert_eq!(at_once(&mut Box::pin(async { 1 })), Some(1));
    }
}
