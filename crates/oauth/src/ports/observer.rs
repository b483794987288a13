//! An ear for what happens. Logs, metrics and audits choose what they keep.

use crate::Event;

/// Hears every event of the rules. Must return at once.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn observe(&self, event: &Event<'_>);
}
