//! Generations: numbers that are others after each commit that may have changed what they stand for.
//!
//! One stands for all rows, which is what lists ask for. A row has two: that of commits which may have changed any row, such as
//! a removal that takes others along, and that of its place, which it shares with few. Each is odd while such a commit is on its
//! way: then some see the rows as they were and some as they will be.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use uuid::Uuid;

/// Rows share so many places.
const PLACES: usize = 1024;

/// What a transition may change of the rows of the declared API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sqlite) enum Touches {
    /// None of them: sessions, for instance.
    Nothing,
    /// This one.
    Row(Uuid),
    /// Nobody knows which.
    Any,
}

/// In which generation a row was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::sqlite) struct RowGeneration {
    any: u64,
    place: u64,
}

/// Shared by the writer, who moves them, and by those who look.
#[derive(Clone, Default)]
pub(super) struct Generation(Arc<Numbers>);

struct Numbers {
    rows: AtomicU64,
    any: AtomicU64,
    places: [AtomicU64; PLACES],
}

impl Default for Numbers {
    fn default() -> Self {
        Self { rows: AtomicU64::default(), any: AtomicU64::default(), places: [const { AtomicU64::new(0) }; PLACES] }
    }
}

/// A commit on its way. It is over when this is dropped, however it ended.
pub(super) struct Moving<'a> {
    numbers: &'a Numbers,
    any: bool,
    places: Vec<usize>,
}

impl Generation {
    /// That of all rows; none while it moves.
    pub(super) fn settled(&self) -> Option<u64> {
        settled(&self.0.rows)
    }

    /// That of this row; none while it moves.
    pub(super) fn of(&self, row: Uuid) -> Option<RowGeneration> {
        Some(RowGeneration { any: settled(&self.0.any)?, place: settled(&self.0.places[place(row)])? })
    }

    /// From here on they move. One at a time: there is one writer.
    pub(super) fn moves(&self, touched: impl Iterator<Item = Touches>) -> Moving<'_> {
        let (mut any, mut places) = (false, Vec::new());
        for touches in touched {
            match touches {
                Touches::Nothing => {}
                Touches::Row(row) => places.push(place(row)),
                Touches::Any => any = true,
            }
        }
        // Two in one place would leave it even.
        places.sort_unstable();
        places.dedup();
        let moving = Moving { numbers: &self.0, any, places };
        moving.step();
        moving
    }
}

impl Moving<'_> {
    fn step(&self) {
        let Self { numbers, any, places } = self;
        let step = |number: &AtomicU64| {
            number.fetch_add(1, Ordering::SeqCst);
        };
        if *any {
            step(&numbers.any);
        }
        places.iter().for_each(|place| step(&numbers.places[*place]));
        if *any || !places.is_empty() {
            step(&numbers.rows);
        }
    }
}

impl Drop for Moving<'_> {
    fn drop(&mut self) {
        self.step();
    }
}

fn settled(number: &AtomicU64) -> Option<u64> {
    Some(number.load(Ordering::SeqCst)).filter(|number| number % 2 == 0)
}

/// By the end of its id, which is random.
fn place(row: Uuid) -> usize {
    usize::try_from(row.as_u64_pair().1 % PLACES as u64).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Uuid = Uuid::from_u128(1);
    /// In the place of that one.
    const OTHER: Uuid = Uuid::from_u128(1 + PLACES as u128);
    const APART: Uuid = Uuid::from_u128(2);

    fn moves(generation: &Generation, touched: &[Touches]) {
        drop(generation.moves(touched.iter().copied()));
    }

    #[test]
    fn a_commit_leaves_another_number_and_none_while_it_is_on_its_way() {
        for touches in [Touches::Row(ONE), Touches::Any] {
            let generation = Generation::default();
            let before = (generation.settled(), generation.of(ONE));

            let moving = generation.moves([touches].into_iter());
            assert_eq!((generation.settled(), generation.of(ONE)), (None, None));
            drop(moving);

            assert!(generation.settled().is_some() && generation.of(ONE).is_some());
            assert_ne!(generation.settled(), before.0);
            assert_ne!(generation.of(ONE), before.1);
        }
    }

    #[test]
    fn a_row_keeps_its_number_while_another_one_changes() {
        let generation = Generation::default();
        let (rows, before) = (generation.settled(), generation.of(APART));

        let moving = generation.moves([Touches::Row(ONE)].into_iter());
        assert_eq!(generation.of(APART), before);
        drop(moving);

        assert_eq!(generation.of(APART), before);
        assert_ne!(generation.settled(), rows);
    }

    #[test]
    fn two_rows_in_one_place_move_it_once() {
        let generation = Generation::default();
        let before = generation.of(ONE);

        let moving = generation.moves([Touches::Row(ONE), Touches::Row(APART), Touches::Row(OTHER)].into_iter());
        assert_eq!((generation.of(ONE), generation.of(OTHER)), (None, None));
        drop(moving);

        assert!(generation.of(ONE).is_some());
        assert_ne!(generation.of(ONE), before);
    }

    #[test]
    fn what_touches_no_row_moves_nothing() {
        let generation = Generation::default();
        let before = (generation.settled(), generation.of(ONE));

        let moving = generation.moves([Touches::Nothing].into_iter());
        assert_eq!((generation.settled(), generation.of(ONE)), before);
        drop(moving);

        assert_eq!((generation.settled(), generation.of(ONE)), before);
        moves(&generation, &[Touches::Nothing, Touches::Row(ONE)]);
        assert_ne!(generation.of(ONE), before.1);
    }
}
