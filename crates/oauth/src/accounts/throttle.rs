//! Back-off for sign-ins: per account and address, and per address. In memory, bounded, and no way to lock others out.
//!
//! A stranger who fails for someone else's account slows down only himself: the count stands under his own address.

use std::time::Duration;

use jiff::Timestamp;

use crate::backoff::{Backoff, Count, network};

/// So many mistakes are free for one account from one address.
const FREE_FOR_ACCOUNT: u32 = 5;
/// So many mistakes are free from one address, whatever the account: an office has many people.
const FREE_FOR_ADDRESS: u32 = 30;

/// Counts failures.
#[derive(Debug, Default)]
pub struct Throttle(Backoff);

impl Throttle {
    /// How long this attempt must wait; `None` if it may go on.
    pub fn wait(&self, username: &str, address: Option<&str>, now: Timestamp) -> Option<Duration> {
        self.0.wait(&counts(username, address), now)
    }

    /// Notes a failure; answers how many there were in a row for this account from there.
    pub fn failed(&self, username: &str, address: Option<&str>, now: Timestamp) -> u32 {
        self.0.failed(&counts(username, address), now)
    }

    /// Forgets the failures of this account from there: its owner is in.
    pub fn succeeded(&self, username: &str, address: Option<&str>) {
        let [account, _] = counts(username, address);
        self.0.forget(&account);
    }
}

fn counts(username: &str, address: Option<&str>) -> [Count; 2] {
    let address = network(address);
    let name: String = username.chars().take(100).collect::<String>().to_ascii_lowercase();
    [(format!("{address} {name}"), FREE_FOR_ACCOUNT), (format!("{address} "), FREE_FOR_ADDRESS)]
}
