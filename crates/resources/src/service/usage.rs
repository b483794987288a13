//! Counts requests by client and version, in memory; a job of the server writes them down now and then.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::ports::Used;

/// More clients than this between two writings are counted as one.
const MOST: usize = 10_000;
/// The name of those.
const OTHERS: &str = "(others)";

/// What was counted since it was last taken.
#[derive(Debug, Default)]
pub struct UsageCount {
    clients: Mutex<HashMap<String, Vec<(u32, u64)>>>,
}

impl UsageCount {
    /// One request more.
    pub fn note(&self, client: &str, version: u32) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = clients.contains_key(client);
        let name = if is_known || clients.len() < MOST { client } else { OTHERS };
        if !clients.contains_key(name) {
            clients.insert(name.to_owned(), Vec::new());
        }
        let Some(versions) = clients.get_mut(name) else { return };
        match versions.iter_mut().find(|(known, _)| *known == version) {
            Some((_, requests)) => *requests += 1,
            None => versions.push((version, 1)),
        }
    }

    /// Takes what was counted, and begins anew.
    pub fn take(&self) -> Vec<Used> {
        let clients = std::mem::take(&mut *self.clients.lock().unwrap_or_else(PoisonError::into_inner));
        let each = |(client, versions): (String, Vec<(u32, u64)>)| {
            versions.into_iter().map(move |(version, requests)| Used { client: client.clone(), version, requests })
        };
        clients.into_iter().flat_map(each).collect()
    }

    /// Puts back what could not be written down.
    pub fn put_back(&self, counted: &[Used]) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        for Used { client, version, requests } in counted {
            let versions = clients.entry(client.clone()).or_default();
            match versions.iter_mut().find(|(known, _)| known == version) {
                Some((_, known)) => *known += requests,
                None => versions.push((*version, *requests)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_client_and_version_until_they_are_taken() {
        let count = UsageCount::default();
        for (client, version) in [("app", 1), ("app", 1), ("app", 2), ("till", 1)] {
            count.note(client, version);
        }

        let mut taken = count.take();
        taken.sort_by_key(|used| (used.client.clone(), used.version));

        let used = |client: &str, version, requests| Used { client: client.to_owned(), version, requests };
        assert_eq!(taken, [used("app", 1, 2), used("app", 2, 1), used("till", 1, 1)]);
        assert_eq!(count.take(), []);
        count.put_back(&taken[..1]);
        count.note("app", 1);
        assert_eq!(count.take(), [used("app", 1, 3)]);
    }

    #[test]
    fn a_flood_of_clients_is_counted_as_one() {
        let count = UsageCount::default();
        for number in 0..MOST + 5 {
            count.note(&number.to_string(), 1);
        }

        let taken = count.take();

        assert_eq!(taken.len(), MOST + 1);
        assert_eq!(taken.iter().find(|used| used.client == OTHERS).map(|used| used.requests), Some(5));
    }
}
