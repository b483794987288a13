//! The backlog of a search: how much has come that is not among its words yet.
//!
//! To write down the words of a few rows costs a full-text table about as much as those of a hundred. So the words of new rows
//! wait until there are more of them, or until somebody searches. Which rows those are stands in the store alone (whatever
//! comes after the last one that has words), so that a crash loses none of them; here is only what it takes to know when to look.

use std::sync::atomic::{AtomicU64, Ordering};

/// So much may wait, in bytes: whoever searches waits until it is written.
const MOST: u64 = 128 * 1024;
/// What a row takes besides its document.
const ROW: u64 = 256;
/// The words of a larger document do not wait: to find them a second time would take as long as all others together.
pub(crate) const LARGE: usize = 16 * 1024;
/// So many bytes of documents are read in one turn, and one document more.
pub(crate) const TURN: usize = 256 * 1024;

/// That of one resource. What is counted need not be exact: too much only means that somebody looks and finds nothing.
#[derive(Debug)]
pub(crate) struct Backlog {
    /// All that came, in bytes.
    came: AtomicU64,
    /// So much of it had come when somebody last went to write it down.
    tried: AtomicU64,
    /// So much of it is written for sure.
    written: AtomicU64,
}

impl Default for Backlog {
    /// What whoever was here before has left is not known.
    fn default() -> Self {
        Self { came: AtomicU64::new(1), tried: AtomicU64::new(1), written: AtomicU64::new(0) }
    }
}

impl Backlog {
    /// Notes a row that waits. Is it time to write down what does?
    pub(crate) fn add(&self, document: &str) -> bool {
        let bytes = ROW + document.len() as u64;
        let came = self.came.fetch_add(bytes, Ordering::SeqCst) + bytes;
        let is_time = came.saturating_sub(self.tried.load(Ordering::SeqCst)) > MOST;
        if is_time {
            // Whether it comes to a commit is not known yet. If not, there is another time.
            self.tried.store(came, Ordering::SeqCst);
        }
        is_time
    }

    /// How far it is to be written, so that nothing is missed that came before; none if it is.
    pub(crate) fn owed(&self) -> Option<u64> {
        let came = self.came.load(Ordering::SeqCst);
        (self.written.load(Ordering::SeqCst) < came).then_some(came)
    }

    /// It was written and committed that far.
    pub(crate) fn settle(&self, owed: u64) {
        self.written.fetch_max(owed, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_first_nobody_knows_what_was_left() {
        let backlog = Backlog::default();

        let owed = backlog.owed();
        backlog.settle(owed.unwrap());

        assert_eq!(backlog.owed(), None);
    }

    #[test]
    fn what_comes_while_it_is_written_is_owed_again() {
        let backlog = Backlog::default();
        backlog.add("{}");
        let owed = backlog.owed().unwrap();

        backlog.add("{}");
        backlog.settle(owed);
        let again = backlog.owed().unwrap();
        backlog.settle(again);
        // Whoever was slower does not undo it.
        backlog.settle(owed);

        assert!(again > owed);
        assert_eq!(backlog.owed(), None);
    }

    #[test]
    fn it_is_time_once_for_so_many_rows_or_bytes() {
        let times = |document: &str, rows: u64| {
            let backlog = Backlog::default();
            (0..rows).filter(|_| backlog.add(document)).count()
        };

        let few = MOST / (ROW + 2);

        assert_eq!(times("{}", few), 0);
        assert_eq!(times("{}", few + 2), 1);
        assert_eq!(times("{}", 3 * few + 6), 3);
        assert_eq!(times(&"x".repeat(usize::try_from(MOST).unwrap()), 3), 3);
    }
}
