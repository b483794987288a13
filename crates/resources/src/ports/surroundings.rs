//! Time and ids: what the rules do not make by themselves.

use jiff::Timestamp;
use uuid::Uuid;

/// What time it is.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// New ids.
pub trait Ids: Send + Sync {
    /// A UUID of version 7 for this moment: later ones are greater, so that rows are written where the last one was.
    fn next(&self, now: Timestamp) -> Uuid;
}
