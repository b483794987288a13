//! Counts requests by client and version, in memory; a job of the server writes them down now and then.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use crate::ports::Used;

/// More clients than this between two writings are counted as one.
const MOST: usize = 10_000;
/// The name of those.
const OTHERS: &str = "(others)";

/// The name of those who did not say, or could not show, who they are. They get no further than to a version that is gone.
const ANONYMOUS: &str = "(anonymous)";

/// What was counted since it was last taken: by client, and by version.
#[derive(Debug, Default)]
pub struct UsageCount {
    clients: Mutex<HashMap<String, Vec<Tally>>>,
}

/// The requests of one client in one version.
#[derive(Debug)]
struct Tally {
    version: u32,
    requests: u64,
    last_at: Timestamp,
}

impl UsageCount {
    /// One request more, at this time; none: nobody knows whose.
    pub fn note(&self, client: Option<&str>, version: u32, now: Timestamp) {
        let client = client.unwrap_or(ANONYMOUS);
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let more = Tally { version, requests: 1, last_at: now };
        if let Some(versions) = clients.get_mut(client) {
            return add(versions, more);
        }
        let name = if clients.len() < MOST { client } else { OTHERS };
        add(clients.entry(name.to_owned()).or_default(), more);
    }

    /// Takes what was counted, and begins anew.
    pub fn take(&self) -> Vec<Used> {
        let clients = std::mem::take(&mut *self.clients.lock().unwrap_or_else(PoisonError::into_inner));
        let each = |(client, versions): (String, Vec<Tally>)| {
            versions.into_iter().map(move |Tally { version, requests, last_at }| Used {
                client: client.clone(),
                version,
                requests,
                last_at,
            })
        };
        clients.into_iter().flat_map(each).collect()
    }

    /// Puts back what could not be written down.
    pub fn put_back(&self, counted: &[Used]) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        for Used { client, version, requests, last_at } in counted {
            let versions = clients.entry(client.clone()).or_default();
            add(versions, Tally { version: *version, requests: *requests, last_at: *last_at });
        }
    }
}

fn add(versions: &mut Vec<Tally>, more: Tally) {
    match versions.iter_mut().find(|known| known.version == more.version) {
        Some(known) => {
            known.requests += more.requests;
            known.last_at = known.last_at.max(more.last_at);
        }
        None => versions.push(more),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    #[test]
    fn requests_are_counted_by_client_and_version_until_they_are_taken() {
        let count = UsageCount::default();
        for (client, version, second) in [("app", 1, 1), ("app", 1, 4), ("app", 2, 3), ("till", 1, 2)] {
            count.note(Some(client), version, at(second));
        }

        let mut taken = count.take();
        taken.sort_by_key(|used| (used.client.clone(), used.version));

        let used = |client: &str, version, requests, second| {
            let last_at = at(second);
            Used { client: client.to_owned(), version, requests, last_at }
        };
        assert_eq!(taken, [used("app", 1, 2, 4), used("app", 2, 1, 3), used("till", 1, 1, 2)]);
        assert_eq!(count.take(), []);
        count.put_back(&taken[..1]);
        count.note(Some("app"), 1, at(9));
        count.note(None, 1, at(9));
        let mut taken = count.take();
        taken.sort_by_key(|used| used.client.clone());
        assert_eq!(taken, [used(ANONYMOUS, 1, 1, 9), used("app", 1, 3, 9)]);
    }

    #[test]
    fn a_flood_of_clients_is_counted_as_one() {
        let count = UsageCount::default();
        for number in 0..MOST + 5 {
            count.note(Some(&number.to_string()), 1, at(0));
        }

        let taken = count.take();

        assert_eq!(taken.len(), MOST + 1);
        assert_eq!(taken.iter().find(|used| used.client == OTHERS).map(|used| used.requests), Some(5));
    }
}
