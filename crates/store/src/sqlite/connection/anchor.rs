//! An anchor: between two commits, one connection rests in the newest state of the database.
//!
//! Who begins to read takes a lock of the system, and gives it back at the end: two calls for a read of a few microseconds.
//! Within a process SQLite counts how many hold the same lock, and asks the system for the first and the last of them alone.
//! While the anchor is down, nobody else is the first or the last.
//!
//! It is up during a commit: what is left of the log may come into the file then, and it starts over only if nobody stands in
//! the way. And it is up while others write, commands of an operator for instance: their log could not start over either. A
//! watch notices that.
//!
//! As long as something is in the log alone, whoever reads a page looks for it there first. So when nobody writes any more, the
//! watch brings the log into the file.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use rusqlite::Connection;
use valetkey_oauth::ports::StoreError;

use super::log::{Brought, Log};
use super::open_reader;

/// How often the watch looks.
const WATCH: Duration = Duration::from_secs(1);

/// Where there is no connection, nothing is held.
#[derive(Clone, Default)]
pub(super) struct Anchor(Arc<Mutex<Chain>>);

#[derive(Default)]
struct Chain {
    connection: Option<Connection>,
    /// Comes into the file while that one rests.
    log: Option<Log>,
    /// What the database looked like to the watch.
    seen: Option<i64>,
    /// What it looked like when the log was last brought into the file.
    settled: Option<i64>,
}

impl Anchor {
    pub(super) fn open(path: &Path, log: Log) -> Result<Self, StoreError> {
        let chain = Chain { connection: Some(open_reader(path, false)?), log: Some(log), ..Chain::default() };
        Ok(Self(Arc::new(Mutex::new(chain))))
    }

    /// Looks every second, as long as there is an anchor.
    pub(super) fn watch(&self) -> std::io::Result<()> {
        let chain: Weak<_> = Arc::downgrade(&self.0);
        let watch = move || {
            while let Some(anchor) = chain.upgrade().map(Self) {
                if anchor.look() {
                    anchor.settle();
                }
                drop(anchor);
                std::thread::sleep(WATCH);
            }
        };
        std::thread::Builder::new().name("sqlite-anchor".to_owned()).spawn(watch).map(drop)
    }

    /// Rests in the newest state. If it fails, others pay for their locks.
    pub(super) fn drop_here(&self) {
        self.chain().rest();
    }

    /// Stands in nobody's way.
    pub(super) fn weigh(&self) {
        self.chain().say("COMMIT");
    }

    /// Somebody has written since the last look: whoever it was, the anchor is up until our next commit or a quiet look. Answers
    /// whether it was a quiet one with something to settle.
    pub(super) fn look(&self) -> bool {
        let mut chain = self.chain();
        chain.say("COMMIT");
        let version = chain.say("PRAGMA data_version");
        let is_quiet = std::mem::replace(&mut chain.seen, version) == version;
        if is_quiet {
            chain.rest();
        }
        is_quiet && chain.settled != version
    }

    /// Brings the log into the file, beside those who read and write. What a reader still needs of it stays for another time.
    pub(super) fn settle(&self) {
        let (log, version) = {
            let chain = self.chain();
            (chain.log.clone(), chain.seen)
        };
        // Somebody else may be at it, and may not get far.
        if log.and_then(|log| log.bring()).is_some_and(Brought::is_all) {
            let mut chain = self.chain();
            chain.settled = version;
            // From here on, readers leave the log alone.
            chain.say("COMMIT");
            chain.rest();
        }
    }

    fn chain(&self) -> MutexGuard<'_, Chain> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Chain {
    fn rest(&self) {
        self.say("BEGIN");
        self.say("PRAGMA schema_version");
    }

    /// What the database answers, if it does: a transaction may be there already, or not, and the next commit begins anew.
    fn say(&self, sql: &str) -> Option<i64> {
        let mut said = self.connection.as_ref()?.prepare_cached(sql).ok()?;
        let mut rows = said.query([]).ok()?;
        rows.next().ok()??.get(0).ok()
    }
}

#[cfg(test)]
mod tests;
