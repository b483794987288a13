//! Expired rows go in small batches with pauses between them, so that no request waits for a sweep.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use valetkey_oauth::Authority;
use valetkey_resources::service::Service;

use crate::telemetry::{Event, Telemetry};

const EVERY: Duration = Duration::from_secs(60);
const BATCH: u32 = 500;
/// While there is more to sweep, requests get most of the time.
const BETWEEN: Duration = Duration::from_millis(20);

pub(super) async fn run(authority: Arc<Authority>, service: Arc<Service>, telemetry: Telemetry) {
    loop {
        sleep(EVERY).await;
        loop {
            match sweep(&authority, &service).await {
                Ok(0) => break,
                Ok(swept) => telemetry.observe(&Event::Swept(swept)),
                Err(why) => {
                    telemetry.observe(&Event::JobFailed { job: "sweep", why: &why });
                    break;
                }
            }
            sleep(BETWEEN).await;
        }
    }
}

/// A batch of each kind; answers how many rows went.
async fn sweep(authority: &Authority, service: &Service) -> Result<u64, String> {
    let now = authority.surely_past();
    let swept = authority.ports.sweeping.sweep(now, BATCH).await.map_err(|error| error.to_string())?;
    let answers = service.ports.answers.sweep_answers(now, BATCH).await.map_err(|error| error.to_string())?;
    let tasks = service.ports.operations.sweep_operations(now, BATCH).await.map_err(|error| error.to_string())?;
    Ok(swept.total() + answers + tasks)
}
