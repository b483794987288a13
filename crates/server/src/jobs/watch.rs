//! Sees what other processes did: revocations and new keys, four times a second. Also notices a store that is away.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use valetkey_oauth::{Authority, Refusal};

use crate::telemetry::{Event, Telemetry};

/// Within one second is the promise; a quarter leaves room for a slow answer.
const EVERY: Duration = Duration::from_millis(250);

pub(super) async fn run(authority: Arc<Authority>, telemetry: Telemetry) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut away = false;
    loop {
        ticks.tick().await;
        match look(&authority).await {
            Ok(reloaded) => {
                if std::mem::take(&mut away) {
                    telemetry.observe(&Event::StoreBack);
                }
                if reloaded {
                    telemetry.observe(&Event::KeysReloaded);
                }
            }
            // Told once, not four times a second.
            Err(error) if !away => {
                away = true;
                telemetry.observe(&Event::StoreAway { why: &error.to_string() });
            }
            Err(_) => {}
        }
    }
}

async fn look(authority: &Authority) -> Result<bool, Refusal> {
    authority.refresh_window().await?;
    authority.reload_keys().await
}
