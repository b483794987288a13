//! Rate limits in fixed windows, counted for each caller. Owns windows and headers; who is counted is a function's to say.
//!
//! Windows begin at multiples of their length, so that all servers of a service agree on them without a word. Every
//! answer tells the limit, what is left of it and when the next window begins; a refusal also how long to wait.
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

use http::{HeaderName, HeaderValue, header, request::Parts};

pub use async_trait::async_trait;

use crate::problem::{Problem, catalogue};

mod layer;
mod memory;
#[cfg(test)]
mod tests;

pub use layer::{RateLimitLayer, RateLimitService};
pub use memory::MemoryCounter;

/// Requests of a window.
pub const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Requests that are left of it.
pub const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
/// When the next window begins, in seconds of Unix time.
pub const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Says who is counted together; none is not limited.
pub type KeyOf = Arc<dyn Fn(&Parts) -> Option<String> + Send + Sync>;

/// So many requests in so long a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// How many.
    pub limit: u64,
    /// How long a window is; at least a second.
    pub window: Duration,
}

/// What a counter has counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Requests of this window, this one included.
    pub used: u64,
    /// When the window ends, in seconds of Unix time.
    pub reset_at: u64,
}

/// Counts requests. A counter that cannot count at the moment says `used: 0`: a limit is no reason to be down.
#[async_trait]
pub trait Counter: Send + Sync {
    /// Counts one request of `key` in the window that `now` falls in, and tells how many there are.
    ///
    /// Need not count beyond `limit + 1`.
    async fn hit(&self, key: &str, window: Duration, limit: u64, now: Duration) -> Count;
}

/// When the window ends that `now` falls in, in seconds of Unix time. All counters agree on it.
pub fn window_end(window: Duration, now: Duration) -> u64 {
    let length = window.as_secs().max(1);
    (now.as_secs() / length).saturating_add(1).saturating_mul(length)
}

/// What one request learned about its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Requests of a window.
    pub limit: u64,
    /// Requests that are left.
    pub remaining: u64,
    /// When the window ends, in seconds of Unix time.
    pub reset_at: u64,
    /// This request was one too many.
    pub exceeded: bool,
}

impl Verdict {
    /// Judges a count.
    pub fn of(limit: u64, count: Count) -> Self {
        let remaining = limit.saturating_sub(count.used);
        Self { limit, remaining, reset_at: count.reset_at, exceeded: count.used > limit }
    }

    /// The three headers that every answer carries.
    pub fn headers(&self) -> [(HeaderName, HeaderValue); 3] {
        [(LIMIT, self.limit.into()), (REMAINING, self.remaining.into()), (RESET, self.reset_at.into())]
    }

    /// 429, with the time to wait: rounded up, and never zero, since a client that waits zero seconds asks again at once.
    pub fn refusal(&self, now: Duration) -> Problem {
        let wait = Duration::from_secs(self.reset_at).saturating_sub(now);
        let seconds = (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1);
        Problem::new(&catalogue::TOO_MANY_REQUESTS)
            .detail(format!("The limit is {} requests in a window. The next one begins in {seconds} s.", self.limit))
            .header(header::RETRY_AFTER, seconds.into())
    }
}
