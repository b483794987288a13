//! Where the time comes from: whoever builds a layer says so, and tests hold it still.

use std::{sync::Arc, time::Duration};

/// Tells the time since 1970-01-01T00:00:00Z.
///
/// ```
/// use std::{sync::Arc, time::{Duration, SystemTime, UNIX_EPOCH}};
/// use valetkey_rest::Clock;
///
/// let wall: Clock = Arc::new(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
/// let still: Clock = Arc::new(|| Duration::from_secs(1_700_000_000));
/// assert!(wall() > still());
/// ```
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;
