//! Statements that are asked again and again, and so are worth being kept prepared on each connection: PostgreSQL reads them
//! once, and plans them anew only where that pays. It holds each of them on each connection, so they are few.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was asked so often is learnt; after each doubt, twice as often.
const OFTEN: u32 = 8;
/// No more than so often.
const SELDOM: u32 = 4_096;
/// So many are learnt and no more.
const MOST: usize = 32;
/// So many are counted. When there are more, what was not learnt is forgotten.
const COUNTED: usize = 1_024;

/// Which statements are known by heart.
#[derive(Debug, Default)]
pub(in crate::postgres) struct ByHeart(Mutex<Counts>);

#[derive(Debug, Default)]
struct Counts {
    of: HashMap<u64, Count>,
    learnt: usize,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    asked: u32,
    needed: u32,
    is_learnt: bool,
}

impl Default for Count {
    fn default() -> Self {
        Self { asked: 0, needed: OFTEN, is_learnt: false }
    }
}

impl ByHeart {
    /// Is it known?
    pub(in crate::postgres) fn knows(&self, sql: &str) -> bool {
        self.counts().of.get(&hash(sql)).is_some_and(|count| count.is_learnt && count.asked >= count.needed)
    }

    /// It was answered in time, planned for its own values.
    pub(in crate::postgres) fn note(&self, sql: &str) {
        let mut counts = self.counts();
        if counts.of.len() >= COUNTED {
            counts.of.retain(|_, count| count.is_learnt);
        }
        let has_room = counts.learnt < MOST;
        let count = counts.of.entry(hash(sql)).or_default();
        count.asked = count.asked.saturating_add(1);
        let is_new = count.asked >= count.needed && !count.is_learnt && has_room;
        count.is_learnt |= is_new;
        counts.learnt += usize::from(is_new);
    }

    /// It took too long by heart: for a while it is planned for its own values again.
    pub(in crate::postgres) fn doubt(&self, sql: &str) {
        let mut counts = self.counts();
        let count = counts.of.entry(hash(sql)).or_default();
        (count.asked, count.needed) = (0, (count.needed * 2).min(SELDOM));
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn hash(sql: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    sql.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked_often(heart: &ByHeart, sql: &str) {
        asked(OFTEN, heart, sql);
    }

    fn asked(often: u32, heart: &ByHeart, sql: &str) {
        for _ in 0..often {
            assert!(!heart.knows(sql));
            heart.note(sql);
        }
    }

    #[test]
    fn what_is_asked_often_is_known_until_it_is_doubted_and_later_again() {
        let heart = ByHeart::default();
        asked_often(&heart, "SELECT 1");
        assert!(heart.knows("SELECT 1"));
        assert!(!heart.knows("SELECT 2"));

        for often in [2 * OFTEN, 4 * OFTEN] {
            heart.doubt("SELECT 1");
            asked(often, &heart, "SELECT 1");
            assert!(heart.knows("SELECT 1"));
        }
    }

    #[test]
    fn no_more_are_learnt_than_have_room_and_none_of_them_is_forgotten() {
        let heart = ByHeart::default();
        let name = |number: usize| format!("SELECT {number}");
        for number in 0..2 * MOST {
            asked_often(&heart, &name(number));
        }
        for number in 0..2 * COUNTED {
            heart.note(&format!("SELECT once {number}"));
        }

        assert!((0..MOST).all(|number| heart.knows(&name(number))));
        assert!((MOST..2 * MOST).all(|number| !heart.knows(&name(number))));
        assert!(heart.counts().of.len() <= COUNTED);
    }
}
