//! Who called which version, so that an operator knows whom to tell before one ends. Counted by the day.

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;

use super::StoreError;

/// So many requests of one client in one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// The client.
    pub client: String,
    /// The version.
    pub version: u32,
    /// How many requests.
    pub requests: u64,
    /// When the last of them came.
    pub last_at: Timestamp,
}

/// The book of usage.
#[async_trait]
pub trait Usage: Send + Sync {
    /// Adds to what was counted, each for the day of its last request.
    async fn add_usage(&self, counted: Vec<Used>) -> Result<(), StoreError>;

    /// What was counted since this day, by version and client.
    async fn usage_since(&self, day: Date) -> Result<Vec<Used>, StoreError>;

    /// Forgets what is older than this day; answers how many rows went.
    async fn sweep_usage(&self, before: Date, most: u32) -> Result<u64, StoreError>;
}
