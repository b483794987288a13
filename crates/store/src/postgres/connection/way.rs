//! How far away PostgreSQL is. Where the clock on this side says how long a statement may take, the way there and back is not
//! to count, nor is a moment in which nobody here looks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// However far away it is, no more than this is added for it.
const FAR: u64 = 100_000;
/// Whoever reads the answer may be busy with something else for so long.
const SLACK: Duration = Duration::from_millis(10);
/// What is slower than all before counts for so little: it may have waited, and the way may have become longer.
const SHARE: u64 = 64;

/// The time of the quickest answers, in microseconds.
#[derive(Debug)]
pub(super) struct Way(AtomicU64);

impl Default for Way {
    fn default() -> Self {
        Self(AtomicU64::new(FAR))
    }
}

impl Way {
    /// An answer took so long, all in all.
    pub(super) fn took(&self, taken: Duration) {
        let taken = u64::try_from(taken.as_micros()).unwrap_or(FAR).min(FAR);
        let known = self.0.load(Ordering::Relaxed);
        let now = if taken < known { taken } else { known + (taken - known).div_ceil(SHARE) };
        if now != known {
            self.0.store(now, Ordering::Relaxed);
        }
    }

    /// So long here is as long as this over there.
    pub(super) fn longer(&self, over_there: Duration) -> Duration {
        over_there + SLACK + Duration::from_micros((2 * self.0.load(Ordering::Relaxed)).min(FAR))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_millis(8);

    fn added(way: &Way) -> Duration {
        way.longer(PATIENCE) - PATIENCE - SLACK
    }

    #[test]
    fn a_quick_answer_makes_it_short_at_once_and_slow_ones_make_it_longer_in_time() {
        let way = Way::default();
        assert_eq!(added(&way), Duration::from_millis(100));

        way.took(Duration::from_micros(300));
        assert_eq!(added(&way), Duration::from_micros(600));
        way.took(Duration::from_millis(20));
        assert!(added(&way) < Duration::from_micros(1_300));
        for _ in 0..1_000 {
            way.took(Duration::from_millis(20));
        }

        assert_eq!(added(&way), Duration::from_millis(40));
    }

    #[test]
    fn however_far_it_is_there_is_a_limit() {
        let way = Way::default();

        for _ in 0..1_000 {
            way.took(Duration::from_secs(60));
        }

        assert_eq!(added(&way), Duration::from_millis(100));
    }
}
