//! Which events become spans: each request is one. Without the feature `otlp` there is nothing to send them with.

mod parent;

#[cfg(feature = "otlp")]
mod exporter;
#[cfg(feature = "otlp")]
mod spans;

#[cfg(not(feature = "otlp"))]
mod absent;
#[cfg(not(feature = "otlp"))]
use absent as spans;

pub use parent::TraceParent;
pub use spans::Spans;
