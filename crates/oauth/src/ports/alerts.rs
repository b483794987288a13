//! The port for alerts: the record of what someone should know of.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{Alert, AlertId, AlertKind, Delivery};

/// What became of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raising {
    /// It is on record, and its messages are on their way.
    Filed,
    /// The same was on record before ([`Alert::once`]); nothing changed, and no message leaves.
    Known,
}

/// Which alerts to list, newest first.
#[derive(Debug, Clone, Default)]
pub struct AlertQuery {
    /// Only those that concern this subject.
    pub subject: Option<String>,
    /// Only of this kind.
    pub kind: Option<AlertKind>,
    /// Only those before this one.
    pub before: Option<AlertId>,
    /// Only those at this moment or after it.
    pub since: Option<Timestamp>,
    /// At most so many.
    pub limit: u32,
}

/// Stores alerts until nobody needs them any more.
#[async_trait]
pub trait Alerts: Send + Sync {
    /// Files an alert and posts its messages, in one step. Of N callers with the same matter, exactly one files.
    async fn raise(&self, alert: &Alert, keep_until: Timestamp, messages: &[Delivery]) -> Result<Raising, StoreError>;

    /// Alerts, newest first.
    async fn list_alerts(&self, query: &AlertQuery) -> Result<Vec<Alert>, StoreError>;
}
