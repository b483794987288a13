//! What the rules need from outside: one small trait per noun, plus time, randomness and an ear.
//!
//! A method names a transition and returns an outcome that the engine decided in its own transaction.

mod alerts;
mod api_keys;
mod clients;
mod clock;
mod consents;
mod deliveries;
mod devices;
mod keys;
mod links;
mod observer;
mod random;
mod revocations;
mod sessions;
mod sign_ins;
mod store_error;
mod sweeping;
mod upstream_calls;
mod users;

use std::sync::Arc;

pub use alerts::{AlertQuery, Alerts, Raising};
pub use api_keys::{ApiKeyChange, ApiKeys};
pub use clients::{ClientRegistration, ClientRemoval, Clients, SecretChange};
pub use clock::Clock;
pub use consents::Consents;
pub use deliveries::Deliveries;
pub use devices::{Asking, Deciding, Devices, Poll, PollRules, PollVerdict};
pub use keys::{KeyAddition, Keys};
pub use links::{Admission, Keep, LinkAddition, Links, Unlinking};
pub use observer::Observer;
pub use random::Random;
pub use revocations::{RevocationCursor, RevocationFeed, Revocations};
pub use sessions::{
    Ending, Grounds, KeptAnswer, Opening, OpeningRules, Rotation, RotationRules, RotationVerdict, SESSIONS_A_TURN,
    SessionQuery, Sessions,
};
pub use sign_ins::{Leaving, SignInRenewal, SignInStart, SignIns};
pub use store_error::StoreError;
pub use sweeping::{Sweeping, Swept};
pub use upstream_calls::{CallFailed, ClientProof, UpstreamCalls};
pub use users::{PasswordChange, UserAddition, Users};

/// One engine behind every storage port.
#[derive(Clone)]
pub struct Ports {
    /// Registered apps.
    pub clients: Arc<dyn Clients>,
    /// Keys of services.
    pub api_keys: Arc<dyn ApiKeys>,
    /// People.
    pub users: Arc<dyn Users>,
    /// Who people are at other providers.
    pub links: Arc<dyn Links>,
    /// Browsers in which someone signed in.
    pub sign_ins: Arc<dyn SignIns>,
    /// What people agreed to.
    pub consents: Arc<dyn Consents>,
    /// Devices that ask.
    pub devices: Arc<dyn Devices>,
    /// Consents in use.
    pub sessions: Arc<dyn Sessions>,
    /// What was taken back.
    pub revocations: Arc<dyn Revocations>,
    /// Wrapped keys.
    pub keys: Arc<dyn Keys>,
    /// What someone should know of.
    pub alerts: Arc<dyn Alerts>,
    /// Messages on their way out.
    pub deliveries: Arc<dyn Deliveries>,
    /// Removal of what has expired.
    pub sweeping: Arc<dyn Sweeping>,
}

impl Ports {
    /// Puts one engine behind all of them.
    pub fn of<E>(engine: Arc<E>) -> Self
    where
        E: Clients
            + ApiKeys
            + Users
            + Links
            + SignIns
            + Consents
            + Devices
            + Sessions
            + Revocations
            + Keys
            + Alerts
            + Deliveries
            + Sweeping
            + 'static,
    {
        Self {
            clients: engine.clone(),
            api_keys: engine.clone(),
            users: engine.clone(),
            links: engine.clone(),
            sign_ins: engine.clone(),
            consents: engine.clone(),
            devices: engine.clone(),
            sessions: engine.clone(),
            revocations: engine.clone(),
            keys: engine.clone(),
            alerts: engine.clone(),
            deliveries: engine.clone(),
            sweeping: engine,
        }
    }
}
