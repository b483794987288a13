//! Rate limits in fixed windows, counted for each caller. Owns windows and headers; who is counted is a function's to say.
//!
//! Windows begin at multiples of their length, so that all servers of a service agree on them without a word. Every
//! answer tells the limit, what is left of it and when the next window begins, in `X-RateLimit-*` and in the `RateLimit`
//! fields of the IETF; a refusal also how long to wait. A request may be charged to several policies at once: the tightest
//! one speaks.
//!
//! A [`MemoryCounter`] counts for one process. With the feature `redis`, a `RedisCounter` counts for all servers together,
//! a [`Standby`] goes on alone while Redis is away, and a [`Watched`] tells that it is.
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use axum::{Router, body::Body, routing::get};
//! use http::Request;
//! use tower::ServiceExt;
//! use valetkey_rest::rate_limit::{MemoryCounter, Quota, RateLimitLayer};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let quota = Quota { limit: 1, window: Duration::from_secs(60) };
//! let whose = Arc::new(|parts: &http::request::Parts| {
//!     parts.headers.get("x-client").and_then(|client| client.to_str().ok()).map(str::to_owned)
//! });
//! let clock = Arc::new(|| Duration::from_secs(90));
//! let layer = RateLimitLayer::new(quota, whose, Arc::new(MemoryCounter::new(1000)), clock);
//! let app = Router::new().route("/", get(|| async { "hello" })).layer(layer);
//! let ask = || Request::get("/").header("x-client", "a").body(Body::empty()).unwrap();
//!
//! let first = app.clone().oneshot(ask()).await.unwrap();
//! let second = app.oneshot(ask()).await.unwrap();
//!
//! assert_eq!((first.status().as_u16(), &first.headers()["x-ratelimit-remaining"]), (200, &"0".parse().unwrap()));
//! assert_eq!((second.status().as_u16(), &second.headers()["retry-after"]), (429, &"30".parse().unwrap()));
//! # }
//! ```

use std::{sync::Arc, time::Duration};

use http::{HeaderName, request::Parts};

pub use async_trait::async_trait;

mod future;
mod layer;
mod limiter;
mod memory;
mod policy;
#[cfg(feature = "redis")]
pub mod redis;
mod standby;
#[cfg(test)]
mod tests;
mod verdict;
mod watched;

pub use layer::{RateLimitLayer, RateLimitService};
pub use limiter::{Limiter, Unanswered};
pub use memory::MemoryCounter;
pub use policy::{Charge, Policy, Quota, Whose, network};
pub use standby::Standby;
pub use verdict::Verdict;
pub use watched::{Heard, Watched};

/// Requests of a window.
pub const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Requests that are left of it.
pub const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
/// When the next window begins, in seconds of Unix time.
pub const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
/// What is left of each policy, as the IETF draft writes it.
pub const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
/// What each policy allows, as the IETF draft writes it.
pub const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Says who is counted together; none is not limited.
pub type KeyOf = Arc<dyn Fn(&Parts) -> Option<String> + Send + Sync>;

/// Says what a request is charged to; nothing is not limited.
pub type ChargesOf = Arc<dyn Fn(&Parts) -> Vec<Charge> + Send + Sync>;

/// What a counter has counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Requests of this window, this one included.
    pub used: u64,
    /// When the window ends, in seconds of Unix time.
    pub reset_at: u64,
}

/// Whoever counts does not answer. The words are for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("requests cannot be counted at the moment: {0}")]
pub struct Away(pub String);

/// Counts requests.
#[async_trait]
pub trait Counter: Send + Sync {
    /// Counts one request for each charge, in the windows that `now` falls in, and tells how many there are of each. If one of
    /// them has no room for it, it is counted there alone: what is refused is not charged to the others.
    ///
    /// Need not count beyond `limit + 1`.
    async fn hit(&self, charges: &[Charge], now: Duration) -> Result<Vec<Count>, Away>;

    /// The same, from a counter that never waits; none from all others, which have counted nothing then.
    fn hit_at_once(&self, _charges: &[Charge], _now: Duration) -> Option<Vec<Count>> {
        None
    }
}

/// When the window ends that `now` falls in, in seconds of Unix time. All counters agree on it.
pub fn window_end(window: Duration, now: Duration) -> u64 {
    let length = window.as_secs().max(1);
    (now.as_secs() / length).saturating_add(1).saturating_mul(length)
}
