//! Why a store could not do what it was asked.

/// A store that failed. What it knows about the reason is for the log.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, or is too busy; trying again later may help.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// Something is wrong with it.
    #[error("the store failed: {0}")]
    Failed(String),
}
