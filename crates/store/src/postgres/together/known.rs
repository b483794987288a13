//! What is made once for each resource, and kept under the text of its statement: that changes with the declaration.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

pub(in crate::postgres) struct Known<T>(RwLock<HashMap<String, Arc<T>>>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<T> Known<T> {
    /// The one for this statement, made when it is first asked for.
    pub(super) fn of(&self, statement: &str, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(statement) {
            return known.clone();
        }
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.entry(statement.to_owned()).or_insert_with(|| Arc::new(make())).clone()
    }
}
