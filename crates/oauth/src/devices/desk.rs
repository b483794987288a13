//! The desk where a signed-in person types the code of a device and decides. Guessing codes gets slower and slower.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::digest;
use crate::accounts::{self, Browser};
use crate::backoff::{Backoff, Count, network};
use crate::model::{Approval, Consent, Device, SignIn, UserCode};
use crate::ports::{Deciding, StoreError};
use crate::{Authority, Event, Refusal};

/// So many wrong codes are free for one person.
const FREE_FOR_PERSON: u32 = 10;
/// So many are free from one address, whoever types them.
const FREE_FOR_ADDRESS: u32 = 50;

/// Where people answer devices.
#[derive(Clone)]
pub struct DeviceDesk {
    authority: Arc<Authority>,
    budget: Arc<Backoff>,
}

/// A device that waits for the person who typed its code.
#[derive(Debug)]
pub struct Waiting {
    /// The device.
    pub device: Device,
    /// Its code, as it shows it.
    pub code: UserCode,
    /// What this person agreed to before for the same client.
    pub before: Option<Consent>,
}

/// Why a code was not taken.
#[derive(Debug, thiserror::Error)]
pub enum DeskRefusal {
    /// Nobody is signed in.
    #[error("nobody is signed in")]
    Nobody,
    /// No device waits with this code.
    #[error("no device waits with this code")]
    Unknown,
    /// Too many wrong codes; this long to wait.
    #[error("too many wrong codes")]
    Throttled(Duration),
    /// A key or the store did not do its part.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl From<StoreError> for DeskRefusal {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}

impl DeviceDesk {
    /// A desk with an empty budget of its own.
    pub fn new(authority: Arc<Authority>) -> Self {
        Self { authority, budget: Arc::default() }
    }

    /// The device behind a typed code. Decides nothing.
    pub async fn find(&self, typed: &str, browser: &Browser) -> Result<Waiting, DeskRefusal> {
        let sign_in = browser.sign_in.as_ref().ok_or(DeskRefusal::Nobody)?;
        let (device, code) = self.look(typed, sign_in, browser.address.as_deref()).await?;
        let device = self.within_ceiling(device, sign_in).await?;
        let subject = sign_in.user.to_string();
        let before = self.authority.ports.consents.find_consent(&subject, &device.client).await?;
        Ok(Waiting { device, code, before })
    }

    /// The person lets the device in: that is remembered as a consent, and the device finds out when it polls.
    pub async fn approve(&self, typed: &str, browser: &Browser) -> Result<Device, DeskRefusal> {
        let sign_in = browser.sign_in.as_ref().ok_or(DeskRefusal::Nobody)?;
        let (device, _) = self.look(typed, sign_in, browser.address.as_deref()).await?;
        let device = self.within_ceiling(device, sign_in).await?;
        let (ports, now, subject) = (&self.authority.ports, self.authority.now(), sign_in.user.to_string());
        // First, so that no device has access that the account page does not show.
        let consent = Consent {
            subject: subject.clone(),
            client: device.client.clone(),
            scope: device.scope.clone(),
            given_at: now,
            changed_at: now,
        };
        ports.consents.agree(&consent).await?;
        let approval = Approval {
            subject,
            authenticated_at: sign_in.authenticated_at,
            methods: sign_in.methods.clone(),
            scope: device.scope.clone(),
        };
        let decided = ports.devices.approve(device.id, &approval, now).await?;
        if !accounts::is_kept(&self.authority, sign_in.user, &device.client, &device.scope).await? {
            return Err(Refusal::ScopeBeyondUser.into());
        }
        self.told(device, decided, true)
    }

    /// The person turns the device away.
    pub async fn deny(&self, typed: &str, browser: &Browser) -> Result<Device, DeskRefusal> {
        let sign_in = browser.sign_in.as_ref().ok_or(DeskRefusal::Nobody)?;
        let (device, _) = self.look(typed, sign_in, browser.address.as_deref()).await?;
        let decided = self.authority.ports.devices.deny(device.id, self.authority.now()).await?;
        self.told(device, decided, false)
    }

    /// The device, with the part of what it asks for that this person can give.
    async fn within_ceiling(&self, device: Device, sign_in: &SignIn) -> Result<Device, DeskRefusal> {
        let scope = accounts::grantable(&self.authority, sign_in.user, &device.scope).await?;
        let scope = scope.ok_or(DeskRefusal::Nobody)?;
        if scope.is_empty() && !device.scope.is_empty() {
            return Err(Refusal::ScopeBeyondUser.into());
        }
        Ok(Device { scope, ..device })
    }

    fn told(&self, device: Device, decided: Deciding, approved: bool) -> Result<Device, DeskRefusal> {
        match decided {
            Deciding::Decided => {
                self.authority.observer.observe(&Event::DeviceDecided { client: &device.client, approved });
                Ok(device)
            }
            Deciding::Gone => Err(DeskRefusal::Unknown),
        }
    }

    /// Every look at a code costs an attempt, also that of a decision: there is no second way to guess.
    async fn look(
        &self,
        typed: &str,
        sign_in: &SignIn,
        address: Option<&str>,
    ) -> Result<(Device, UserCode), DeskRefusal> {
        let (now, counts) = (self.authority.now(), counts(sign_in, address));
        let failures = self.budget.spend(&counts, now).map_err(DeskRefusal::Throttled)?;
        let found = self.waiting(typed, now).await;
        if let Ok(None) = found {
            self.authority.observer.observe(&Event::UserCodeWrong { user: sign_in.user, address, failures });
            return Err(DeskRefusal::Unknown);
        }
        // It was right, or the store was away, which is nobody's mistake.
        self.budget.refund(&counts, now);
        found?.ok_or(DeskRefusal::Unknown)
    }

    async fn waiting(&self, typed: &str, now: Timestamp) -> Result<Option<(Device, UserCode)>, DeskRefusal> {
        let Some(code) = UserCode::parse(typed) else { return Ok(None) };
        let digest = digest(&self.authority, &code)?;
        let device = self.authority.ports.devices.find_waiting(&digest, now).await?;
        Ok(device.map(|device| (device, code)))
    }
}

fn counts(sign_in: &SignIn, address: Option<&str>) -> [Count; 2] {
    let (person, address) = (format!("person {}", sign_in.user), format!("address {}", network(address)));
    [(person, FREE_FOR_PERSON), (address, FREE_FOR_ADDRESS)]
}
