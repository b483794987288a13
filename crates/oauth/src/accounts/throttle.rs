//! Back-off for sign-ins: per account and address, and per address. Per account for alerts only. In memory, bounded, and no
//! way to lock others out.
//!
//! A stranger who fails for someone else's account slows down only himself: the count stands under his own address.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

use crate::backoff::{Backoff, Count, make_room, network};
use crate::model::UserId;
use crate::moment::later;

/// So many mistakes are free for one account from one address.
const FREE_FOR_ACCOUNT: u32 = 5;
/// So many mistakes are free from one address, whatever the account: an office has many people.
const FREE_FOR_ADDRESS: u32 = 30;

/// Counted, but waited for by nobody.
const ALL_FREE: u32 = u32::MAX;
/// Who signed in from an address is not slowed by the mistakes of others there for so long.
const AT_HOME: Duration = Duration::from_secs(24 * 60 * 60);

/// Counts failures.
#[derive(Debug, Default)]
pub struct Throttle {
    waits: Backoff,
    /// For alerts only: if it made anyone wait, strangers could lock an owner out.
    anywhere: Backoff,
    /// When an account last signed in from an address.
    at_home: Mutex<HashMap<String, Timestamp>>,
}

impl Throttle {
    /// How long this attempt must wait; `None` if it may go on.
    pub fn wait(&self, username: &str, address: Option<&str>, now: Timestamp) -> Option<Duration> {
        let counts = counts(username, address);
        let [(account, _), _] = &counts;
        let is_at_home = self.at_home().get(account).is_some_and(|last| is_recent(*last, now));
        self.waits.wait(if is_at_home { &counts[..1] } else { &counts }, now)
    }

    /// Notes a failure; answers how many there were in a row for this account from there.
    pub fn failed(&self, username: &str, address: Option<&str>, now: Timestamp) -> u32 {
        self.waits.failed(&counts(username, address), now)
    }

    /// Notes a failure of an account that exists; answers how many there were from all addresses together, with no
    /// quiet quarter of an hour between them.
    pub fn failed_anywhere(&self, user: UserId, now: Timestamp) -> u32 {
        self.anywhere.failed(&[(user.to_string(), ALL_FREE)], now)
    }

    /// Forgets the failures of this account from there: its owner is in.
    pub fn succeeded(&self, username: &str, address: Option<&str>, now: Timestamp) {
        let [account, _] = counts(username, address);
        self.waits.forget(&account);
        let mut at_home = self.at_home();
        let new = usize::from(!at_home.contains_key(&account.0));
        make_room(&mut at_home, new, |last| is_recent(*last, now));
        at_home.insert(account.0, now);
    }

    fn at_home(&self) -> MutexGuard<'_, HashMap<String, Timestamp>> {
        self.at_home.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_recent(last: Timestamp, now: Timestamp) -> bool {
    now < later(last, AT_HOME)
}

fn counts(username: &str, address: Option<&str>) -> [Count; 2] {
    let address = network(address);
    let name: String = username.chars().take(100).collect::<String>().to_ascii_lowercase();
    [(format!("{address} {name}"), FREE_FOR_ACCOUNT), (format!("{address} "), FREE_FOR_ADDRESS)]
}
