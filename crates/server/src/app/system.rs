//! The wall clock and the system's randomness: the only place where either is asked.

use jiff::Timestamp;
use uuid::Uuid;
use valetkey_oauth::ports::{Clock, Random};

/// The wall clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the port's one real clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// The system's randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    /// A system without randomness must not issue anything: better to stop than to go on with zeros.
    fn fill(&self, buffer: &mut [u8]) {
        if aws_lc_rs::rand::fill(buffer).is_err() {
            std::process::abort();
        }
    }
}

/// A fresh id for a request.
pub fn request_id() -> Uuid {
    (&SystemRandom as &dyn Random).uuid()
}
