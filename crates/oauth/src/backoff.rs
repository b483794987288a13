//! Growing waits after mistakes: counted under any name, in memory and bounded.

use std::collections::HashMap;
use std::net::Ipv6Addr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use crate::moment::later;

/// The longest wait.
const MOST: Duration = Duration::from_secs(15 * 60);
/// No more entries than this, whatever happens; see [`make_room`].
const CAPACITY: usize = 100_000;

/// What mistakes are counted under, and how many of them are free.
pub(crate) type Count = (String, u32);

/// What an address counts as: whoever has one of IPv6 has the 2⁶⁴ beside it too.
pub(crate) fn network(address: Option<&str>) -> String {
    let address = address.unwrap_or_default();
    match address.parse::<Ipv6Addr>() {
        Ok(v6) if v6.to_ipv4_mapped().is_none() => {
            let [a, b, c, d, ..] = v6.segments();
            format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        _ => address.to_owned(),
    }
}

/// Counts mistakes.
#[derive(Debug, Default)]
pub(crate) struct Backoff(Mutex<HashMap<String, Mistakes>>);

#[derive(Debug, Clone, Copy)]
struct Mistakes {
    count: u32,
    until: Timestamp,
    last: Timestamp,
}

impl Backoff {
    /// How long the next attempt must wait; `None` if it may go on.
    pub(crate) fn wait(&self, counts: &[Count], now: Timestamp) -> Option<Duration> {
        wait(&self.map(), counts, now)
    }

    /// Notes a mistake; answers how many there were in a row under the first name.
    pub(crate) fn failed(&self, counts: &[Count], now: Timestamp) -> u32 {
        note(&mut self.map(), counts, now)
    }

    /// Counts an attempt as a mistake before its outcome is known, so that of many at once no more go on than one after
    /// the other would. Answers how many there were, or how long to wait. See [`Backoff::refund`].
    pub(crate) fn spend(&self, counts: &[Count], now: Timestamp) -> Result<u32, Duration> {
        let mut map = self.map();
        match wait(&map, counts, now) {
            Some(wait) => Err(wait),
            None => Ok(note(&mut map, counts, now)),
        }
    }

    /// It was no mistake after all. Earlier ones still count.
    pub(crate) fn refund(&self, counts: &[Count], now: Timestamp) {
        let mut map = self.map();
        for (name, _) in counts {
            if let Some(seen) = map.get_mut(name) {
                seen.count = seen.count.saturating_sub(1);
                seen.until = now;
            }
        }
    }

    /// Forgets what was counted under this name.
    pub(crate) fn forget(&self, (name, _): &Count) {
        self.map().remove(name);
    }

    fn map(&self) -> MutexGuard<'_, HashMap<String, Mistakes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wait(map: &HashMap<String, Mistakes>, counts: &[Count], now: Timestamp) -> Option<Duration> {
    let until = counts.iter().filter_map(|(name, _)| map.get(name)).map(|seen| seen.until);
    // What lies further ahead than any wait was written by a clock that was wrong.
    let until = until.filter(|until| *until <= later(now, MOST)).max()?;
    Duration::try_from(until.duration_since(now)).ok().filter(|wait| !wait.is_zero())
}

fn note(map: &mut HashMap<String, Mistakes>, counts: &[Count], now: Timestamp) -> u32 {
    let new = counts.iter().filter(|(name, _)| !map.contains_key(name)).count();
    make_room(map, new, |seen| later(seen.last, MOST) > now);
    let mut count = 0;
    for (name, free) in counts.iter().rev() {
        let seen = map.entry(name.clone()).or_insert(Mistakes { count: 0, until: now, last: now });
        // Who has been quiet for longer than the longest wait starts anew.
        seen.count = if later(seen.last, MOST) <= now { 1 } else { seen.count.saturating_add(1) };
        seen.last = now;
        seen.until = later(now, delay(seen.count, *free));
        count = seen.count;
    }
    count
}

/// Makes room for so many new entries. Those that count no more go first. If that is less than a tenth, others go, no
/// matter which, until a tenth is free: the map never grows beyond its capacity, and is searched only once for each tenth.
/// Nobody can tell who goes, as the order is a secret of the map, and each entry costs an attacker an address or a name.
pub(crate) fn make_room<V>(map: &mut HashMap<String, V>, new: usize, still_counts: impl Fn(&V) -> bool) {
    if map.len() + new <= CAPACITY {
        return;
    }
    map.retain(|_, entry| still_counts(entry));
    let mut excess = map.len().saturating_sub(CAPACITY - CAPACITY / 10);
    map.retain(|_, _| {
        let stays = excess == 0;
        excess = excess.saturating_sub(1);
        stays
    });
}

/// Doubles with each mistake beyond the free ones: 1 s, 2 s, 4 s, up to the longest.
fn delay(count: u32, free: u32) -> Duration {
    match count.checked_sub(free) {
        None | Some(0) => Duration::ZERO,
        Some(beyond) => MOST.min(Duration::from_secs(1 << (beyond - 1).min(20))),
    }
}

#[cfg(test)]
mod tests;
