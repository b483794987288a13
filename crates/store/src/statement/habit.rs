//! Which way to read a list was the cheap one last time, for SQLite. It is a guess about cost, never about what is in a list:
//! where it is wrong or forgotten, a few attempts more are made. Takes a fixed amount of memory. Knows no connection and no
//! clock.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::discriminant;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use valetkey_resources::model::Cell;
use valetkey_resources::ports::{By, Direction, Test, Window};

use super::span::Edge;
use super::{List, Span};

/// So many lists are remembered. One that comes later takes the place of another.
const LISTS: usize = 4_096;
/// So seldom the other ways have to show that they are no better by now.
const SELDOM: u64 = 64;
/// What costs less is good enough.
const CHEAP: u64 = 60;

/// What a stretch of a list looks like: with the values that it asks for, and without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    exact: u64,
    rough: u64,
}

/// The way to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Habit {
    /// Its place among the paths of the list.
    pub(crate) path: usize,
    /// Now and then, each of the others may try before it, for no longer than this.
    pub(crate) rivals: Option<Duration>,
}

/// What is remembered of all lists. Each slot has half of a hash, how often it was asked, what the way cost in microseconds,
/// and its place, counted from one.
pub(crate) struct Habits(Box<[AtomicU64]>);

impl Default for Habits {
    fn default() -> Self {
        Self((0..LISTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl Habits {
    /// The way that was good for such a list, best with the same values.
    pub(crate) fn recall(&self, look: Look) -> Option<Habit> {
        let known = |hash: u64| {
            let slot = self.slot(hash);
            let kept = slot.load(Ordering::Relaxed);
            let (asked, cost, place) = taken_apart(kept);
            if kept >> 32 != hash >> 32 || place == 0 {
                return None;
            }
            slot.store(put_together(hash, asked + 1, cost, place), Ordering::Relaxed);
            let rivals = (cost > CHEAP && asked % SELDOM == 0).then(|| Duration::from_micros(cost / 2));
            Some(Habit { path: usize::try_from(place - 1).unwrap_or_default(), rivals })
        };
        known(look.exact).or_else(|| known(look.rough))
    }

    /// Remembers the way that was good, and what it cost.
    pub(crate) fn note(&self, look: Look, path: usize, cost: Duration) {
        let cost = u64::try_from(cost.as_micros()).unwrap_or(u64::MAX);
        let place = u64::try_from(path).unwrap_or(u64::MAX).saturating_add(1);
        for hash in [look.exact, look.rough] {
            let slot = self.slot(hash);
            let kept = slot.load(Ordering::Relaxed);
            let (asked, _, before) = taken_apart(kept);
            let asked = if kept >> 32 == hash >> 32 && before == place { asked } else { 0 };
            slot.store(put_together(hash, asked, cost, place), Ordering::Relaxed);
        }
    }

    fn slot(&self, hash: u64) -> &AtomicU64 {
        &self.0[usize::try_from(hash & (LISTS as u64 - 1)).unwrap_or_default()]
    }
}

fn put_together(hash: u64, asked: u64, cost: u64, place: u64) -> u64 {
    (hash >> 32 << 32) | ((asked & 0xff) << 24) | (cost.min(0xffff) << 8) | place.min(0xff)
}

fn taken_apart(kept: u64) -> (u64, u64, u64) {
    ((kept >> 24) & 0xff, (kept >> 8) & 0xffff, kept & 0xff)
}

impl List<'_> {
    /// What decides which way is good: conditions, order, and how much is skipped. Of the values only those that a row has to
    /// be equal to, for these are common or rare.
    pub(crate) fn look(&self, span: &Span) -> Look {
        let (mut rough, mut exact) = (DefaultHasher::new(), DefaultHasher::new());
        self.of.name.hash(&mut rough);
        let skipped = match &self.plan.window {
            Window::Offset { offset, .. } => Some(offset.checked_ilog2()),
            Window::Beside { .. } => None,
        };
        (skipped, self.plan.search.len(), self.plan.in_sight.is_some()).hash(&mut rough);
        self.plan.search.hash(&mut exact);
        for condition in &self.plan.conditions {
            let cells = match &condition.test {
                Test::AnyOf(cells) | Test::NoneOf(cells) => &cells[..],
                Test::Above(_) | Test::AtLeast(_) | Test::Below(_) | Test::AtMost(_) => &[],
            };
            (number(condition.by), discriminant(&condition.test), cells.len()).hash(&mut rough);
            for cell in cells {
                hash(cell, &mut exact);
            }
        }
        for key in &self.keys {
            (number(key.by), key.direction == Direction::Up).hash(&mut rough);
        }
        let edge = span.beyond.as_ref().map(discriminant::<Edge>);
        (span.equal.len(), edge, self.sight.owner.is_some()).hash(&mut rough);
        self.sight.under.map(|(place, _)| place).hash(&mut rough);
        (&self.sight.owner, self.sight.under).hash(&mut exact);
        let rough = rough.finish();
        rough.hash(&mut exact);
        Look { exact: exact.finish(), rough }
    }
}

fn number(by: By) -> usize {
    match by {
        By::Id => 0,
        By::Relevance => 1,
        By::Column(place) => place.saturating_add(2),
    }
}

fn hash(cell: &Cell, into: &mut DefaultHasher) {
    discriminant(cell).hash(into);
    match cell {
        Cell::Null => {}
        Cell::Integer(value) | Cell::Moment(value) => value.hash(into),
        Cell::Number(value) => value.to_bits().hash(into),
        Cell::Text(value) => value.hash(into),
        Cell::Boolean(value) => value.hash(into),
        Cell::Id(value) => value.hash(into),
    }
}

#[cfg(test)]
mod tests;
