//! The counters that this thread has counted with lately. Finding one by its labels costs two locks and a copy of the route;
//! a server answers the same few requests all the time.

use std::cell::RefCell;

use prometheus_client::metrics::{counter::Counter, histogram::Histogram};

/// So many are remembered. A search looks at each.
const MOST: usize = 32;

thread_local! {
    static RECENT: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// The counters of one kind of request.
pub(super) struct Counters {
    pub(super) requests: Counter,
    pub(super) durations: Histogram,
}

struct Entry {
    /// Whose counters: there may be several sets of metrics in one process.
    set: u64,
    method: &'static str,
    status: u16,
    route: String,
    counters: Counters,
}

/// Counts with what `find` finds, or found before.
pub(super) fn count(
    set: u64,
    (method, route, status): (&'static str, &str, u16),
    find: impl FnOnce() -> Counters,
    count: impl FnOnce(&Counters),
) {
    RECENT.with_borrow_mut(|entries| {
        let is_it = |entry: &Entry| {
            entry.status == status && entry.set == set && entry.method == method && entry.route == route
        };
        match entries.iter().position(is_it) {
            Some(at) => {
                count(&entries[at].counters);
                // What is asked for most often comes to stand in front.
                if at > 0 {
                    entries.swap(at, at - 1);
                }
            }
            None => {
                let counters = find();
                count(&counters);
                entries.truncate(MOST - 1);
                entries.push(Entry { set, method, status, route: route.to_owned(), counters });
            }
        }
    });
}
