//! Statements that are asked again and again, and so are worth being kept prepared on each connection: PostgreSQL reads them
//! once, and plans them anew only where that pays. It holds each of them on each connection, so they are few.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_postgres::types::Type;

/// What was asked so often is learnt; after each doubt, twice as often.
const OFTEN: u32 = 8;
/// No more than so often.
const SELDOM: u32 = 4_096;
/// What went well so many times as often makes up for a doubt.
const TRUSTED: u32 = 4;
/// So many are learnt and no more.
const MOST: usize = 32;
/// What is not asked while so many others are makes room for one of them.
const IDLE: u64 = 10_000;
/// So many are counted. When there are more, what was not learnt is forgotten.
const COUNTED: usize = 1_024;

/// Which statements are known by heart.
#[derive(Debug, Default)]
pub(in crate::postgres) struct ByHeart(Mutex<Counts>);

/// A statement and the types of its values, as connections keep it.
pub(in crate::postgres) type Learnt = (String, Vec<Type>);

#[derive(Debug, Default)]
struct Counts {
    of: HashMap<u64, Count>,
    learnt: HashMap<u64, Use>,
    questions: u64,
}

#[derive(Debug, Clone, Copy)]
struct Count {
    asked: u32,
    needed: u32,
}

#[derive(Debug)]
struct Use {
    statement: Learnt,
    /// At which question it was of use last.
    last: u64,
    /// How often since the last doubt.
    times: u32,
}

impl Default for Count {
    fn default() -> Self {
        Self { asked: 0, needed: OFTEN }
    }
}

impl ByHeart {
    /// Is it known?
    pub(in crate::postgres) fn knows(&self, sql: &str) -> bool {
        let Counts { of, learnt, questions } = &mut *self.counts();
        *questions += 1;
        let known = hash(sql);
        let (Some(count), Some(used)) = (of.get_mut(&known), learnt.get_mut(&known)) else { return false };
        if count.asked < count.needed {
            return false;
        }
        (used.last, used.times) = (*questions, used.times + 1);
        if used.times >= TRUSTED * count.needed {
            (used.times, count.needed) = (0, (count.needed / 2).max(OFTEN));
        }
        true
    }

    /// It was answered in time, planned for its own values. Answers what is to be forgotten in its place.
    pub(in crate::postgres) fn note(&self, sql: &str, kinds: impl Iterator<Item = Type>) -> Option<Learnt> {
        let Counts { of, learnt, questions } = &mut *self.counts();
        if of.len() >= COUNTED {
            of.retain(|known, _| learnt.contains_key(known));
        }
        let new = hash(sql);
        let count = of.entry(new).or_default();
        count.asked = count.asked.saturating_add(1);
        if count.asked < count.needed || learnt.contains_key(&new) {
            return None;
        }
        let mut forgotten = None;
        if learnt.len() >= MOST {
            let (oldest, _) = learnt.iter().min_by_key(|(_, used)| used.last)?;
            let oldest = *oldest;
            if learnt[&oldest].last + IDLE > *questions {
                return None;
            }
            of.remove(&oldest);
            forgotten = learnt.remove(&oldest).map(|used| used.statement);
        }
        learnt.insert(new, Use { statement: (sql.to_owned(), kinds.collect()), last: *questions, times: 0 });
        forgotten
    }

    /// It took too long by heart: for a while it is planned for its own values again.
    pub(in crate::postgres) fn doubt(&self, sql: &str) {
        let Counts { of, learnt, .. } = &mut *self.counts();
        let doubted = hash(sql);
        let count = of.entry(doubted).or_default();
        (count.asked, count.needed) = (0, (count.needed * 2).min(SELDOM));
        if let Some(used) = learnt.get_mut(&doubted) {
            used.times = 0;
        }
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

    fn note(heart: &ByHeart, sql: &str) -> Option<String> {
        heart.note(sql, [Type::TEXT].into_iter()).map(|(sql, _)| sql)
    }

    fn asked(often: u32, heart: &ByHeart, sql: &str) {
        for _ in 0..often {
            assert!(!heart.knows(sql));
            assert_eq!(note(heart, sql), None);
        }
    }

    fn name(number: usize) -> String {
        format!("SELECT {number}")
    }

    #[test]
    fn what_is_asked_often_is_known_until_it_is_doubted_and_later_again() {
        let heart = ByHeart::default();
        asked(OFTEN, &heart, "SELECT 1");
        assert!(heart.knows("SELECT 1"));
        assert!(!heart.knows("SELECT 2"));

        for often in [2 * OFTEN, 4 * OFTEN] {
            heart.doubt("SELECT 1");
            asked(often, &heart, "SELECT 1");
            assert!(heart.knows("SELECT 1"));
        }
    }

    #[test]
    fn a_doubt_is_forgotten_when_all_went_well_for_long() {
        let heart = ByHeart::default();
        asked(OFTEN, &heart, "SELECT 1");
        heart.doubt("SELECT 1");
        asked(2 * OFTEN, &heart, "SELECT 1");

        assert!((0..TRUSTED * 2 * OFTEN).all(|_| heart.knows("SELECT 1")));
        heart.doubt("SELECT 1");

        asked(2 * OFTEN, &heart, "SELECT 1");
        assert!(heart.knows("SELECT 1"));
    }

    #[test]
    fn no_more_are_learnt_than_have_room_and_none_that_is_of_use_is_forgotten() {
        let heart = ByHeart::default();
        for number in 0..2 * MOST {
            asked(OFTEN, &heart, &name(number));
        }
        for number in 0..2 * COUNTED {
            note(&heart, &format!("SELECT once {number}"));
        }

        assert!((0..MOST).all(|number| heart.knows(&name(number))));
        assert!((MOST..2 * MOST).all(|number| !heart.knows(&name(number))));
        assert!(heart.counts().of.len() <= COUNTED);
    }

    #[test]
    fn what_is_asked_no_more_makes_room_for_what_is() {
        let heart = ByHeart::default();
        for number in 0..MOST {
            asked(OFTEN, &heart, &name(number));
        }
        for _ in 0..IDLE {
            assert!((1..MOST).all(|number| heart.knows(&name(number))));
        }

        asked(OFTEN - 1, &heart, "SELECT new");
        assert_eq!(note(&heart, "SELECT new"), Some(name(0)));

        assert!(heart.knows("SELECT new"));
        assert!(!heart.knows(&name(0)));
        assert!((1..MOST).all(|number| heart.knows(&name(number))));
        asked(2 * OFTEN, &heart, "SELECT newer");
    }
}
