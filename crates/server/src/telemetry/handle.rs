//! The handle that events are told to. Hands each one to log, metrics and traces, and chooses nothing itself.

use std::{sync::Arc, time::Duration};

use valetkey_oauth::ports::{Clock, Observer};
use valetkey_rest::catch_panic::PanicHook;

use super::{Event, Metrics, Settings, SetupError, current, log, trace::Spans};

/// How long the last lines and spans may take to leave.
const FAREWELL: Duration = Duration::from_secs(3);

/// Hears everything that happens. Cheap to clone; each clone is the same ear.
#[derive(Clone)]
pub struct Telemetry(Arc<Looking>);

struct Looking {
    clock: Arc<dyn Clock>,
    metrics: Option<Metrics>,
    spans: Option<Spans>,
    log: Option<log::Straight>,
}

impl Telemetry {
    /// Counts and traces. Lines go to whatever subscriber the program has, or nowhere; those of requests go nowhere.
    pub fn new(settings: &Settings, clock: Arc<dyn Clock>) -> Result<Self, SetupError> {
        Self::with_log(settings, clock, None, settings.metrics.then(Metrics::default))
    }

    /// Like [`Telemetry::new`], and writes the lines of requests into `sink`.
    pub fn writing(settings: &Settings, clock: Arc<dyn Clock>, sink: log::Sink) -> Result<Self, SetupError> {
        let straight = log::straight(settings, clock.clone(), sink);
        Self::with_log(settings, clock, Some(straight), settings.metrics.then(Metrics::default))
    }

    /// Counts, traces, and makes the log of the whole process go to stderr. Once in a process.
    pub fn install(settings: &Settings, clock: Arc<dyn Clock>) -> Result<Self, SetupError> {
        let metrics = settings.metrics.then(Metrics::default);
        let dropped = metrics.as_ref().map(Metrics::log_lines_dropped).unwrap_or_default();
        let straight = log::install(settings, clock.clone(), dropped)?;
        Self::with_log(settings, clock, Some(straight), metrics)
    }

    fn with_log(
        settings: &Settings,
        clock: Arc<dyn Clock>,
        log: Option<log::Straight>,
        metrics: Option<Metrics>,
    ) -> Result<Self, SetupError> {
        if let Some(metrics) = &metrics {
            metrics.process_started(clock.now());
        }
        let spans = settings.otlp_endpoint.as_deref().map(|to| Spans::start(to, &settings.service_name)).transpose()?;
        Ok(Self(Arc::new(Looking { clock, metrics, spans, log })))
    }

    /// Tells that something happened. Returns at once, also when nobody takes lines or spans away.
    pub fn observe(&self, event: &Event<'_>) {
        log::observe(event, self.0.log.as_ref());
        if let Some(metrics) = &self.0.metrics {
            metrics.observe(event);
        }
        if let Some(spans) = &self.0.spans {
            spans.observe(event, &*self.0.clock);
        }
    }

    /// What was counted, unless nothing is.
    pub fn metrics(&self) -> Option<&Metrics> {
        self.0.metrics.as_ref()
    }

    /// What `CatchPanicLayer` calls. The panic is told under the id of the request that was being served.
    pub fn panic_hook(&self) -> PanicHook {
        let telemetry = self.clone();
        Arc::new(move |message| telemetry.observe(&Event::Panicked { message, request_id: current::request_id() }))
    }

    /// Sends away the spans and lines that still wait; gives up after a few seconds. Call it last, after
    /// [`Event::Stopped`] was told.
    pub async fn shutdown(&self) {
        let looking = self.0.clone();
        let farewell = tokio::task::spawn_blocking(move || {
            if let Some(spans) = &looking.spans {
                spans.stop(FAREWELL);
            }
            if let Some(log) = &looking.log {
                log.sink().flush(FAREWELL);
            }
        });
        // It only fails when the runtime is already going down, and then nothing is left to be done.
        farewell.await.ok();
    }
}

impl Observer for Telemetry {
    fn observe(&self, event: &valetkey_oauth::Event<'_>) {
        Self::observe(self, &Event::Oauth(event));
    }
}
