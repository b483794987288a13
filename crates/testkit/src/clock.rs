//! A clock that moves only when told.

use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};
use valetkey_oauth::ports::Clock;

/// Stands at one moment until it is moved.
pub struct FixedClock {
    /// The true time.
    time: Mutex<Timestamp>,
    /// So many seconds the clock is ahead of it.
    ahead: AtomicI64,
}

impl Default for FixedClock {
    /// 14 November 2026, a quarter past noon.
    fn default() -> Self {
        Self::at(moment(0))
    }
}

impl FixedClock {
    /// Stands at this moment.
    pub fn at(moment: Timestamp) -> Self {
        Self { time: Mutex::new(moment), ahead: AtomicI64::new(0) }
    }

    /// Moves by so many seconds, also backwards.
    pub fn advance(&self, seconds: i64) {
        let mut now = self.time.lock().unwrap();
        *now = now.checked_add(SignedDuration::from_secs(seconds)).unwrap();
    }

    /// Is set forwards or back by so many seconds, while no time passes.
    pub fn leap(&self, seconds: i64) {
        self.ahead.fetch_add(seconds, Ordering::Relaxed);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        let ahead = SignedDuration::from_secs(self.ahead.load(Ordering::Relaxed));
        self.time.lock().unwrap().checked_add(ahead).unwrap()
    }

    fn surely_past(&self) -> Timestamp {
        self.now().min(*self.time.lock().unwrap())
    }
}

/// A moment so many seconds after the beginning of all tests.
pub fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_794_658_500 + seconds).unwrap()
}
