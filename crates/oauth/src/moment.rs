//! Arithmetic with moments that never panics: what would lie beyond the calendar lies at its end.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// So much later.
pub(crate) fn later(moment: Timestamp, by: Duration) -> Timestamp {
    SignedDuration::try_from(by).ok().and_then(|by| moment.checked_add(by).ok()).unwrap_or(Timestamp::MAX)
}

/// So much earlier.
pub(crate) fn earlier(moment: Timestamp, by: Duration) -> Timestamp {
    SignedDuration::try_from(by).ok().and_then(|by| moment.checked_sub(by).ok()).unwrap_or(Timestamp::MIN)
}
