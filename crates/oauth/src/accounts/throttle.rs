//! Back-off for sign-ins: per account and address, and per address. In memory, bounded, and no way to lock others out.
//!
//! A stranger who fails for someone else's account slows down only himself: the count stands under his own address.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use crate::moment::later;

/// So many mistakes are free for one account from one address.
const FREE_FOR_ACCOUNT: u32 = 5;
/// So many mistakes are free from one address, whatever the account: an office has many people.
const FREE_FOR_ADDRESS: u32 = 30;
/// The longest wait.
const MOST: Duration = Duration::from_secs(15 * 60);
/// Beyond this the oldest entries go; each costs an attacker an address or a name.
const CAPACITY: usize = 100_000;

/// Counts failures.
#[derive(Debug, Default)]
pub struct Throttle(Mutex<HashMap<String, Failures>>);

#[derive(Debug, Clone, Copy)]
struct Failures {
    count: u32,
    until: Timestamp,
    last: Timestamp,
}

impl Throttle {
    /// How long this attempt must wait; `None` if it may go on.
    pub fn wait(&self, username: &str, address: Option<&str>, now: Timestamp) -> Option<Duration> {
        let map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let until = keys(username, address).iter().filter_map(|(key, _)| map.get(key)).map(|seen| seen.until).max()?;
        Duration::try_from(until.duration_since(now)).ok().filter(|wait| !wait.is_zero())
    }

    /// Notes a failure; answers how many there were in a row for this account from there.
    pub fn failed(&self, username: &str, address: Option<&str>, now: Timestamp) -> u32 {
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if map.len() >= CAPACITY {
            map.retain(|_, seen| later(seen.last, MOST) > now);
        }
        let mut count = 0;
        for (key, free) in keys(username, address).into_iter().rev() {
            let seen = map.entry(key).or_insert(Failures { count: 0, until: now, last: now });
            // Who has been quiet for longer than the longest wait starts anew.
            seen.count = if later(seen.last, MOST) <= now { 1 } else { seen.count.saturating_add(1) };
            seen.last = now;
            seen.until = later(now, delay(seen.count, free));
            count = seen.count;
        }
        count
    }

    /// Forgets the failures of this account from there: its owner is in.
    pub fn succeeded(&self, username: &str, address: Option<&str>) {
        let mut map = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let [(key, _), _] = keys(username, address);
        map.remove(&key);
    }
}

fn keys(username: &str, address: Option<&str>) -> [(String, u32); 2] {
    let address = address.unwrap_or_default();
    let name: String = username.chars().take(100).collect::<String>().to_ascii_lowercase();
    [(format!("{address} {name}"), FREE_FOR_ACCOUNT), (format!("{address} "), FREE_FOR_ADDRESS)]
}

/// Doubles with each mistake beyond the free ones: 1 s, 2 s, 4 s, up to the longest.
fn delay(count: u32, free: u32) -> Duration {
    match count.checked_sub(free) {
        None | Some(0) => Duration::ZERO,
        Some(beyond) => MOST.min(Duration::from_secs(1 << (beyond - 1).min(20))),
    }
}
