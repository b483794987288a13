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
    of: HashMap<Number, Count>,
    learnt: HashMap<Number, Use>,
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
    /// Which question asked for it last.
    last: u64,
    /// How often it was of use since the last doubt.
    times: u32,
}

impl Default for Count {
    fn default() -> Self {
        Self { asked: 0, needed: OFTEN }
    }
}

/// The number of a statement, under which it is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::postgres) struct Number(u64);

impl Number {
    /// That of a statement.
    pub(in crate::postgres) fn of(sql: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        sql.hash(&mut hasher);
        Self(hasher.finish())
    }
}

impl ByHeart {
    /// Is it known?
    pub(in crate::postgres) fn knows(&self, known: Number) -> bool {
        let Counts { of, learnt, questions } = &mut *self.counts();
        *questions += 1;
        let (Some(count), Some(used)) = (of.get_mut(&known), learnt.get_mut(&known)) else { return false };
        used.last = *questions;
        if count.asked < count.needed {
            return false;
        }
        used.times += 1;
        if used.times >= TRUSTED * count.needed {
            (used.times, count.needed) = (0, (count.needed / 2).max(OFTEN));
        }
        true
    }

    /// It was answered in time, planned for its own values. Answers what is to be forgotten in its place.
    pub(in crate::postgres) fn note(
        &self,
        new: Number,
        sql: &str,
        kinds: impl Iterator<Item = Type>,
    ) -> Option<Learnt> {
        let Counts { of, learnt, questions } = &mut *self.counts();
        if of.len() >= COUNTED {
            of.retain(|known, _| learnt.contains_key(known));
        }
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
    pub(in crate::postgres) fn doubt(&self, doubted: Number) {
        let Counts { of, learnt, .. } = &mut *self.counts();
        let count = of.entry(doubted).or_default();
        // Somebody who asked at the same moment has said so already.
        if count.asked < count.needed {
            return;
        }
        (count.asked, count.needed) = (0, (count.needed * 2).min(SELDOM));
        if let Some(used) = learnt.get_mut(&doubted) {
            used.times = 0;
        }
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
