//! Devices in memory.

use async_trait::async_trait;
use jiff::Timestamp;
use valetkey_oauth::model::{Approval, Device, DeviceId, DeviceState, SecretDigest, SessionEnd};
use valetkey_oauth::ports::{Asking, Deciding, Devices, Poll, PollRules, PollVerdict, StoreError};

use super::{Memory, State};

#[async_trait]
impl Devices for Memory {
    async fn ask(&self, device: &Device, most: u32) -> Result<Asking, StoreError> {
        let mut state = self.state();
        let waiting = state.devices.values().filter(|other| {
            other.client == device.client
                && other.origin.address.is_some()
                && other.origin.address == device.origin.address
                && is_waiting(other, device.asked_at)
        });
        if waiting.count() >= most as usize {
            return Ok(Asking::TooMany);
        }
        if state.devices.values().any(|other| other.user_code.matches(&device.user_code)) {
            return Ok(Asking::CodeTaken);
        }
        state.devices.insert(device.id.0, device.clone());
        Ok(Asking::Asked)
    }

    async fn find_waiting(&self, user_code: &SecretDigest, now: Timestamp) -> Result<Option<Device>, StoreError> {
        let state = self.state();
        let mut waiting = state.devices.values().filter(|device| is_waiting(device, now));
        Ok(waiting.find(|device| device.user_code.matches(user_code)).cloned())
    }

    async fn find_device(&self, id: DeviceId) -> Result<Option<Device>, StoreError> {
        Ok(self.state().devices.get(&id.0).cloned())
    }

    async fn approve(&self, id: DeviceId, approval: &Approval, now: Timestamp) -> Result<Deciding, StoreError> {
        Ok(self.state().decide(id, DeviceState::Approved(approval.clone()), now))
    }

    async fn deny(&self, id: DeviceId, now: Timestamp) -> Result<Deciding, StoreError> {
        Ok(self.state().decide(id, DeviceState::Denied, now))
    }

    async fn poll(&self, id: DeviceId, rules: &PollRules) -> Result<Poll, StoreError> {
        let mut state = self.state();
        let Some(device) = state.devices.get_mut(&id.0) else { return Ok(Poll::Unknown) };
        match rules.judge(device) {
            PollVerdict::Expire => Ok(Poll::Expired),
            PollVerdict::Wait => {
                device.polled_at = Some(rules.now);
                Ok(Poll::Pending)
            }
            PollVerdict::Refuse => {
                device.polled_at = Some(rules.now);
                Ok(Poll::Denied)
            }
            PollVerdict::SlowDown(interval) => {
                (device.polled_at, device.interval) = (Some(rules.now), interval);
                Ok(Poll::TooSoon(interval))
            }
            PollVerdict::Redeem(session) => {
                device.state = DeviceState::Redeemed;
                state.sessions.insert(session.id.0, (*session).clone());
                state.answers.extend(rules.answer.iter().map(|answer| (answer.id, answer.clone())));
                Ok(Poll::Redeemed(session))
            }
            PollVerdict::Replay => {
                if let Some(answer) = &rules.answer
                    && let Some(sealed) = state.answer(&answer.id, rules.now)
                {
                    return Ok(Poll::Answered(sealed));
                }
                state.finish(id.session(), SessionEnd::CodeReplayed, rules.tokens_until);
                Ok(Poll::Replayed(id.session()))
            }
        }
    }
}

fn is_waiting(device: &Device, now: Timestamp) -> bool {
    device.state == DeviceState::Pending && now < device.expires_at
}

impl State {
    fn decide(&mut self, id: DeviceId, decision: DeviceState, now: Timestamp) -> Deciding {
        match self.devices.get_mut(&id.0).filter(|device| is_waiting(device, now)) {
            Some(device) => {
                device.state = decision;
                Deciding::Decided
            }
            None => Deciding::Gone,
        }
    }
}
