//! A counter for while another one is away: each server counts alone, rather than nobody.

use std::{sync::Arc, time::Duration};

use super::{Away, Charge, Count, Counter, async_trait};

/// Counts with the shared counter, and with the local one while that is away. A limit is no reason to be down.
pub struct Standby {
    shared: Arc<dyn Counter>,
    local: Arc<dyn Counter>,
}

impl Standby {
    /// Puts `local` behind `shared`.
    pub fn new(shared: Arc<dyn Counter>, local: Arc<dyn Counter>) -> Self {
        Self { shared, local }
    }
}

#[async_trait]
impl Counter for Standby {
    async fn hit(&self, charges: &[Charge], now: Duration) -> Result<Vec<Count>, Away> {
        match self.shared.hit(charges, now).await {
            Ok(counts) => Ok(counts),
            Err(_) => self.local.hit(charges, now).await,
        }
    }
}
