//! The generation of the rows: a number that is another one after each commit that may have changed one of them.
//!
//! It is odd while such a commit is on its way: then some see the rows as they were and some as they will be.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Shared by the writer, who moves it, and by those who look.
#[derive(Clone, Default)]
pub(super) struct Generation(Arc<AtomicU64>);

/// A commit on its way. It is over when this is dropped, however it ended.
pub(super) struct Moving<'a>(&'a AtomicU64);

impl Generation {
    /// The number; none while it moves.
    pub(super) fn settled(&self) -> Option<u64> {
        Some(self.0.load(Ordering::SeqCst)).filter(|number| number % 2 == 0)
    }

    /// From here on it moves. One at a time: there is one writer.
    pub(super) fn moves(&self) -> Moving<'_> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Moving(&self.0)
    }
}

impl Drop for Moving<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_leaves_another_number_and_none_while_it_is_on_its_way() {
        let generation = Generation::default();
        let before = generation.settled();

        let moving = generation.moves();
        assert_eq!(generation.settled(), None);
        drop(moving);

        assert!(generation.settled().is_some());
        assert_ne!(generation.settled(), before);
    }
}
