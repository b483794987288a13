//! Alerts and messages on their way out, in memory.

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{Alert, AlertId, Delivery, DeliveryId};
use valetkey_oauth::ports::{AlertQuery, Alerts, Deliveries, Raising, StoreError};

use super::{Memory, State};

#[async_trait]
impl Alerts for Memory {
    async fn raise(&self, alert: &Alert, keep_until: Timestamp, messages: &[Delivery]) -> Result<Raising, StoreError> {
        let mut state = self.state();
        let once = alert.once();
        if once.is_some() && state.alerts.values().any(|(known, _)| known.once() == once) {
            return Ok(Raising::Known);
        }
        state.alerts.insert(alert.id.0, (alert.clone(), keep_until));
        state.put(messages);
        Ok(Raising::Filed)
    }

    async fn list_alerts(&self, query: &AlertQuery) -> Result<Vec<Alert>, StoreError> {
        let state = self.state();
        let wanted = state.alerts.values().rev().map(|(alert, _)| alert).filter(|alert| {
            query.before.is_none_or(|before| alert.id < before)
                && query.since.is_none_or(|since| alert.id >= AlertId::floor(since))
                && query.subject.as_ref().is_none_or(|subject| alert.subject.as_ref() == Some(subject))
                && query.kind.is_none_or(|kind| alert.kind == kind)
        });
        Ok(wanted.take(query.limit as usize).cloned().collect())
    }
}

#[async_trait]
impl Deliveries for Memory {
    async fn post(&self, messages: &[Delivery]) -> Result<(), StoreError> {
        self.state().put(messages);
        Ok(())
    }

    async fn claim_due(&self, now: Timestamp, lease_until: Timestamp, most: u32) -> Result<Vec<Delivery>, StoreError> {
        let mut state = self.state();
        let mut due: Vec<_> =
            state.deliveries.values_mut().filter(|known| known.due_at <= now && now < known.expires_at).collect();
        due.sort_by_key(|known| known.due_at);
        let taken = due.into_iter().take(most as usize).map(|known| {
            known.due_at = lease_until;
            known.attempts += 1;
            known.clone()
        });
        Ok(taken.collect())
    }

    async fn close(&self, id: DeliveryId) -> Result<(), StoreError> {
        self.state().deliveries.remove(&id.0);
        Ok(())
    }

    async fn postpone(&self, id: DeliveryId, due_at: Timestamp) -> Result<(), StoreError> {
        if let Some(known) = self.state().deliveries.get_mut(&id.0) {
            known.due_at = due_at;
        }
        Ok(())
    }
}

impl State {
    /// Puts messages in; a known one stays as it is.
    pub(super) fn put(&mut self, messages: &[Delivery]) {
        for message in messages {
            self.deliveries.entry(message.id.0).or_insert_with(|| message.clone());
        }
    }
}
