//! The log, and how it comes into the file: on a thread of its own, while others write.
//!
//! SQLite leaves that to whoever commits once the log has become long, all of it at once, and everybody who writes waits for as
//! long as the disk takes. But the log starts over only with the first commit after all of it is in the file, while nobody reads
//! what is in the log; so the last of it, what came in meanwhile, is left to a commit.

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
    /// So many are left to whoever commits where the thread cannot keep up.
    most: u32,
    /// Where somebody still reads, the log does not start over, and so many more come before a commit tries again.
    again: u32,
}

/// 16, 32, 8 and 64 MB (decision 0003), and 2 until the next try.
pub(super) const LENGTHS: Lengths = Lengths { worth: 4_096, long: 8_192, few: 2_048, most: 16_384, again: 512 };

/// The first SQLite in which two who bring the log into the file, and a commit with which it starts over, never lose a page.
const SOUND: i32 = 3_051_003;

/// What a commit does about the log.
#[derive(Debug, PartialEq, Eq)]
enum Due {
    Nothing,
    /// The thread should bring some of it into the file.
    Beside,
    /// What is left comes into the file before anybody is answered.
    Here,
}

/// What a connection that writes knows of the log, from one commit to the next.
#[derive(Debug, Default)]
struct Known {
    pages: u32,
    /// How long it was when a commit last tried to bring in the rest.
    tried: Option<u32>,
}

impl Known {
    /// It has so many pages now, and had so many in the file. Answers whether it has started over.
    fn grows(&mut self, pages: u32) -> bool {
        let is_new = pages < self.pages;
        self.pages = pages;
        if is_new {
            self.tried = None;
        }
        is_new
    }

    /// What is to be done where so many pages are in the file?
    fn due(&mut self, lengths: Lengths, brought: u32) -> Due {
        let pages = self.pages;
        let left = pages.saturating_sub(brought);
        let is_tried = self.tried.is_some_and(|tried| pages - tried < lengths.again);
        // More than the most are left where somebody read an old state for long: the thread goes first, then.
        let is_rest = left <= lengths.few || (pages >= lengths.most && left <= lengths.most);
        if pages >= lengths.long && is_rest {
            if is_tried {
                return Due::Nothing;
            }
            self.tried = Some(pages);
            Due::Here
        } else if pages >= lengths.long || left >= lengths.worth {
            Due::Beside
        } else {
            Due::Nothing
        }
    }
}

/// So often the thread looks for more before it waits for the next call.
const ROUNDS: u32 = 3;

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
        if rusqlite::version_number() < SOUND {
            let version = rusqlite::version();
            let told = format!(
                "this program was built with SQLite {version}, which is too old. Build it with the one it brings"
            );
            return Err(StoreError::Unavailable(told));
        }
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
        let mut known = Known::default();
        let committed = move |wal: &mut Wal, pages: c_int| {
            if known.grows(pages.try_into().unwrap_or(0)) {
                log.0.brought.store(0, Ordering::Relaxed);
            }
            match known.due(lengths, log.0.brought.load(Ordering::Relaxed)) {
                Due::Nothing => {}
                Due::Beside => drop(call.try_send(())),
                Due::Here => {
                    if !log.finish(wal) {
                        // The thread is at it: the next commit tries again.
                        known.tried = None;
                    }
                }
            }
            // It was committed, whatever becomes of the log.
            Ok(())
        };
        writer.wal_hook(Some(committed)).map_err(store_error)
    }

    fn serve(&self, calls: &Receiver<()>) {
        while calls.recv().is_ok() {
            // SQLite syncs the file once all of the log is in it. The later rounds are short, so that there may be no commit among
            // them, and then whoever commits next need not wait for what this thread wrote.
            let is_all = |_: &u32| self.bring().is_none_or(Brought::is_all);
            (0..ROUNDS).find(is_all);
        }
    }

    /// Answers whether it could be tried.
    fn finish(&self, wal: &mut Wal) -> bool {
        let brought = wal.checkpoint_v2(CheckpointMode::PASSIVE).ok().and_then(Brought::of);
        brought.into_iter().for_each(|brought| self.note(brought));
        brought.is_some()
    }

    fn note(&self, brought: Brought) {
        self.0.brought.store(brought.brought, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
