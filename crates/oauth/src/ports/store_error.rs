//! How a store can fail. A refusal is never an error here: outcomes say it.

/// The store did not answer. Nothing of the transition happened.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// It is away or overloaded; trying again later helps.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// It answered something that makes no sense, or refused a statement.
    #[error("the store failed: {0}")]
    Failed(String),
}
