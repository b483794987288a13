//! Turns at a row: those who would get into each other's way take them, before they ask for the writer or a connection.

use std::hash::{BuildHasher, RandomState};

use tokio::sync::{Mutex, MutexGuard};
use uuid::Uuid;

/// So many rows can be changed at once by those who take turns.
const ROOMS: usize = 64;

/// The turns at all rows. Two rows may share one.
pub(crate) struct Turns {
    rooms: Vec<Mutex<()>>,
    places: RandomState,
}

impl Turns {
    /// A turn at a row. It is over when this is dropped.
    pub(crate) async fn of(&self, row: Uuid) -> MutexGuard<'_, ()> {
        let place = usize::try_from(self.places.hash_one(row) % ROOMS as u64).unwrap_or_default();
        self.rooms[place].lock().await
    }
}

impl Default for Turns {
    fn default() -> Self {
        Self { rooms: (0..ROOMS).map(|_| Mutex::default()).collect(), places: RandomState::new() }
    }
}
