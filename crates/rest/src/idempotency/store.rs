//! What the layer asks of whoever keeps answers.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderName, HeaderValue};

pub use async_trait::async_trait;

use crate::problem::Problem;

/// Whose key: two callers may use the same word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The caller.
    pub owner: String,
    /// The word in the header.
    pub key: String,
}

/// An answer, as far as it is repeated. Its status is not: a repeat is answered with 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The headers that speak of the resource: `Location`, `ETag`, `Content-Type` and their like.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The body.
    pub body: Bytes,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// Nobody had the key; the caller does the work now.
    Granted,
    /// The work was done; this was the answer.
    Kept(KeptAnswer),
    /// The key belongs to another request.
    OtherRequest,
    /// The work is being done at this moment.
    Running,
}

/// Keeps answers. Of any number of equal claims at once exactly one is granted.
#[async_trait]
pub trait Store: Send + Sync {
    /// Claims a key for a request.
    async fn claim(&self, slot: &Slot, fingerprint: &[u8; 32], now: Duration) -> Result<Claim, Problem>;

    /// Keeps the answer of a granted claim until then.
    async fn keep(&self, slot: &Slot, answer: KeptAnswer, until: Duration) -> Result<(), Problem>;

    /// Gives a granted claim back: the work was not done, and the key may be used again.
    async fn release(&self, slot: &Slot) -> Result<(), Problem>;
}
