//! A counter that somebody hears of when it goes away: whatever is done without it, limits are not what they were.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::{Away, Charge, Count, Counter, async_trait};

/// Hears that a counter went away, and why; or, without a reason, that it is back.
pub type Heard = Arc<dyn Fn(Option<&Away>) + Send + Sync>;

/// Counts with a counter, and tells when it goes away and when it is back.
pub struct Watched {
    counter: Arc<dyn Counter>,
    heard: Heard,
    is_away: AtomicBool,
}

impl Watched {
    /// Tells `heard` of this counter, once each time.
    pub fn new(counter: Arc<dyn Counter>, heard: Heard) -> Self {
        Self { counter, heard, is_away: AtomicBool::new(false) }
    }

    fn tell(&self, away: Option<&Away>) {
        // Written only when it changes: every request comes by here.
        if self.is_away.load(Ordering::Relaxed) != away.is_some()
            && self.is_away.swap(away.is_some(), Ordering::Relaxed) != away.is_some()
        {
            (self.heard)(away);
        }
    }
}

#[async_trait]
impl Counter for Watched {
    async fn hit(&self, charges: &[Charge], now: Duration) -> Result<Vec<Count>, Away> {
        let counted = self.counter.hit(charges, now).await;
        self.tell(counted.as_ref().err());
        counted
    }

    fn hit_at_once(&self, charges: &[Charge], now: Duration) -> Option<Vec<Count>> {
        self.counter.hit_at_once(charges, now)
    }
}
