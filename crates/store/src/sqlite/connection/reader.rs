//! Readers: a few connections beside the writer. A point read takes microseconds, so it runs where it is asked for.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::available_parallelism;

use rusqlite::Connection;
use valetkey_oauth::ports::StoreError;

use super::open_reader;

/// A handful of read connections, handed out in turn.
pub(in crate::sqlite) struct Readers {
    connections: Vec<Mutex<Connection>>,
    next: AtomicUsize,
}

impl Readers {
    pub(in crate::sqlite) fn open(path: &Path) -> Result<Self, StoreError> {
        let count = available_parallelism().map_or(2, |cores| cores.get().clamp(2, 8));
        let connections = (0..count).map(|_| open_reader(path).map(Mutex::new)).collect::<Result<_, _>>()?;
        Ok(Self { connections, next: AtomicUsize::new(0) })
    }

    /// Reads on the first connection that is free.
    pub(in crate::sqlite) fn read<T>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        work(&self.any())
    }

    fn any(&self) -> MutexGuard<'_, Connection> {
        let start = self.next.fetch_add(1, Ordering::Relaxed) % self.connections.len();
        for turn in 0..self.connections.len() {
            match self.connections[(start + turn) % self.connections.len()].try_lock() {
                Ok(connection) => return connection,
                Err(TryLockError::Poisoned(poisoned)) => return poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        self.connections[start].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
