//! Raising alerts: onto the record, to the operator's webhook, and to whoever observes. Never changes an answer.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use crate::model::{Alert, AlertId, AlertKind, Delivery, DeliveryId, DeliveryKind};
use crate::moment::later;
use crate::policy::AlertPolicy;
use crate::ports::{Alerts, Clock, Observer, Raising, Random, StoreError};
use crate::{Event, Refusal};

/// A receiver that was away for longer has the record to look at.
const DELIVER_WITHIN: Duration = Duration::from_secs(24 * 60 * 60);

/// Raises alerts. Owns what it needs: an alert outlives the request that caused it.
#[derive(Clone)]
pub struct Alarm {
    pub(crate) alerts: Arc<dyn Alerts>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) mail: Arc<Notify>,
    pub(crate) policy: AlertPolicy,
}

impl Alarm {
    /// Files an alert and tells everyone, unless the same is known already: then `false`. An alert that could not be
    /// filed is told nevertheless, so that the log has it.
    pub async fn raise(&self, kind: AlertKind, fill: impl FnOnce(&mut Alert) + Send) -> bool {
        self.file(self.alert(kind, fill)).await
    }

    /// Raises it beside whatever goes on, for answers whose time must tell nothing. It bears the moment of this call.
    pub fn raise_aside(&self, kind: AlertKind, fill: impl FnOnce(&mut Alert)) {
        let (alarm, alert) = (self.clone(), self.alert(kind, fill));
        tokio::spawn(async move { alarm.file(alert).await });
    }

    fn alert(&self, kind: AlertKind, fill: impl FnOnce(&mut Alert)) -> Alert {
        let now = self.clock.now();
        let mut alert = Alert::new(AlertId(self.random.uuid_at(now)), now, kind);
        fill(&mut alert);
        alert
    }

    async fn file(&self, alert: Alert) -> bool {
        let raised = self.alerts.raise(&alert, later(alert.at, self.policy.keep), &self.messages(&alert)).await;
        match raised {
            Ok(Raising::Known) => return false,
            Ok(Raising::Filed) => {
                self.mail.notify_one();
                self.observer.observe(&Event::Alerted { alert: &alert });
            }
            Err(error) => self.observer.observe(&Event::AlertNotFiled { alert: &alert, why: &error.to_string() }),
        }
        true
    }

    fn messages(&self, alert: &Alert) -> Vec<Delivery> {
        let message = |url: &String| Delivery {
            id: DeliveryId(alert.id.0),
            kind: DeliveryKind::Webhook,
            url: url.clone(),
            content_type: "application/json".to_owned(),
            body: alert.document().to_string().into_bytes(),
            created_at: alert.at,
            due_at: alert.at,
            attempts: 0,
            expires_at: later(alert.at, DELIVER_WITHIN),
        };
        self.policy.webhook.iter().map(message).collect()
    }
}

/// Works on to the end even if whoever waits for it leaves: a thief must not hide by hanging up early.
pub(crate) async fn to_its_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, Refusal> {
    let ended = tokio::spawn(work).await;
    Ok(ended.map_err(|_| StoreError::Failed("a transition panicked".to_owned()))??)
}
