//! What others write into the file while the server runs: commands of an operator, or somebody by hand. Nobody tells the
//! server. So what it knows from memory counts only as long as the writer has looked lately.
//!
//! SQLite tells a connection whether others have committed, and the server commits on that of the writer. So that one knows
//! what came from outside, and no other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// A look is asked for when the last one is older.
const OLD: Duration = Duration::from_millis(300);
/// What was true so long ago counts no more: what a command beside a running server does takes effect within one second.
const TOO_OLD: Duration = Duration::from_millis(900);

/// When the writer last looked. Shared by it and by those who want to know.
#[derive(Clone)]
pub(super) struct Outside(Arc<Shared>);

struct Shared {
    born: Instant,
    /// So many milliseconds after that; none yet: [`NEVER`].
    looked: AtomicU64,
    is_asked: AtomicBool,
}

const NEVER: u64 = u64::MAX;

/// What the writer remembers from look to look.
#[derive(Debug, Default)]
pub(super) struct Looks {
    version: Option<i64>,
}

impl Default for Outside {
    fn default() -> Self {
        let (looked, is_asked) = (AtomicU64::new(NEVER), AtomicBool::new(false));
        Self(Arc::new(Shared { born: Instant::now(), looked, is_asked }))
    }
}

impl Outside {
    /// Does what is known from memory count? Where the last look is old, the next one is asked for, by one of those who come at
    /// once; `ask` answers whether it could.
    pub(super) fn is_known(&self, ask: impl FnOnce() -> bool) -> bool {
        self.is_known_after(self.0.born.elapsed(), ask)
    }

    fn is_known_after(&self, now: Duration, ask: impl FnOnce() -> bool) -> bool {
        let looked = self.0.looked.load(Ordering::Acquire);
        let age = now.saturating_sub(Duration::from_millis(looked));
        let is_known = looked != NEVER && age <= TOO_OLD;
        if (!is_known || age > OLD) && !self.0.is_asked.swap(true, Ordering::Relaxed) && !ask() {
            self.0.is_asked.store(false, Ordering::Relaxed);
        }
        is_known
    }

    pub(super) fn is_asked(&self) -> bool {
        self.0.is_asked.load(Ordering::Relaxed)
    }

    /// Looks, with the connection of the writer. If others have committed since the last time, `found` is told before the look
    /// counts.
    pub(super) fn look(&self, connection: &Connection, looks: &mut Looks, found: impl FnOnce()) {
        let begun = self.0.born.elapsed();
        let version = connection
            .prepare_cached("PRAGMA data_version")
            .and_then(|mut statement| statement.query_row([], |row| row.get::<_, i64>(0)));
        if let Ok(version) = version {
            if looks.version.replace(version) != Some(version) {
                found();
            }
            self.0.looked.store(u64::try_from(begun.as_millis()).unwrap_or(NEVER), Ordering::Release);
        }
        self.0.is_asked.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests;
