//! Why a store could not do what it was asked.

/// A store that failed. What it knows about the reason is for the log.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// It cannot be reached, or is too busy; trying again later may help.
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// What a request goes by is still being made from the rows that were there before.
    #[error("{what} is still being prepared")]
    Preparing {
        /// What it is, for the caller: `orders.note`.
        what: String,
        /// How far it is, in percent.
        percent: u8,
        /// After so many seconds it may be there.
        seconds: u64,
    },
    /// Another node has taken these rows over, with a newer declaration: this one can no longer tell what they mean.
    #[error("a newer declaration of {0} has taken over. Give this node the same one, and start it again")]
    Superseded(String),
    /// Something is wrong with it.
    #[error("the store failed: {0}")]
    Failed(String),
}
