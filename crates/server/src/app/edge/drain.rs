//! The end of serving, for those who wait for it and for those who are busy.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio_util::sync::{CancellationToken, DropGuard};

/// Finish what is running, begin nothing new. Each clone is the same end.
#[derive(Clone, Default)]
pub(super) struct Drain {
    token: CancellationToken,
    /// To be seen without the lock that a token has for all who ask.
    has_begun: Arc<AtomicBool>,
}

impl Drain {
    /// From now on each answer is the last of its connection.
    pub fn begin(&self) {
        // First what is seen, then what wakes: who is woken sees it.
        self.has_begun.store(true, Ordering::Release);
        self.token.cancel();
    }

    pub fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Acquire)
    }

    /// Waits until it begins.
    pub async fn begun(&self) {
        self.token.cancelled().await;
    }

    /// What ends with it.
    pub fn token(&self) -> CancellationToken {
        self.token.clone()
    }

    /// Wakes whoever waits when it is dropped: then nobody is served any more.
    pub fn on_drop(&self) -> DropGuard {
        self.token().drop_guard()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_is_woken_by_the_end_sees_that_it_has_begun() {
        let drain = Drain::default();
        let woken = tokio::spawn({
            let drain = drain.clone();
            async move {
                drain.begun().await;
                drain.has_begun()
            }
        });
        tokio::task::yield_now().await;
        assert!(!drain.has_begun());

        drain.begin();

        assert!(woken.await.unwrap());
    }
}
