//! Keys get successors when they are old, and go when nobody needs them.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use valetkey_oauth::{Authority, keys};

use crate::telemetry::{Event, Telemetry};

const EVERY: Duration = Duration::from_secs(60);

pub(super) async fn run(authority: Arc<Authority>, telemetry: Telemetry) {
    loop {
        if let Err(error) = keys::keep_up(&authority).await {
            telemetry.observe(&Event::JobFailed { job: "key upkeep", why: &error.to_string() });
        }
        sleep(EVERY).await;
    }
}
