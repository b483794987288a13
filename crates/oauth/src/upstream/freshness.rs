//! When and how someone proved at a provider who they are.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::UpstreamRefusal;
use super::id_token::{self, Claims};
use super::pending::Pending;
use crate::moment::later;

/// A sign-in that was asked for anew is as fresh if it is older by this: clocks differ.
const SKEW: Duration = Duration::from_secs(30);

/// When the person proved who they are: what the provider says, else now. A provider that was asked for a fresh sign-in
/// and tells of an old one, or says nothing where an app counts on it, is not believed to have asked.
pub(super) fn freshness(claims: &Claims, pending: &Pending, now: Timestamp) -> Result<Timestamp, UpstreamRefusal> {
    let Some(stated) = claims.get("auth_time").and_then(id_token::seconds) else {
        return if pending.is_counted_on { Err(UpstreamRefusal::NotFresh) } else { Ok(now) };
    };
    // It is told in whole seconds, by another clock.
    let is_asked = pending.anew || pending.max_age == Some(0);
    let rounding = if is_asked { SKEW } else { Duration::from_secs(1) };
    let is_new = later(stated, rounding) >= pending.began_at;
    let moment = if is_new { stated.max(pending.began_at) } else { stated }.min(now);
    let age = u64::try_from(now.duration_since(moment).as_secs()).unwrap_or(0);
    let is_too_old = pending.max_age.is_some_and(|most| age > most);
    if is_new || !(pending.anew || is_too_old) { Ok(moment) } else { Err(UpstreamRefusal::NotFresh) }
}

/// How, in the provider's own words, as far as they are words. What it does not say is not made up.
pub(super) fn methods(claims: &Claims) -> Vec<String> {
    let words = claims.get("amr").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_word = |word: &&str| {
        (1..=32).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    };
    words.iter().filter_map(Value::as_str).filter(is_word).take(8).map(str::to_owned).collect()
}
