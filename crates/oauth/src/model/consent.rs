//! Consents: what a user agreed to let a client do.

use jiff::Timestamp;

use super::ClientId;
use crate::protocol::Scope;

/// What one user lets one client do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consent {
    /// The user's subject identifier.
    pub subject: String,
    /// The app.
    pub client: ClientId,
    /// All that was agreed to so far.
    pub scope: Scope,
    /// When the user first agreed to anything.
    pub given_at: Timestamp,
    /// When the user last agreed to more.
    pub changed_at: Timestamp,
}
