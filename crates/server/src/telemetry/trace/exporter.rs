//! Sends batches of spans to a collector, on a thread and a runtime of their own, so that a slow collector slows nobody.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    error::OTelSdkResult,
    trace::{SpanData, SpanExporter as Export},
};
use tokio::runtime::{Builder, Runtime};

use crate::telemetry::SetupError;

/// How long a collector may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// The collector, and whether it answered last time.
#[derive(Debug)]
pub(super) struct Collector {
    exporter: SpanExporter,
    // The batch processor calls from a plain thread, where the HTTP client would find no reactor.
    runtime: Runtime,
    away: AtomicBool,
}

impl Collector {
    pub(super) fn at(endpoint: &str) -> Result<Self, SetupError> {
        let refused = |why: String| SetupError::Otlp { endpoint: endpoint.to_owned(), why };
        let address = url::Url::parse(endpoint).map_err(|why| refused(why.to_string()))?;
        if !matches!(address.scheme(), "http" | "https") {
            return Err(refused("only http and https are spoken".to_owned()));
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(traces_url(endpoint))
            .with_timeout(PATIENCE)
            .build()
            .map_err(|why| refused(why.to_string()))?;
        // Made last: a runtime must not be dropped where others run, and from here on it belongs to the sending thread.
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|why| refused(why.to_string()))?;
        Ok(Self { exporter, runtime, away: AtomicBool::new(false) })
    }
}

impl Export for Collector {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let outcome = self.runtime.block_on(self.exporter.export(batch));
        // Told when it changes, not for each batch: an absent collector is no reason to fill the log.
        match (&outcome, self.away.swap(outcome.is_err(), Ordering::Relaxed)) {
            (Err(why), false) => {
                tracing::warn!(target: "valetkey::server", spans, %why, "the trace collector does not take spans");
            }
            (Ok(()), true) => tracing::info!(target: "valetkey::server", "the trace collector takes spans again"),
            _ => {}
        }
        outcome
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// Operators name the collector's base address, as every OpenTelemetry tool asks for; the signal's path is ours to add.
fn traces_url(endpoint: &str) -> String {
    let base = endpoint.trim_end_matches('/');
    if base.ends_with("/v1/traces") { base.to_owned() } else { format!("{base}/v1/traces") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_signal_is_added_once() {
        for endpoint in ["http://collector:4318", "http://collector:4318/", "http://collector:4318/v1/traces"] {
            assert_eq!(traces_url(endpoint), "http://collector:4318/v1/traces");
        }
    }

    #[test]
    fn an_address_that_is_none_is_refused() {
        for endpoint in ["collector", "grpc://collector:4317", ""] {
            assert!(matches!(Collector::at(endpoint), Err(SetupError::Otlp { .. })), "{endpoint}");
        }
    }
}
