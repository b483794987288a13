//! The wall clock and the system's randomness: the only place where either is asked.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;
use valetkey_oauth::ports::{Clock, Random};
use valetkey_resources::ports::{self as resources, Ids};

/// The wall clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the port's one real clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
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
        SystemRandom.fill(&mut bytes);
        bytes[..2].copy_from_slice(&((tick & 0xfff) as u16).to_be_bytes());
        uuid::Builder::from_unix_timestamp_millis(tick >> 12, &bytes).into_uuid()
    }
}

/// So many ids are made of one portion of randomness.
const PORTION: usize = 64;

thread_local! {
    static IDS: RefCell<([[u8; 16]; PORTION], usize)> = const { RefCell::new(([[0; 16]; PORTION], PORTION)) };
}

/// A fresh id for a request. It is no secret, so that randomness may wait in memory for it.
pub fn request_id() -> Uuid {
    IDS.with_borrow_mut(|(portion, used)| {
        if *used == PORTION {
            SystemRandom.fill(portion.as_flattened_mut());
            *used = 0;
        }
        *used += 1;
        uuid::Builder::from_random_bytes(portion[*used - 1]).into_uuid()
    })
}

#[cfg(test)]
mod tests;
