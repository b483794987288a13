//! Messages leave: alerts for an operator's webhook, logout tokens for clients. Each is tried until it arrived, was
//! refused for good, or nobody needs it any more.

use std::sync::Arc;
use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};
use jiff::{SignedDuration, Timestamp};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use url::Url;
use valetkey_oauth::Authority;
use valetkey_oauth::model::{Delivery, DeliveryKind};
use valetkey_oauth::openid::logout_form;
use valetkey_oauth::ports::{Random, StoreError};

use crate::config::WebhookSecret;
use crate::outbound::{CallError, Outbound, sign};
use crate::telemetry::{Event, Telemetry};

/// Messages of other nodes, and those that are due again, are found this soon.
const EVERY: Duration = Duration::from_millis(900);
/// So many are on their way at once: one slow receiver does not hold up the others.
const AT_ONCE: usize = 32;
/// A node that took a message and died holds it back this long; longer than a call can take.
const LEASE: SignedDuration = SignedDuration::from_secs(30);
/// What is on its way at the end gets this long.
const FAREWELL: Duration = Duration::from_secs(1);
/// The pause after each failure; the last one repeats.
const PAUSES: [u64; 6] = [5, 30, 2 * 60, 10 * 60, 3_600, 2 * 3_600];

/// Sends messages.
#[derive(Clone)]
pub(super) struct Courier {
    pub(super) authority: Arc<Authority>,
    pub(super) outbound: Outbound,
    pub(super) webhook: Option<WebhookSecret>,
    pub(super) telemetry: Telemetry,
    pub(super) stop: CancellationToken,
}

/// What became of an attempt.
enum Outcome {
    Arrived,
    /// Trying again may help.
    Failed(String),
    /// Trying again will not help.
    Refused(String),
}

impl Courier {
    /// Takes what is due, until told to stop; then waits for what is on its way.
    pub(super) async fn run(self) {
        let on_the_way = TaskTracker::new();
        let mut away = false;
        while !self.stop.is_cancelled() {
            let free = AT_ONCE.saturating_sub(on_the_way.len());
            match self.take(free, &on_the_way).await {
                Ok(taken) => {
                    away = false;
                    if taken > 0 {
                        continue;
                    }
                }
                // Told once, not at each look.
                Err(error) if !away => {
                    away = true;
                    self.fail(&error);
                }
                Err(_) => {}
            }
            tokio::select! {
                () = self.stop.cancelled() => {}
                () = self.authority.mail.notified(), if !away => {}
                () = sleep(EVERY) => {}
            }
        }
        on_the_way.close();
        on_the_way.wait().await;
    }

    /// Answers how many were taken.
    async fn take(&self, most: usize, on_the_way: &TaskTracker) -> Result<usize, StoreError> {
        if most == 0 {
            return Ok(0);
        }
        let now = self.authority.now();
        let lease_until = now.checked_add(LEASE).unwrap_or(Timestamp::MAX);
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let messages = self.authority.ports.deliveries.claim_due(now, lease_until, most).await?;
        let count = messages.len();
        for message in messages {
            on_the_way.spawn(self.clone().deliver(message));
        }
        Ok(count)
    }

    fn fail(&self, error: &StoreError) {
        self.telemetry.observe(&Event::JobFailed { job: "deliveries", why: &error.to_string() });
    }

    async fn deliver(self, message: Delivery) {
        let attempt = async {
            tokio::select! {
                outcome = self.attempt(&message) => Some(outcome),
                () = async { self.stop.cancelled().await; sleep(FAREWELL).await } => None,
            }
        };
        let settled = match attempt.await {
            Some(outcome) => self.settle(&message, outcome).await,
            // Cut off: the next server need not wait for the end of the lease.
            None => self.authority.ports.deliveries.postpone(message.id, self.authority.now()).await,
        };
        if let Err(error) = settled {
            // It is due again at the end of the lease, and may then arrive twice.
            self.fail(&error);
        }
        // There is room for another one.
        self.authority.mail.notify_one();
    }

    async fn attempt(&self, message: &Delivery) -> Outcome {
        let (mut headers, body) = match (message.kind, &self.webhook) {
            (DeliveryKind::LogoutToken, _) => match logout_form(&self.authority, message) {
                Ok(form) => (HeaderMap::new(), form),
                // Another node may have sealed it with a key that this one has not heard of yet.
                Err(error) => return Outcome::Failed(error.to_string()),
            },
            (DeliveryKind::Webhook, Some(secret)) => {
                let headers = sign(secret, &message.id.to_string(), self.authority.now(), &message.body);
                (headers, message.body.clone())
            }
            (DeliveryKind::Webhook, None) => return Outcome::Failed("webhook.secret is not set".to_owned()),
        };
        match HeaderValue::from_str(&message.content_type) {
            Ok(kind) => headers.insert(CONTENT_TYPE, kind),
            Err(_) => return Outcome::Refused("it has no media type".to_owned()),
        };
        match self.outbound.post(&message.url, headers, body).await {
            Ok(status) => judge(message.kind, status),
            Err(error @ CallError::BadUrl) => Outcome::Refused(error.to_string()),
            Err(error) => Outcome::Failed(error.to_string()),
        }
    }

    /// First the store, then the log: what is told has happened.
    async fn settle(&self, message: &Delivery, outcome: Outcome) -> Result<(), StoreError> {
        let deliveries = &self.authority.ports.deliveries;
        let (kind, to, attempts) = (message.kind.as_str(), &*place(&message.url), message.attempts);
        match outcome {
            Outcome::Arrived => {
                let closed = deliveries.close(message.id).await;
                self.telemetry.observe(&Event::Delivered { kind, to, attempts });
                closed
            }
            Outcome::Refused(why) => {
                let closed = deliveries.close(message.id).await;
                self.telemetry.observe(&Event::DeliveryGivenUp { kind, to, attempts, why: &why });
                closed
            }
            Outcome::Failed(why) => {
                let again_in = pause(attempts, &*self.authority.random);
                let again = SignedDuration::try_from(again_in).ok();
                let again = again.and_then(|pause| self.authority.now().checked_add(pause).ok());
                let Some(again) = again.filter(|again| *again < message.expires_at) else {
                    let closed = deliveries.close(message.id).await;
                    self.telemetry.observe(&Event::DeliveryGivenUp { kind, to, attempts, why: &why });
                    return closed;
                };
                let postponed = deliveries.postpone(message.id, again).await;
                self.telemetry.observe(&Event::DeliveryFailed { kind, to, attempts, why: &why, again_in });
                postponed
            }
        }
    }
}

/// A receiver of webhooks says with 410 that it wants no more; any other mistake of its may be mended. A client that
/// refuses a logout token will refuse it again (Back-Channel Logout §2.8), unless it only asks for patience.
fn judge(kind: DeliveryKind, status: StatusCode) -> Outcome {
    let said = || format!("it answered {}", status.as_u16());
    let is_final = match kind {
        DeliveryKind::Webhook => status == StatusCode::GONE,
        DeliveryKind::LogoutToken => status.is_client_error() && !matches!(status.as_u16(), 408 | 425 | 429),
    };
    match status.is_success() {
        true => Outcome::Arrived,
        false if is_final => Outcome::Refused(said()),
        false => Outcome::Failed(said()),
    }
}

/// Up to a quarter more than the table says, so that what failed together does not come back together.
fn pause(attempts: u32, random: &dyn Random) -> Duration {
    let step = usize::try_from(attempts.saturating_sub(1)).unwrap_or(usize::MAX).min(PAUSES.len() - 1);
    let mut bytes = [0; 2];
    random.fill(&mut bytes);
    let share = f64::from(u16::from_be_bytes(bytes)) / f64::from(u16::MAX) / 4.0;
    Duration::from_secs(PAUSES[step]).mul_f64(1.0 + share)
}

/// Where a message goes. Path and query are left out: many receivers know a caller by a secret in them.
fn place(url: &str) -> String {
    Url::parse(url).map_or_else(|_| "no URL".to_owned(), |url| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests;
