//! The port for messages on their way out: posted once, handed to one node at a time, kept until they arrived.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{Delivery, DeliveryId};

/// Stores messages until they are closed or their time is over. Whoever waits for them is told by
/// [`crate::Authority::mail`].
#[async_trait]
pub trait Deliveries: Send + Sync {
    /// Puts messages in, all or none. A message of a known id changes nothing.
    async fn post(&self, messages: &[Delivery]) -> Result<(), StoreError>;

    /// Hands out at most `most` messages that are due at `now`, the longest due first, and counts the attempt.
    ///
    /// In the same step they become due again at `lease_until`: of N callers, one gets a message, and if that one never
    /// comes back, another gets it then. A message whose time is over is not handed out.
    async fn claim_due(&self, now: Timestamp, lease_until: Timestamp, most: u32) -> Result<Vec<Delivery>, StoreError>;

    /// Removes a message that arrived, or that nobody will try to send again.
    async fn close(&self, id: DeliveryId) -> Result<(), StoreError>;

    /// Lets a message be due again at this moment. One that was closed stays closed.
    async fn postpone(&self, id: DeliveryId, due_at: Timestamp) -> Result<(), StoreError>;
}
