//! Expired rows go in small batches with pauses between them, so that no request waits for a sweep.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use valetkey_oauth::Authority;

use crate::telemetry::{Event, Telemetry};

const EVERY: Duration = Duration::from_secs(60);
const BATCH: u32 = 500;
/// While there is more to sweep, requests get most of the time.
const BETWEEN: Duration = Duration::from_millis(20);

pub(super) async fn run(authority: Arc<Authority>, telemetry: Telemetry) {
    loop {
        sleep(EVERY).await;
        loop {
            match authority.ports.sweeping.sweep(authority.now(), BATCH).await {
                Ok(swept) if swept.total() == 0 => break,
                Ok(swept) => telemetry.observe(&Event::Swept(swept.total())),
                Err(error) => {
                    telemetry.observe(&Event::JobFailed { job: "sweep", why: &error.to_string() });
                    break;
                }
            }
            sleep(BETWEEN).await;
        }
    }
}
