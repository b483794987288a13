//! How many may have a connection at once: as many as there are, and a few more, for whom new ones are made.
//!
//! Without this, each of a hundred who come to a server that has just started would have a connection made for itself. Making
//! one takes long, a password is hashed a few thousand times on both sides for it, and who has begun that takes no other one,
//! though those that were made first have served everyone else by then.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many connections are made at a time.
const MAKING: usize = 2;

/// Where those wait who want a connection.
#[derive(Clone)]
pub(super) struct Room(Arc<Inside>);

struct Inside {
    seats: Arc<Semaphore>,
    /// How many seats there are, taken or not.
    count: Mutex<usize>,
    most: usize,
}

/// One may have a connection as long as this is there.
pub(super) type Seat = OwnedSemaphorePermit;

impl Room {
    /// For so many at most.
    pub(super) fn new(most: usize) -> Self {
        let count = MAKING.min(most);
        Self(Arc::new(Inside { seats: Arc::new(Semaphore::new(count)), count: Mutex::new(count), most }))
    }

    /// Waits for a seat, in turn. None if the room is closed, which nobody does.
    pub(super) async fn enter(&self) -> Option<Seat> {
        self.0.seats.clone().acquire_owned().await.ok()
    }

    /// Makes it as large as it is to be where there are so many connections.
    pub(super) fn fit(&self, connections: usize) {
        let Inside { seats, count, most } = &*self.0;
        let fitting = (connections + MAKING).min(*most);
        let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
        if *count < fitting {
            seats.add_permits(fitting - *count);
            *count = fitting;
        } else if *count > fitting {
            // Those that are taken stay for now.
            *count -= seats.forget_permits(*count - fitting);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn enter(room: &Room) -> Option<Seat> {
        room.enter().now_or_never().flatten()
    }

    #[test]
    fn there_are_seats_for_the_connections_that_are_there_and_for_two_that_are_made() {
        let room = Room::new(4);
        let mut seats = vec![enter(&room).unwrap(), enter(&room).unwrap()];
        assert!(enter(&room).is_none());

        room.fit(1);
        seats.push(enter(&room).unwrap());
        assert!(enter(&room).is_none());
        room.fit(4);

        seats.push(enter(&room).unwrap());
        assert!(enter(&room).is_none(), "no more than four");
    }

    #[test]
    fn where_connections_were_lost_few_are_made_again_at_a_time() {
        let room = Room::new(8);
        room.fit(8);
        let taken = enter(&room).unwrap();

        room.fit(0);
        let one = enter(&room).unwrap();
        drop(taken);
        let two = enter(&room).unwrap();

        assert!(enter(&room).is_none());
        drop((one, two));
        room.fit(8);
        let all: Vec<_> = std::iter::from_fn(|| enter(&room)).collect();
        assert_eq!(all.len(), 8);
    }
}
