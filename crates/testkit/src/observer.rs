//! An observer that remembers.

use std::sync::Mutex;

use valetkey_oauth::Event;
use valetkey_oauth::ports::Observer;

/// Keeps the `Debug` form of each event.
#[derive(Default)]
pub struct Ear(Mutex<Vec<String>>);

impl Ear {
    /// What was heard so far.
    pub fn heard(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Observer for Ear {
    fn observe(&self, event: &Event<'_>) {
        self.0.lock().unwrap().push(format!("{event:?}"));
    }
}
