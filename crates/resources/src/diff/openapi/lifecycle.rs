//! What is announced to end: `deprecated` and `x-sunset`.

use jiff::civil::Date;
use serde_json::Value;

use super::{Work, is_set};
use crate::diff::rule;

/// An endpoint that is gone.
pub(super) fn removed(work: &mut Work<'_>, place: &str, operation: &Value) {
    let is_deprecated = is_set(operation, "deprecated");
    let sunset = sunset(operation);
    match (sunset, work.today) {
        (Some(end), Some(today)) if is_deprecated && end <= today => {
            let told = format!("The endpoint is gone, as was announced for {end}.");
            work.tell(&rule::ENDPOINT_EXPIRED, place, told);
        }
        (Some(end), _) => {
            let told = format!("The endpoint is gone before the announced end, {end}.");
            work.tell(&rule::ENDPOINT_REMOVED, place, told);
        }
        (None, _) if is_deprecated => {
            let told = "The endpoint is gone. It was deprecated, without a date.".to_owned();
            work.tell(&rule::ENDPOINT_REMOVED, place, told);
        }
        _ => work.tell(&rule::ENDPOINT_REMOVED, place, "The endpoint is gone.".to_owned()),
    }
}

/// Something that is in both documents; `what` begins the sentence.
pub(super) fn compare(work: &mut Work<'_>, place: &str, what: &str, old: &Value, new: &Value) {
    let (was, is) = (is_set(old, "deprecated"), is_set(new, "deprecated"));
    let (before, after) = (sunset(old), sunset(new));
    match (was, is) {
        (false, true) => {
            let until = after.map(|end| format!(", and ends on {end}")).unwrap_or_default();
            work.tell(&rule::ENDPOINT_DEPRECATED, place, format!("{what} is deprecated{until}."));
        }
        (true, false) => work.tell(&rule::ENDPOINT_RETAINED, place, format!("{what} is no longer deprecated.")),
        (true, true) => match (before, after) {
            (Some(before), Some(after)) if after < before => {
                work.tell(&rule::SUNSET_ADVANCED, place, format!("{what} ends on {after}, not on {before}."));
            }
            (Some(before), None) => {
                let told = format!("{what} was to end on {before}, and no day is named any more.");
                work.tell(&rule::SUNSET_ADVANCED, place, told);
            }
            _ => {}
        },
        (false, false) => {}
    }
}

fn sunset(of: &Value) -> Option<Date> {
    let text = of.get("x-sunset")?.as_str()?;
    text.get(..10).unwrap_or(text).parse().ok()
}
