//! Writes down who called which version, now and then and once more at the end, and tells the metrics.

use std::sync::Arc;
use std::time::Duration;

use jiff::ToSpan;
use jiff::tz::TimeZone;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use valetkey_resources::service::Service;

use crate::telemetry::{Event, Telemetry};

const EVERY: Duration = Duration::from_secs(5);
/// Nobody decides about a sunset by what was two years ago.
const KEPT_DAYS: i32 = 800;
const BATCH: u32 = 500;

pub(super) async fn run(service: Arc<Service>, telemetry: Telemetry, stop: CancellationToken) {
    let mut away = false;
    loop {
        let is_end = stop.run_until_cancelled(sleep(EVERY)).await.is_none();
        match write(&service, &telemetry).await {
            Ok(()) => away = false,
            // Told once, not at each try.
            Err(why) if !away => {
                away = true;
                telemetry.observe(&Event::JobFailed { job: "usage", why: &why });
            }
            Err(_) => {}
        }
        if is_end {
            return;
        }
    }
}

async fn write(service: &Service, telemetry: &Telemetry) -> Result<(), String> {
    let counted = service.usage.take();
    if counted.is_empty() {
        return Ok(());
    }
    if let Err(error) = service.ports.usage.add_usage(counted.clone()).await {
        service.usage.put_back(&counted);
        return Err(error.to_string());
    }
    for used in &counted {
        telemetry.observe(&Event::ApiUsed { client: &used.client, version: used.version, requests: used.requests });
    }
    let today = service.now().to_zoned(TimeZone::UTC).date();
    let old = today.saturating_sub(KEPT_DAYS.days());
    service.ports.usage.sweep_usage(old, BATCH).await.map(|_| ()).map_err(|error| error.to_string())
}
