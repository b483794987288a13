//! Answers kept under an `Idempotency-Key`, so that a repeated request is not done again.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;

/// Whose key: two callers may use the same word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// The client.
    pub client: String,
    /// The user it speaks for.
    pub subject: Option<String>,
    /// The word in the header.
    pub word: String,
}

/// A request under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keyed {
    /// The key.
    pub key: Key,
    /// What was asked for: a digest of method, path and body.
    pub fingerprint: [u8; 32],
    /// Now, and until when the answer is kept.
    pub now: Timestamp,
    /// Until when the answer is kept.
    pub until: Timestamp,
}

/// An answer, as far as it is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The `Location`.
    pub location: Option<String>,
    /// The `ETag`.
    pub etag: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// What is under a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// This request was done; this was the answer.
    Answer(KeptAnswer),
    /// Another request was done under this key.
    OtherRequest,
    /// This request is being done.
    Running,
}

/// The kept answers.
#[async_trait]
pub trait Answers: Send + Sync {
    /// Was this request done before?
    async fn kept(&self, keyed: &Keyed) -> Result<Option<Kept>, StoreError>;

    /// Removes answers whose time is over, at most so many, and fewer where they are large; answers how many went.
    async fn sweep_answers(&self, now: Timestamp, most: u32) -> Result<u64, StoreError>;
}
