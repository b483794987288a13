//! Stands in for spans in a build without the feature `otlp`: it can be named, and never made.

use std::{convert::Infallible, time::Duration};

use valetkey_oauth::ports::Clock;

use crate::telemetry::{Event, SetupError};

/// Never exists in this build.
#[derive(Debug)]
pub struct Spans(Infallible);

impl Spans {
    /// Refuses: an operator who names a collector should not wait for spans in vain.
    pub fn start(endpoint: &str, _service: &str) -> Result<Self, SetupError> {
        let why = "this build has no OTLP; build it with the feature `otlp`".to_owned();
        Err(SetupError::Otlp { endpoint: endpoint.to_owned(), why })
    }

    pub(crate) fn observe(&self, _event: &Event<'_>, _clock: &dyn Clock) {
        match self.0 {}
    }

    pub(crate) fn stop(&self, _most: Duration) {
        match self.0 {}
    }
}
