//! Rows that were read lately: one that is asked for again and again is not looked up again, as long as nobody has changed it.
//! Knows no engine: a generation is whatever the engine calls so.

use std::array::from_fn;
use std::mem::size_of;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;
use valetkey_resources::ports::Stored;

use crate::statement::Statements;

/// Those who look for rows of different shelves do not wait for each other.
const SHELVES: usize = 64;
/// Each has so many drawers.
const DRAWERS: usize = 256;
/// Each of those has room for so many rows.
const PLACES: usize = 4;
/// The rows of a shelf take no more bytes than this; those of all, sixteen million.
const ROOM: usize = (16 << 20) / SHELVES;
/// No larger rows are kept.
const LARGEST: usize = ROOM / 16;

/// Spreads ids that others made.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// All shelves.
pub(crate) struct Lately<G>(Box<[Mutex<Shelf<G>>]>);

/// Takes no memory before the first row.
struct Shelf<G> {
    drawers: Vec<Drawer<G>>,
    bytes: usize,
    /// Where room is made the next time.
    hand: usize,
}

struct Drawer<G> {
    places: [Place<G>; PLACES],
    /// Whose turn it is to make room.
    hand: usize,
}

struct Place<G> {
    /// The end of the id of the row that is here. The first time it is looked for, that is all: many rows are read once.
    end: u64,
    kept: Option<Box<Kept<G>>>,
    /// Has somebody asked for it since it was last its turn to make room?
    is_wanted: bool,
}

struct Kept<G> {
    generation: G,
    /// What it was read with. For a resource that is declared anew, it is read anew.
    statements: Arc<Statements>,
    row: Stored,
}

impl<G> Default for Lately<G> {
    fn default() -> Self {
        let shelf = |_| Mutex::new(Shelf { drawers: Vec::new(), bytes: 0, hand: 0 });
        Self((0..SHELVES).map(shelf).collect())
    }
}

impl<G: Copy + PartialEq> Lately<G> {
    /// The row with this id, if it was read in this generation.
    pub(crate) fn find(&self, id: Uuid, generation: G, statements: &Arc<Statements>) -> Option<Stored> {
        let (mut shelf, drawer) = self.at(id);
        let place = shelf.drawers.get_mut(drawer)?.places.iter_mut().find(|place| place.end == end(id))?;
        let kept = place.kept.as_ref()?;
        let is_it = kept.row.id == id && kept.generation == generation && Arc::ptr_eq(&kept.statements, statements);
        place.is_wanted |= is_it;
        is_it.then(|| kept.row.clone())
    }

    /// Keeps a row that was read, if it is not the first time. The generation is that of before.
    pub(crate) fn keep(&self, row: &Stored, generation: G, statements: &Arc<Statements>) {
        let (mut shelf, drawer) = self.at(row.id);
        if shelf.drawers.is_empty() {
            shelf.drawers.resize_with(DRAWERS, Drawer::empty);
        }
        let known = shelf.drawers[drawer].places.iter().position(|place| place.end == end(row.id));
        if let Some(place) = known {
            shelf.clear(drawer, place);
            if weight::<G>(row) <= LARGEST {
                let kept = Kept { generation, statements: statements.clone(), row: row.clone() };
                shelf.put(drawer, place, Box::new(kept));
            }
        } else {
            let place = shelf.drawers[drawer].turn();
            shelf.clear(drawer, place);
            shelf.drawers[drawer].places[place].end = end(row.id);
        }
    }

    fn at(&self, id: Uuid) -> (MutexGuard<'_, Shelf<G>>, usize) {
        let mixed = usize::try_from(end(id).wrapping_mul(MIX) >> 50).unwrap_or_default();
        let shelf = self.0[mixed % SHELVES].lock().unwrap_or_else(PoisonError::into_inner);
        (shelf, mixed / SHELVES % DRAWERS)
    }
}

impl<G> Drawer<G> {
    fn empty() -> Self {
        Self { places: from_fn(|_| Place { end: 0, kept: None, is_wanted: false }), hand: 0 }
    }

    /// The next place that nobody has asked for since its last turn.
    fn turn(&mut self) -> usize {
        loop {
            let place = self.hand;
            self.hand = (place + 1) % PLACES;
            if !std::mem::take(&mut self.places[place].is_wanted) {
                return place;
            }
        }
    }
}

impl<G> Shelf<G> {
    fn put(&mut self, drawer: usize, place: usize, kept: Box<Kept<G>>) {
        self.bytes += weight::<G>(&kept.row);
        while self.bytes > ROOM {
            (0..PLACES).for_each(|place| self.clear(self.hand, place));
            self.hand = (self.hand + 1) % DRAWERS;
        }
        let place = &mut self.drawers[drawer].places[place];
        (place.kept, place.is_wanted) = (Some(kept), true);
    }

    fn clear(&mut self, drawer: usize, place: usize) {
        let place = &mut self.drawers[drawer].places[place];
        place.is_wanted = false;
        if let Some(gone) = place.kept.take() {
            self.bytes -= weight::<G>(&gone.row);
        }
    }
}

/// What a row takes.
fn weight<G>(row: &Stored) -> usize {
    size_of::<Kept<G>>() + row.document.capacity() + row.owner.as_ref().map_or(0, String::capacity)
}

/// The end of an id, which is random where the server made it.
fn end(id: Uuid) -> u64 {
    id.as_u64_pair().1
}

#[cfg(test)]
mod tests;
