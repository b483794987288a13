//! What a new declaration asks for is filled from the rows that were there before, while the server answers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::sleep;
use valetkey_resources::model::Api;
use valetkey_store::Share;

use crate::app::engine::Filling;
use crate::telemetry::{Event, Telemetry};

/// It is told this often how far it is.
const EVERY: Duration = Duration::from_secs(5);
/// What went wrong is tried again after this time.
const AGAIN: Duration = Duration::from_secs(5);

pub(super) async fn run(filling: Filling, api: Arc<Api>, telemetry: Telemetry) {
    loop {
        let mut pace = Pace::new(&telemetry);
        match filling.run(&api, Share::Whole, &mut |done, total, what| pace.tell(done, total, what)).await {
            Ok(()) => return pace.finish(),
            Err(error) => {
                telemetry.observe(&Event::JobFailed { job: "preparing the declared API", why: &error.to_string() });
            }
        }
        sleep(AGAIN).await;
    }
}

/// How fast it goes, told every now and then.
pub struct Pace<'a> {
    telemetry: &'a Telemetry,
    begun: Instant,
    /// What is being done, since when, and how much of it was done by then.
    part: Option<(String, Instant, u64)>,
    told: Option<Instant>,
}

impl<'a> Pace<'a> {
    /// Nothing is done yet.
    pub fn new(telemetry: &'a Telemetry) -> Self {
        Self { telemetry, begun: Instant::now(), part: None, told: None }
    }

    /// So much is done of this.
    pub fn tell(&mut self, done: u64, total: u64, what: &str) {
        let now = Instant::now();
        if self.part.as_ref().is_none_or(|(known, ..)| known != what) {
            self.part = Some((what.to_owned(), now, done));
            self.told = None;
        }
        let is_due = done == total || self.told.is_none_or(|told| now - told >= EVERY);
        let Some((_, since, first)) = self.part.as_ref().filter(|_| is_due) else { return };
        self.told = Some(now);
        let (spent, made) = ((now - *since).as_secs_f64(), done.saturating_sub(*first));
        #[allow(clippy::cast_precision_loss, reason = "it is told, not counted on")]
        let rate = (spent > 0.0 && made > 0).then(|| made as f64 / spent);
        #[allow(clippy::cast_precision_loss, reason = "it is told, not counted on")]
        let left = rate.and_then(|rate| Duration::try_from_secs_f64(total.saturating_sub(done) as f64 / rate).ok());
        self.telemetry.observe(&Event::Preparing { what, done, total, rate, left });
    }

    /// All is done.
    pub fn finish(self) {
        if self.part.is_some() {
            self.telemetry.observe(&Event::Prepared { elapsed: self.begun.elapsed() });
        }
    }
}
