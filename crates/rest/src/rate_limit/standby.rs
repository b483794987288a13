//! A counter for while another one is away: each server counts alone, rather than nobody.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::{Away, Charge, Count, Counter, async_trait};

/// Hears that the shared counter went away, and why; or, without a reason, that it is back.
pub type Heard = Arc<dyn Fn(Option<&Away>) + Send + Sync>;

/// Counts with the shared counter, and with the local one while that is away. A limit is no reason to be down.
pub struct Standby {
    shared: Arc<dyn Counter>,
    local: Arc<dyn Counter>,
    heard: Option<Heard>,
    is_away: AtomicBool,
}

impl Standby {
    /// Puts `local` behind `shared`.
    pub fn new(shared: Arc<dyn Counter>, local: Arc<dyn Counter>) -> Self {
        Self { shared, local, heard: None, is_away: AtomicBool::new(false) }
    }

    /// Tells `heard` when the shared counter goes away and when it is back: limits are larger meanwhile, by the number of servers.
    #[must_use]
    pub fn telling(mut self, heard: Heard) -> Self {
        self.heard = Some(heard);
        self
    }

    fn tell(&self, away: Option<&Away>) {
        // Written only when it changes: every request comes by here.
        if self.is_away.load(Ordering::Relaxed) == away.is_some() {
            return;
        }
        let was_away = self.is_away.swap(away.is_some(), Ordering::Relaxed);
        if let (Some(heard), true) = (&self.heard, was_away != away.is_some()) {
            heard(away);
        }
    }
}

#[async_trait]
impl Counter for Standby {
    async fn hit(&self, charges: &[Charge], now: Duration) -> Result<Vec<Count>, Away> {
        match self.shared.hit(charges, now).await {
            Ok(counts) => {
                self.tell(None);
                Ok(counts)
            }
            Err(away) => {
                self.tell(Some(&away));
                self.local.hit(charges, now).await
            }
        }
    }
}
