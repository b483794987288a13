//! Limits: how often each caller may ask, for kinds of requests and for what needs a scope.

#[cfg(test)]
mod tests;

use std::time::Duration;

use valetkey_rest::rate_limit::Quota;

use super::report::Report;
use super::spot::Spot;
use super::yaml::Tree;
use crate::model::Limits;

/// Where none is named.
const WINDOW: Duration = Duration::from_secs(60);
/// Nobody waits longer than a day for the next window.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads the limits of the API.
pub(super) fn read(spot: &Spot<'_>, report: &mut Report) -> Limits {
    spot.keys("`limits`", &["read", "search", "write"], report);
    let mut quota = |name: &str| spot.get(name).and_then(|limit| read_quota(&limit, report));
    Limits { read: quota("read"), search: quota("search"), write: quota("write") }
}

/// Reads one limit: a number of requests in a minute, or in a window of another length.
pub(super) fn read_quota(spot: &Spot<'_>, report: &mut Report) -> Option<Quota> {
    if !matches!(spot.node.tree, Tree::Map(_)) {
        return Some(Quota { limit: read_requests(spot, report)?, window: WINDOW });
    }
    spot.keys("a limit", &["requests", "window"], report);
    let window = spot.get("window").map_or(Some(WINDOW), |window| read_time(&window, report));
    let Some(requests) = spot.get("requests") else {
        spot.wrong_key("The limit has no `requests`. Say how many a caller may make in the window.", None, report);
        return None;
    };
    Some(Quota { limit: read_requests(&requests, report)?, window: window? })
}

fn read_requests(spot: &Spot<'_>, report: &mut Report) -> Option<u64> {
    let number = if let Tree::Number(number) = &spot.node.tree { number.as_u64() } else { None };
    let requests = number.filter(|number| (1..=1_000_000_000).contains(number));
    if requests.is_none() {
        spot.wrong_kind("a number of requests such as `600`, or `{ requests: 600, window: 1m }`", report);
    }
    requests
}

/// Reads a length of time, from a second to a day.
pub(super) fn read_time(spot: &Spot<'_>, report: &mut Report) -> Option<Duration> {
    let text = if let Tree::Text(text) = &spot.node.tree { text.as_str() } else { "" };
    let parsed = [("s", 1_u64), ("m", 60), ("h", 3600), ("d", 86_400)].iter().find_map(|(unit, seconds)| {
        let number: u64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(*seconds).map(Duration::from_secs)
    });
    let window = parsed.filter(|window| !window.is_zero() && *window <= LONGEST);
    if window.is_none() {
        spot.wrong_kind("a length of time such as `1m`, from `1s` to `1d`", report);
    }
    window
}
