//! What a person should know about their own account.

use std::time::Duration;

use crate::Authority;
use crate::model::{Alert, UserId};
use crate::moment::earlier;
use crate::ports::{AlertQuery, StoreError};

/// Older ones are for the operator's record.
const SHOWN: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// More than anyone reads.
const MOST: u32 = 50;

/// The alerts of the last 30 days that concern this user, newest first.
pub async fn alerts_of(authority: &Authority, user: UserId) -> Result<Vec<Alert>, StoreError> {
    let since = Some(earlier(authority.now(), SHOWN));
    let query = AlertQuery { subject: Some(user.to_string()), since, limit: MOST, ..AlertQuery::default() };
    authority.ports.alerts.list_alerts(&query).await
}
