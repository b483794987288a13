//! The port for what people agreed to.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{ClientId, Consent, Revocation};

/// Stores consents: one for each user and client.
#[async_trait]
pub trait Consents: Send + Sync {
    /// What this user agreed to for this client.
    async fn find_consent(&self, subject: &str, client: &ClientId) -> Result<Option<Consent>, StoreError>;

    /// Adds to what was agreed before; answers the whole. Of two callers, neither loses what the other added.
    async fn agree(&self, consent: &Consent) -> Result<Consent, StoreError>;

    /// Everything this user agreed to, by client.
    async fn consents_of(&self, subject: &str) -> Result<Vec<Consent>, StoreError>;

    /// Takes a consent back, ends the sessions that stood on it and files their revocations. The consent goes in the first
    /// step, with as many sessions as end in one; the others follow. Once more, also without a consent, ends what is left
    /// after an interruption. Answers which sessions ended.
    async fn withdraw(
        &self,
        subject: &str,
        client: &ClientId,
        now: Timestamp,
        tokens_until: Timestamp,
    ) -> Result<Vec<Revocation>, StoreError>;
}
