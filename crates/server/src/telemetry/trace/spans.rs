//! Builds one span for each request, when it has finished and everything about it is known. Sends nothing itself.

use std::time::{Duration, SystemTime};

use opentelemetry::{
    Context, KeyValue,
    trace::{
        Span, SpanBuilder, SpanContext, SpanId, SpanKind, Status, TraceContextExt, TraceFlags, TraceId, TraceState,
        Tracer, TracerProvider,
    },
};
use opentelemetry_sdk::{
    Resource,
    trace::{Sampler, SdkTracer, SdkTracerProvider},
};
use valetkey_oauth::ports::Clock;

use super::{TraceParent, exporter::Collector};
use crate::telemetry::{Event, Finished, SetupError};

/// Makes spans, and has them sent in batches.
pub struct Spans {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Spans {
    /// Sends to the collector at `endpoint`. It need not be there yet: what it misses is dropped, requests go on.
    pub fn start(endpoint: &str, service: &str) -> Result<Self, SetupError> {
        let resource = Resource::builder()
            .with_service_name(service.to_owned())
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
            .build();
        let provider = SdkTracerProvider::builder()
            .with_resource(resource)
            // A caller that does not record its trace does not want our part of it either.
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::AlwaysOn)))
            .with_batch_exporter(Collector::at(endpoint)?)
            .build();
        let tracer = provider.tracer("valetkey");
        Ok(Self { provider, tracer })
    }

    pub(crate) fn observe(&self, event: &Event<'_>, clock: &dyn Clock) {
        if let Event::RequestFinished(request) = event {
            self.record(request, clock.now().into());
        }
    }

    fn record(&self, request: &Finished<'_>, end: SystemTime) {
        let parent = request.parent.map_or_else(Context::new, continued);
        let start = end.checked_sub(request.elapsed).unwrap_or(end);
        let builder = SpanBuilder::from_name(format!("{} {}", request.method, request.route))
            .with_kind(SpanKind::Server)
            .with_start_time(start)
            .with_attributes(attributes(request));
        let mut span = self.tracer.build_with_context(builder, &parent);
        if request.is_server_error() {
            span.set_status(Status::error(request.problem.map_or("", |problem| problem.slug)));
        }
        span.end_with_timestamp(end);
    }

    /// Sends what still waits.
    pub(crate) fn stop(&self, most: Duration) {
        // A collector that is away was reported when it went; there is nobody else to tell.
        self.provider.shutdown_with_timeout(most).ok();
    }
}

/// The context of the caller's span.
fn continued(parent: TraceParent) -> Context {
    let flags = TraceFlags::NOT_SAMPLED.with_sampled(parent.sampled);
    let (trace, span) = (TraceId::from(parent.trace), SpanId::from(parent.span));
    Context::new().with_remote_span_context(SpanContext::new(trace, span, flags, true, TraceState::NONE))
}

/// Names from OpenTelemetry's semantic conventions for HTTP.
fn attributes(request: &Finished<'_>) -> Vec<KeyValue> {
    let mut attributes = vec![
        KeyValue::new("http.request.method", request.method),
        KeyValue::new("http.route", request.route.to_owned()),
        KeyValue::new("http.response.status_code", i64::from(request.status)),
    ];
    if let Some(id) = request.request_id {
        attributes.push(KeyValue::new("valetkey.request_id", id.to_string()));
    }
    if let Some(problem) = request.problem {
        attributes.push(KeyValue::new("error.type", problem.slug));
    }
    attributes
}
