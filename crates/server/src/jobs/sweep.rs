//! Expired rows go in small batches with pauses between them, so that no request waits for a sweep.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use valetkey_oauth::Authority;
use valetkey_resources::service::Service;

use crate::telemetry::{Event, Telemetry};

const EVERY: Duration = Duration::from_secs(60);
/// So few that nobody notices one.
const BATCH: u32 = 200;
/// While there is more to sweep, requests get most of the time: a pause lasts at least this long,
const BETWEEN: Duration = Duration::from_millis(20);
/// and so many times as long as what was just done. Where the store is slow, or busy, less is swept.
const REST: u32 = 4;

pub(super) async fn run(authority: Arc<Authority>, service: Arc<Service>, telemetry: Telemetry) {
    loop {
        sleep(EVERY).await;
        loop {
            let begun = Instant::now();
            match sweep(&authority, &service).await {
                Ok(0) => break,
                Ok(swept) => telemetry.observe(&Event::Swept(swept)),
                Err(why) => {
                    telemetry.observe(&Event::JobFailed { job: "sweep", why: &why });
                    break;
                }
            }
            sleep(pause(begun.elapsed())).await;
        }
    }
}

/// How long others have the store for themselves after a batch that took this long.
fn pause(took: Duration) -> Duration {
    BETWEEN.max(took.saturating_mul(REST))
}

/// A batch of each kind; answers how many rows went.
async fn sweep(authority: &Authority, service: &Service) -> Result<u64, String> {
    let now = authority.surely_past();
    let swept = authority.ports.sweeping.sweep(now, BATCH).await.map_err(|error| error.to_string())?;
    let answers = service.ports.answers.sweep_answers(now, BATCH).await.map_err(|error| error.to_string())?;
    let tasks = service.ports.operations.sweep_operations(now, BATCH).await.map_err(|error| error.to_string())?;
    Ok(swept.total() + answers + tasks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_takes_a_fifth_of_the_time_at_most() {
        for took in [1, 5, 20, 500].map(Duration::from_millis) {
            assert!(took * 5 <= took + pause(took), "{took:?}");
        }
    }

    #[test]
    fn a_sweep_that_costs_next_to_nothing_pauses_too() {
        assert_eq!(pause(Duration::ZERO), BETWEEN);
    }
}
