//! What each request asks for, from memory: the same few clients and keys, which change rarely.
//!
//! An entry lives half a second, so that a command beside a running server takes effect within one.

mod api_keys;
mod clients;

use std::hash::Hash;
use std::time::Duration;

use moka::sync::Cache;

pub use api_keys::CachedApiKeys;
pub use clients::CachedClients;

const LIFE: Duration = Duration::from_millis(500);
const MOST: u64 = 10_000;

fn cache<K: Hash + Eq + Send + Sync + 'static, V: Clone + Send + Sync + 'static>() -> Cache<K, V> {
    Cache::builder().max_capacity(MOST).time_to_live(LIFE).build()
}
