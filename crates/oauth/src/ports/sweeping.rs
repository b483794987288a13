//! The port for removing what has expired, a little at a time.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;

/// How many rows one sweep removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Swept {
    /// Sessions past their end.
    pub sessions: u64,
    /// Revocations that concern no living token.
    pub revocations: u64,
    /// Secrets that stopped working.
    pub secrets: u64,
    /// Sign-ins whose time is over.
    pub sign_ins: u64,
    /// Answers that nobody will ask for again.
    pub answers: u64,
    /// Alerts that were kept long enough.
    pub alerts: u64,
    /// Messages that nobody needs any more.
    pub deliveries: u64,
    /// Devices whose question is void.
    pub devices: u64,
}

impl Swept {
    /// All rows together.
    pub fn total(&self) -> u64 {
        let people = self.sign_ins + self.devices + self.sessions;
        let tokens = self.revocations + self.secrets + self.answers;
        people + tokens + self.alerts + self.deliveries
    }
}

/// Removes expired rows.
#[async_trait]
pub trait Sweeping: Send + Sync {
    /// Removes at most `most` expired rows of each kind, in one short transaction.
    async fn sweep(&self, now: Timestamp, most: u32) -> Result<Swept, StoreError>;

    /// Answers if the store does.
    async fn ping(&self) -> Result<(), StoreError>;
}
