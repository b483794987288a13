//! Writes down when API keys were last used, now and then and once more at the end.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use valetkey_oauth::Authority;

use crate::telemetry::{Event, Telemetry};

const EVERY: Duration = Duration::from_secs(5);

pub(super) async fn run(authority: Arc<Authority>, telemetry: Telemetry, stop: CancellationToken) {
    let mut away = false;
    loop {
        let is_end = stop.run_until_cancelled(sleep(EVERY)).await.is_none();
        let uses = authority.key_uses.take();
        if !uses.is_empty() {
            match authority.ports.api_keys.note_api_key_uses(uses.clone()).await {
                Ok(()) => away = false,
                Err(error) => {
                    uses.into_iter().for_each(|(key, at)| authority.key_uses.note(key, at));
                    // Told once, not at each try.
                    if !away {
                        telemetry.observe(&Event::JobFailed { job: "key_uses", why: &error.to_string() });
                    }
                    away = true;
                }
            }
        }
        if is_end {
            return;
        }
    }
}
