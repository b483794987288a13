//! What is worth observing, and who looks at it: logs, metrics, traces.
//!
//! Everything that happens is one [`Event`], told to [`Telemetry`]. [`log`], [`metrics`] and [`trace`] each choose what they
//! keep of it, so that whoever tells an event knows none of them.
//!
//! ```
//! use std::sync::Arc;
//! use valetkey::telemetry::{Event, Settings, Telemetry};
//! # struct Noon;
//! # impl valetkey_oauth::ports::Clock for Noon {
//! #     fn now(&self) -> jiff::Timestamp { jiff::Timestamp::UNIX_EPOCH }
//! # }
//! let telemetry = Telemetry::new(&Settings::default(), Arc::new(Noon))?;
//!
//! telemetry.observe(&Event::Swept(3));
//!
//! assert!(telemetry.metrics().unwrap().render().contains("valetkey_swept_rows_total 3"));
//! # Ok::<(), valetkey::telemetry::SetupError>(())
//! ```
//!
//! | module | what it owns |
//! |---|---|
//! | [`event`] | everything worth observing |
//! | [`handle`] | [`Telemetry`]: hands each event to those who look |
//! | [`layer`] | measures each request |
//! | [`route`] | tells which route a request is on |
//! | [`current`] | which request this thread is working on |
//! | [`log`] | which events become lines, and how a line reaches stderr |
//! | [`metrics`] | which events are counted |
//! | [`trace`] | which events become spans, and the traces of others that they continue |
//! | [`settings`] | what an operator can choose |

pub mod current;
pub mod event;
pub mod handle;
pub mod layer;
pub mod log;
pub mod metrics;
pub mod route;
pub mod settings;
pub mod trace;

pub use event::{Event, Finished, Note};
pub use handle::Telemetry;
pub use layer::ObserveLayer;
pub use metrics::Metrics;
pub use route::RouteLayer;
pub use settings::{LogFormat, Settings, SetupError};
