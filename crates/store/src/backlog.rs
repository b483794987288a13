//! The backlog of a search: how much has come that is not among its words yet.
//!
//! To write down the words of a few rows costs a full-text table about as much as those of a hundred. So the words of new rows
//! wait until there are more of them, or until somebody searches. Which rows those are stands in the store alone (whatever
//! comes after the last one that has words), so that a crash loses none of them; here is only what it takes to know when to look.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

/// So much may wait, in bytes: whoever searches waits until it is written.
const MOST: u64 = 128 * 1024;
/// What a row takes besides its document.
const ROW: u64 = 256;
/// The words of a larger document do not wait: to find them a second time would take as long as all others together.
pub(crate) const LARGE: usize = 16 * 1024;
/// So many bytes of documents are read in one turn, and one document more.
pub(crate) const TURN: usize = 256 * 1024;

/// No number of a row.
const UNKNOWN: i64 = i64::MIN;

/// That of one resource. What is counted need not be exact: too much only means that somebody looks and finds nothing.
#[derive(Debug)]
pub(crate) struct Backlog {
    /// All that came, in bytes.
    came: AtomicU64,
    /// So much of it had come when somebody last went to write it down.
    tried: AtomicU64,
    /// So much of it is written for sure.
    written: AtomicU64,
    /// The largest number that a row is known to have had.
    newest: AtomicI64,
}

/// Whoever finds that it is time writes what waits in a transaction that may be undone because of others, and is then run again.
#[derive(Debug, Default)]
pub(crate) struct Turn(AtomicBool);

impl Default for Backlog {
    /// What whoever was here before has left is not known.
    fn default() -> Self {
        let [came, tried, written] = [1, 1, 0].map(AtomicU64::new);
        Self { came, tried, written, newest: AtomicI64::new(UNKNOWN) }
    }
}

impl Backlog {
    /// Notes a row that waits. Is it time to write down what does?
    pub(crate) fn add(&self, document: &str, turn: &Turn) -> bool {
        let bytes = ROW + document.len() as u64;
        let came = self.came.fetch_add(bytes, Ordering::SeqCst) + bytes;
        if came.saturating_sub(self.tried.load(Ordering::SeqCst)) > MOST {
            self.tried.store(came, Ordering::SeqCst);
            turn.0.store(true, Ordering::Relaxed);
        }
        turn.0.load(Ordering::Relaxed)
    }

    /// Has a row with this number perhaps been there before? From here on, it has.
    pub(crate) fn meet(&self, number: i64) -> bool {
        let newest = self.newest.fetch_max(number, Ordering::SeqCst);
        newest == UNKNOWN || newest >= number
    }

    /// Does this number come right after the largest one that is known?
    pub(crate) fn is_next(&self, number: i64) -> bool {
        let newest = self.newest.load(Ordering::SeqCst);
        newest != UNKNOWN && newest.checked_add(1) == Some(number)
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
        backlog.add("{}", &Turn::default());
        let owed = backlog.owed().unwrap();

        backlog.add("{}", &Turn::default());
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
            (0..rows).filter(|_| backlog.add(document, &Turn::default())).count()
        };

        let few = MOST / (ROW + 2);

        assert_eq!(times("{}", few), 0);
        assert_eq!(times("{}", few + 2), 1);
        assert_eq!(times("{}", 3 * few + 6), 3);
        assert_eq!(times(&"x".repeat(usize::try_from(MOST).unwrap()), 3), 3);
    }

    #[test]
    fn whoever_was_to_write_and_was_undone_is_to_write_again() {
        let (backlog, turn) = (Backlog::default(), Turn::default());
        let large = "x".repeat(usize::try_from(MOST).unwrap());

        assert!(backlog.add(&large, &turn));

        assert!(!backlog.add("{}", &Turn::default()));
        assert!(backlog.add(&large[..10], &turn));
    }

    #[test]
    fn a_number_that_may_have_been_given_before_is_told_from_the_next_one() {
        let backlog = Backlog::default();

        let known = [7, 8, 8, 6, 7, 9].map(|number| backlog.meet(number));

        assert_eq!(known, [true, false, true, true, true, false]);
    }

    #[test]
    fn the_next_number_is_known_where_the_last_one_is() {
        let backlog = Backlog::default();
        assert!(!backlog.is_next(UNKNOWN.wrapping_add(1)));

        backlog.meet(7);
        assert!(backlog.is_next(8) && !backlog.is_next(7) && !backlog.is_next(9));

        backlog.meet(i64::MAX);
        assert!(!backlog.is_next(i64::MIN));
    }
}
