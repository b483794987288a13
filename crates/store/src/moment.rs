//! Moments as the tables hold them: milliseconds since 1970.

use jiff::Timestamp;
use valetkey_oauth::ports::StoreError;

/// To the column.
pub(crate) fn to_column(moment: Timestamp) -> i64 {
    moment.as_millisecond()
}

/// From the column.
pub(crate) fn from_column(millis: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis).map_err(|_| StoreError::Failed(format!("{millis} is no moment")))
}
