//! The log, and how it comes into the file: on a thread of its own, while others write.
//!
//! SQLite leaves that to whoever commits once the log has become long, all of it at once, and everybody who writes waits for as
//! long as the disk takes. But the log can start over only where all of it is in the file and nobody writes, so what came in
//! meanwhile is left to a commit in the end: a little.

use std::ffi::c_int;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::hooks::Wal;
use rusqlite::wal::CheckpointMode;
use rusqlite::{Connection, MAIN_DB};
use valetkey_oauth::ports::StoreError;

use super::open_reader;
use crate::sqlite::store_error;

/// How long the log may become, in pages of 4 KiB.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lengths {
    /// So many that are in the log alone are worth the way. A page that changed often among them is written once.
    worth: u32,
    /// It is to start over.
    long: u32,
    /// So few may be left to whoever commits.
    few: u32,
    /// Whoever commits brings in all that there are: the thread cannot keep up, or somebody reads an old state for long.
    most: u32,
}

/// 16, 32, 8 and 64 MB (decision 0003).
pub(super) const LENGTHS: Lengths = Lengths { worth: 4_096, long: 8_192, few: 2_048, most: 16_384 };

/// What a commit does about the log.
#[derive(Debug, PartialEq, Eq)]
enum Due {
    Nothing,
    /// The thread should bring some of it into the file.
    Beside,
    /// What is left comes into the file before anybody is answered.
    Here,
}

impl Lengths {
    /// Of a log of so many pages, so many of which are in the file.
    fn due(&self, pages: u32, brought: u32) -> Due {
        // It has started over since.
        let brought = if brought > pages { 0 } else { brought };
        let left = pages - brought;
        if pages >= self.most || (pages >= self.long && left <= self.few) {
            Due::Here
        } else if pages >= self.long || left >= self.worth {
            Due::Beside
        } else {
            Due::Nothing
        }
    }
}

/// The log of one file.
#[derive(Clone)]
pub(super) struct Log(Arc<Beside>);

struct Beside {
    connection: Mutex<Connection>,
    /// So many pages of the log are in the file, as far as anybody has said.
    brought: AtomicU32,
}

/// What there was of the log, and what of it is in the file now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Brought {
    pages: u32,
    brought: u32,
}

impl Brought {
    fn of((pages, brought): (c_int, c_int)) -> Option<Self> {
        // Where there is no log, SQLite says -1.
        Some(Self { pages: pages.try_into().ok()?, brought: brought.try_into().ok()? })
    }

    /// Is there nothing left?
    pub(super) fn is_all(self) -> bool {
        self.pages == self.brought
    }
}

impl Log {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = Mutex::new(open_reader(path, false)?);
        Ok(Self(Arc::new(Beside { connection, brought: AtomicU32::new(0) })))
    }

    /// Brings as much of it into the file as nobody reads from the log any more, beside those who read and write. None if
    /// somebody else is at it.
    pub(super) fn bring(&self) -> Option<Brought> {
        let connection = self.0.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let brought =
            connection.wal_checkpoint_v2(Some(MAIN_DB), CheckpointMode::PASSIVE).ok().and_then(Brought::of)?;
        self.note(brought);
        Some(brought)
    }

    /// Sees to the log after each commit of this connection, with a thread that ends with it.
    pub(super) fn mind(&self, writer: &mut Connection, lengths: Lengths) -> Result<(), StoreError> {
        // One call for it may wait: whoever brings the log in finds all that there is by then.
        let (call, calls) = sync_channel(1);
        let (log, of_thread) = (self.clone(), self.clone());
        let unavailable = |error: std::io::Error| StoreError::Unavailable(error.to_string());
        std::thread::Builder::new()
            .name("sqlite-log".to_owned())
            .spawn(move || of_thread.serve(&calls))
            .map_err(unavailable)?;
        let committed = move |wal: &mut Wal, pages: c_int| {
            match lengths.due(pages.try_into().unwrap_or(0), log.0.brought.load(Ordering::Relaxed)) {
                Due::Nothing => {}
                Due::Beside => drop(call.try_send(())),
                Due::Here => log.finish(wal),
            }
            // It was committed, whatever becomes of the log.
            Ok(())
        };
        writer.wal_hook(Some(committed)).map_err(store_error)
    }

    fn serve(&self, calls: &Receiver<()>) {
        while calls.recv().is_ok() {
            self.bring();
        }
    }

    fn finish(&self, wal: &mut Wal) {
        let brought = wal.checkpoint_v2(CheckpointMode::PASSIVE).ok().and_then(Brought::of);
        brought.into_iter().for_each(|brought| self.note(brought));
    }

    fn note(&self, brought: Brought) {
        self.0.brought.store(brought.brought, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
