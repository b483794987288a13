//! When keys were last used, in memory until someone writes it down: a request costs no write.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::model::ApiKeyId;

/// The last use of each key since it was last written down.
#[derive(Debug, Default)]
pub struct Uses(Mutex<HashMap<ApiKeyId, Timestamp>>);

impl Uses {
    /// A key is used.
    pub fn note(&self, key: ApiKeyId, now: Timestamp) {
        let mut uses = self.lock();
        let last = uses.entry(key).or_insert(now);
        *last = now.max(*last);
    }

    /// All that is not written down yet. It is the caller's now.
    pub fn take(&self) -> Vec<(ApiKeyId, Timestamp)> {
        self.lock().drain().collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ApiKeyId, Timestamp>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
