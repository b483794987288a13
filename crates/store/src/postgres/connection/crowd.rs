//! How long those may take who read at the same time. PostgreSQL ends a statement by the clock; so the more of them share its
//! processors, the longer each may take.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// A statement is never given less than this.
const LEAST: Duration = Duration::from_millis(1);
/// However many there are, what costs little is not waited for longer.
const LONGEST: Duration = Duration::from_secs(3);
/// An answer may be so much later than PostgreSQL gave up, where nobody is held up.
const SLACK: Duration = Duration::from_millis(5);

/// How many lists are being read.
#[derive(Debug)]
pub(in crate::postgres) struct Crowd {
    count: AtomicUsize,
    /// To find out how many there are, files of the system are read.
    cores: usize,
}

impl Default for Crowd {
    fn default() -> Self {
        Self { count: AtomicUsize::new(0), cores: available_parallelism().map_or(1, NonZero::get) }
    }
}

/// One of them, and its time.
pub(in crate::postgres) struct Visit<'a> {
    crowd: &'a Crowd,
    begun: Instant,
    share: Duration,
}

impl Crowd {
    /// One more comes, who could have so much time for itself alone.
    pub(in crate::postgres) fn enter(&self, share: Duration) -> Visit<'_> {
        self.count.fetch_add(1, Ordering::Relaxed);
        Visit { crowd: self, begun: Instant::now(), share }
    }

    fn for_each_core(&self) -> u32 {
        u32::try_from(self.count.load(Ordering::Relaxed).div_ceil(self.cores)).unwrap_or(1).max(1)
    }
}

impl Visit<'_> {
    /// What is left, but no more than this.
    pub(in crate::postgres) fn left(&self, most: Duration) -> Option<Duration> {
        let others = self.crowd.for_each_core();
        let left = (self.share * others).saturating_sub(self.begun.elapsed()).min(most * others);
        (left >= LEAST).then_some(left)
    }

    /// Where there are more than one for a processor: half of all that is left.
    pub(in crate::postgres) fn in_a_crowd(&self) -> Option<Duration> {
        let half = self.rest().filter(|_| self.crowd.for_each_core() > 1)? / 2;
        (half >= LEAST).then_some(half)
    }

    /// For what is known to cost little, and is waited for even if nothing is left: so much where nobody else reads.
    pub(in crate::postgres) fn at_any_rate(&self, alone: Duration) -> Duration {
        (alone * self.crowd.for_each_core()).min(LONGEST)
    }

    /// All that is left.
    pub(in crate::postgres) fn rest(&self) -> Option<Duration> {
        self.left(self.share)
    }

    /// Did PostgreSQL give up much later than it was to? Then nobody worked for that long, and it does not count.
    pub(in crate::postgres) fn was_held_up(&mut self, given: Duration, taken: Duration) -> bool {
        let is_late = taken > given + given / 2 + SLACK;
        if is_late {
            self.begun += taken - given;
        }
        is_late
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        self.crowd.count.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARE: Duration = Duration::from_secs(3_600);

    #[test]
    fn the_more_come_the_longer_each_may_take() {
        let crowd = Crowd::default();
        let first = crowd.enter(SHARE);
        let alone = first.left(Duration::from_secs(1));

        let cores = crowd.cores;
        let others: Vec<_> = (0..4 * cores).map(|_| crowd.enter(SHARE)).collect();

        assert_eq!(alone, Some(Duration::from_secs(1)));
        assert!(first.in_a_crowd().is_some_and(|half| half > 2 * SHARE && half <= 5 * SHARE / 2));
        assert_eq!(first.left(Duration::from_secs(1)), Some(Duration::from_secs(5)));
        assert_eq!(first.at_any_rate(Duration::from_millis(100)), Duration::from_millis(500));
        assert_eq!(first.at_any_rate(Duration::from_secs(1)), LONGEST);
        drop(others);
        assert_eq!(first.in_a_crowd(), None, "who is alone has had its time");
        assert_eq!(first.left(Duration::from_secs(1)), Some(Duration::from_secs(1)));
    }

    #[test]
    fn half_of_nearly_nothing_is_nothing() {
        let crowd = Crowd::default();
        let cores = u32::try_from(crowd.cores).unwrap();
        let share = Duration::from_millis(100);
        let mut first = crowd.enter(share);
        let _others: Vec<_> = (0..cores).map(|_| crowd.enter(share)).collect();

        first.begun -= 2 * share - LEAST * 3 / 2;

        assert_eq!(first.in_a_crowd(), None);
    }

    #[test]
    fn who_was_held_up_has_that_time_again_and_who_was_merely_slow_has_not() {
        let crowd = Crowd::default();
        let share = Duration::from_millis(100);
        let mut visit = crowd.enter(share);
        visit.begun -= share;
        let (given, held_up) = (Duration::from_millis(8), Duration::from_secs(60));

        assert!(!visit.was_held_up(given, given + SLACK));
        assert_eq!(visit.rest(), None);
        assert!(visit.was_held_up(given, held_up));
        assert_eq!(visit.rest(), Some(share));
    }
}
