//! The port for what was taken back: written once, read as a feed by every node.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{AccessToken, Revocation};

/// How far a node has read the feed. Opaque: each engine counts in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RevocationCursor(pub i64);

/// What is new in the feed. Entries may come twice, and never not at all.
#[derive(Debug, Clone, Default)]
pub struct RevocationFeed {
    /// The entries.
    pub entries: Vec<Revocation>,
    /// Where to go on.
    pub cursor: RevocationCursor,
}

/// Stores revocations until the last token they concern has expired.
#[async_trait]
pub trait Revocations: Send + Sync {
    /// Records one. It survives a crash once this returns.
    async fn record(&self, revocation: &Revocation) -> Result<(), StoreError>;

    /// Everything recorded since `after` that still matters at `now`.
    async fn feed(&self, after: RevocationCursor, now: Timestamp) -> Result<RevocationFeed, StoreError>;

    /// Asks the store itself: is this token covered by a revocation?
    async fn is_revoked(&self, token: &AccessToken) -> Result<bool, StoreError>;
}
