//! A counter in memory, for a service of one process. Bounded: keys beyond its size push others out.
//!
//! It keeps a hash of each key under a secret of its own, which nobody outside can find two keys for.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::{BuildHasher, BuildHasherDefault, Hasher},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::{Away, Charge, Count, Counter, Quota, async_trait, window_end};

/// Counts in memory.
#[derive(Debug)]
pub struct MemoryCounter {
    size: usize,
    secret: RandomState,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    counts: HashMap<u64, Count, BuildHasherDefault<Hashed>>,
    /// The second of the last sweep: a table full of living windows is not searched again on every request.
    swept: u64,
}

impl MemoryCounter {
    /// Keeps at most so many keys. Someone who comes from more addresses than that is not stopped by counting addresses.
    pub fn new(size: usize) -> Self {
        Self { size: size.max(1), secret: RandomState::new(), state: Mutex::default() }
    }

    /// How many keys it holds.
    pub fn keys(&self) -> usize {
        self.lock().counts.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The count of a key in the window that `now` falls in.
    fn count(&mut self, key: u64, Quota { window, .. }: Quota, size: usize, now: Duration) -> &mut Count {
        let reset_at = window_end(window, now);
        if self.counts.len() >= size && !self.counts.contains_key(&key) {
            self.make_room(size, now.as_secs());
        }
        let count = self.counts.entry(key).or_insert(Count { used: 0, reset_at });
        // A window that is over starts again. A clock that went back a little must not open a closed one early; one
        // that was far ahead and was set right must not keep it closed until then.
        let farthest = reset_at.saturating_add(window.as_secs().max(1));
        if count.reset_at < reset_at || count.reset_at > farthest {
            *count = Count { used: 0, reset_at };
        }
        count
    }

    fn make_room(&mut self, size: usize, now: u64) {
        if self.swept != now {
            self.swept = now;
            self.counts.retain(|_, count| count.reset_at > now);
        }
        if self.counts.len() >= size {
            // Any one will do: forgetting a count is kinder than refusing somebody who was never counted.
            let victim = self.counts.keys().next().copied();
            victim.map(|key| self.counts.remove(&key));
        }
    }
}

#[async_trait]
impl Counter for MemoryCounter {
    async fn hit(&self, charges: &[Charge], now: Duration) -> Result<Vec<Count>, Away> {
        Ok(self.count(charges, now))
    }

    fn hit_at_once(&self, charges: &[Charge], now: Duration) -> Option<Vec<Count>> {
        Some(self.count(charges, now))
    }
}

impl MemoryCounter {
    fn count(&self, charges: &[Charge], now: Duration) -> Vec<Count> {
        let mut state = self.lock();
        let mut count = |charge: &Charge, is_hit: fn(&Count, u64) -> bool| {
            let quota = charge.policy.quota();
            let count = state.count(self.secret.hash_one(charge), quota, self.size, now);
            if is_hit(count, quota.limit) {
                count.used = count.used.saturating_add(1).min(quota.limit.saturating_add(1));
            }
            *count
        };
        let is_full = |count: &Count, limit| count.used >= limit;
        let is_refused = match charges {
            [_] => false,
            several => several.iter().any(|charge| is_full(&count(charge, |_, _| false), charge.policy.quota().limit)),
        };
        charges.iter().map(|charge| count(charge, if is_refused { is_full } else { |_, _| true })).collect()
    }
}

/// What is a hash already.
#[derive(Debug, Clone, Copy, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
