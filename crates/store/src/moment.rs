//! Moments as the tables hold them: milliseconds since 1970, and microseconds in those of the declared API.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use valetkey_oauth::ports::StoreError;

/// To the column.
pub(crate) fn to_column(moment: Timestamp) -> i64 {
    moment.as_millisecond()
}

/// From the column.
pub(crate) fn from_column(millis: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(millis).map_err(|_| StoreError::Failed(format!("{millis} is no moment")))
}

/// To a column of the declared API.
pub(crate) fn to_micros(moment: Timestamp) -> i64 {
    moment.as_microsecond()
}

/// From a column of the declared API.
pub(crate) fn from_micros(micros: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_microsecond(micros).map_err(|_| StoreError::Failed(format!("{micros} is no moment")))
}

/// What a column of the declared API will give back for this moment.
pub(crate) fn in_micros(moment: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}

/// The day of a moment, as a column holds it.
pub(crate) fn day_of(moment: Timestamp) -> String {
    moment.to_zoned(TimeZone::UTC).date().to_string()
}
