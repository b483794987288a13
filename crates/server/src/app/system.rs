//! The wall clock and the system's randomness: the only place where either is asked.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;
use valetkey_oauth::ports::{Clock, Random};
use valetkey_resources::ports::{self as resources, Ids};

/// The wall clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl SystemClock {
    /// What it shows, counted from the beginning of 1970. One that stands before that shows that moment.
    #[expect(clippy::disallowed_methods, reason = "this is the port's one real clock")]
    pub fn since_1970(self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }
}

impl Clock for SystemClock {
    /// Each request asks several times, so nothing is converted twice.
    fn now(&self) -> Timestamp {
        let since = self.since_1970();
        let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
        Timestamp::new(seconds, since.subsec_nanos().cast_signed()).unwrap_or(Timestamp::MAX)
    }

    fn surely_past(&self) -> Timestamp {
        static STEADY: Mutex<Option<Steady>> = Mutex::new(None);
        let (now, tick) = (Clock::now(self), Instant::now());
        let mut steady = STEADY.lock().unwrap_or_else(PoisonError::into_inner);
        steady.get_or_insert(Steady { time: now, tick }).step(now, tick)
    }
}

/// The wall clock as far as a stopwatch bears it out. It follows a clock that is set back at once, and one that is set ahead
/// only as time passes, and a tenth faster, so that it comes to it in the end (a machine that slept has no stopwatch to
/// show for it). The first look has to be believed.
#[derive(Debug)]
struct Steady {
    time: Timestamp,
    tick: Instant,
}

impl Steady {
    fn step(&mut self, now: Timestamp, tick: Instant) -> Timestamp {
        let passed = tick.saturating_duration_since(self.tick).saturating_mul(11) / 10;
        let borne_out = SignedDuration::try_from(passed).ok().and_then(|passed| self.time.checked_add(passed).ok());
        *self = Self { time: borne_out.map_or(now, |time| time.min(now)), tick };
        self.time
    }
}

/// The system's randomness.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    /// A system without randomness must not issue anything: better to stop than to go on with zeros.
    fn fill(&self, buffer: &mut [u8]) {
        if getrandom::fill(buffer).is_err() {
            std::process::abort();
        }
    }

    /// Each piece of a portion is used once, and is gone from memory then.
    fn fill_id(&self, buffer: &mut [u8]) {
        if buffer.len() > PORTION {
            return self.fill(buffer);
        }
        FOR_IDS.with_borrow_mut(|(portion, left)| {
            if *left < buffer.len() {
                self.fill(portion);
                *left = PORTION;
            }
            let piece = &mut portion[*left - buffer.len()..*left];
            buffer.copy_from_slice(piece);
            piece.fill(0);
            *left -= buffer.len();
        });
    }
}

/// So many bytes of randomness wait on each thread: to ask the system takes as long for few as for these.
const PORTION: usize = 1_024;

thread_local! {
    static FOR_IDS: RefCell<([u8; PORTION], usize)> = const { RefCell::new(([0; PORTION], 0)) };
}

impl resources::Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Clock::now(self)
    }
}

/// Ids of rows: greater than every one before them in this process, also within one millisecond.
#[derive(Debug, Default)]
pub struct SystemIds {
    /// Milliseconds, and twelve bits that count within one.
    last: AtomicU64,
}

impl Ids for SystemIds {
    fn next(&self, now: Timestamp) -> Uuid {
        let tick = u64::try_from(now.as_millisecond()).unwrap_or(0) << 12;
        let step = |last: u64| Some(tick.max(last + 1));
        let last = self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step).unwrap_or_default();
        let tick = tick.max(last + 1);
        let mut bytes = [0; 10];
        SystemRandom.fill_id(&mut bytes);
        bytes[..2].copy_from_slice(&((tick & 0xfff) as u16).to_be_bytes());
        uuid::Builder::from_unix_timestamp_millis(tick >> 12, &bytes).into_uuid()
    }
}

/// A fresh id for a request.
pub fn request_id() -> Uuid {
    let mut bytes = [0; 16];
    SystemRandom.fill_id(&mut bytes);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests;
