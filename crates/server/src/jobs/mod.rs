//! Work that runs beside requests: feeding the revocation window, rotating keys, sweeping expired rows, sending messages,
//! doing the work of actions that take time, filling what a new declaration asks for, counting who calls which version,
//! noting when API keys were used.

mod deliver;
mod fill;
mod key_uses;
mod sweep;
mod upkeep;
mod usage;
mod watch;
mod work;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use valetkey_oauth::Authority;
use valetkey_resources::service::Service;

pub use fill::Pace;

use crate::app::engine::Filling;
use crate::config::WebhookSecret;
use crate::outbound::Outbound;
use crate::telemetry::Telemetry;

/// Starts all of it; `filling` if there is something left to fill. Each job ends when `stop` is cancelled.
pub fn start(
    authority: &Arc<Authority>,
    service: &Arc<Service>,
    telemetry: &Telemetry,
    outbound: Outbound,
    webhook: Option<WebhookSecret>,
    filling: Option<Filling>,
    stop: &CancellationToken,
) -> TaskTracker {
    let jobs = TaskTracker::new();
    jobs.spawn(stop.clone().run_until_cancelled_owned(watch::run(authority.clone(), telemetry.clone())));
    jobs.spawn(stop.clone().run_until_cancelled_owned(upkeep::run(authority.clone(), telemetry.clone())));
    jobs.spawn(stop.clone().run_until_cancelled_owned(sweep::run(
        authority.clone(),
        service.clone(),
        telemetry.clone(),
    )));
    if let Some(filling) = filling {
        let filling = fill::run(filling, service.api.clone(), telemetry.clone());
        jobs.spawn(stop.clone().run_until_cancelled_owned(filling));
    }
    jobs.spawn(work::run(service.clone(), telemetry.clone(), stop.clone()));
    jobs.spawn(usage::run(service.clone(), telemetry.clone(), stop.clone()));
    jobs.spawn(key_uses::run(authority.clone(), telemetry.clone(), stop.clone()));
    let (authority, telemetry) = (authority.clone(), telemetry.clone());
    jobs.spawn(deliver::Courier { authority, outbound, webhook, telemetry, stop: stop.clone() }.run());
    jobs.close();
    jobs
}
