//! Tasks of actions that take time, from every node: taken when due, done one beside the other, told when they fail.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use valetkey_resources::service::{Progress, Service, Worker};

use crate::telemetry::{Event, Telemetry};

/// Tasks of other nodes, and those that are due again, are found this soon.
const EVERY: Duration = Duration::from_millis(900);
/// So many at once: one slow handler does not hold up the others.
const AT_ONCE: usize = 16;

pub(super) async fn run(service: Arc<Service>, telemetry: Telemetry, stop: CancellationToken) {
    let under_way = TaskTracker::new();
    let mut away = false;
    while !stop.is_cancelled() {
        let free = AT_ONCE.saturating_sub(under_way.len());
        let worker = Worker { service: service.clone() };
        let taken = if free == 0 { Ok(Vec::new()) } else { worker.take(u32::try_from(free).unwrap_or(1)).await };
        match taken {
            Ok(tasks) if tasks.is_empty() => away = false,
            Ok(tasks) => {
                away = false;
                for task in tasks {
                    let (worker, telemetry) = (Worker { service: service.clone() }, telemetry.clone());
                    under_way.spawn(async move {
                        match worker.perform(&task, None).await {
                            Ok(Progress::Done(_) | Progress::Again) => {}
                            Ok(Progress::Failed { problem }) => tell(&telemetry, &problem.to_string()),
                            // It is due again at the end of its lease.
                            Err(error) => tell(&telemetry, &error.to_string()),
                        }
                        // There is room for another one.
                        worker.service.work.notify_one();
                    });
                }
                continue;
            }
            // Told once, not at each look.
            Err(error) if !away => {
                away = true;
                tell(&telemetry, &error.to_string());
            }
            Err(_) => {}
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = service.work.notified(), if !away => {}
            () = sleep(EVERY) => {}
        }
    }
    // Callers of some may have left, and nobody else would wait for them.
    for tasks in [&under_way, &service.under_way] {
        tasks.close();
        tasks.wait().await;
    }
}

fn tell(telemetry: &Telemetry, why: &str) {
    telemetry.observe(&Event::JobFailed { job: "actions", why });
}
