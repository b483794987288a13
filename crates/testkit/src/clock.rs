//! A clock that moves only when told.

use std::sync::Mutex;

use jiff::{SignedDuration, Timestamp};
use valetkey_oauth::ports::Clock;

/// Stands at one moment until it is moved.
pub struct FixedClock(Mutex<Timestamp>);

impl Default for FixedClock {
    /// 14 November 2026, a quarter past noon.
    fn default() -> Self {
        Self::at(moment(0))
    }
}

impl FixedClock {
    /// Stands at this moment.
    pub fn at(moment: Timestamp) -> Self {
        Self(Mutex::new(moment))
    }

    /// Moves by so many seconds, also backwards.
    pub fn advance(&self, seconds: i64) {
        let mut now = self.0.lock().unwrap();
        *now = now.checked_add(SignedDuration::from_secs(seconds)).unwrap();
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

/// A moment so many seconds after the beginning of all tests.
pub fn moment(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_794_658_500 + seconds).unwrap()
}
