//! The layer: holds the origin that `type` links start with.

use std::sync::Arc;

use tower::Layer;

use super::ProblemService;

/// Writes every [`super::Problem`], and every bare error of the framework, as RFC 9457 asks.
#[derive(Debug, Clone)]
pub struct ProblemLayer {
    origin: Arc<str>,
}

impl ProblemLayer {
    /// `origin` is where `/problems/<slug>` is served, such as `https://id.example`; a trailing slash is dropped.
    pub fn new(origin: &str) -> Self {
        Self { origin: origin.trim_end_matches('/').into() }
    }
}

impl<S> Layer<S> for ProblemLayer {
    type Service = ProblemService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        ProblemService { inner, origin: self.origin.clone() }
    }
}
