//! Time as a parameter.

use jiff::Timestamp;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// A moment that has surely passed, also while the clock is ahead of the true time. Only what ran out before it may be
    /// forgotten: a clock that leaps ahead and is set back must not bring back what was revoked or used up meanwhile.
    fn surely_past(&self) -> Timestamp {
        self.now()
    }
}
