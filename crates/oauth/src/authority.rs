//! The authority: ports, policy, keys and memory in one value that every use case borrows.

use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use jiff::Timestamp;
use tokio::sync::Notify;
use zeroize::Zeroizing;

use crate::alerts::Alarm;
use crate::api_keys::Uses;
use crate::keys::{KeyError, Ring, RootKey};
use crate::policy::Policy;
use crate::ports::{Clock, Observer, Ports, Random};
use crate::refusal::Refusal;
use crate::tokens::Window;

/// Everything a use case needs. Made once, shared by all requests.
pub struct Authority {
    /// The store.
    pub ports: Ports,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// Randomness.
    pub random: Arc<dyn Random>,
    /// Who hears what happens.
    pub observer: Arc<dyn Observer>,
    /// What the operator decided.
    pub policy: Policy,
    /// What was revoked lately.
    pub window: Window,
    /// Wakes whoever sends messages. Tell it after a message was posted, or the message waits for the next look.
    pub mail: Arc<Notify>,
    /// Tells someone.
    pub alarm: Alarm,
    /// When API keys were used, until that is written down.
    pub key_uses: Uses,
    pub(crate) root: RootKey,
    ring: ArcSwap<Ring>,
}

impl Authority {
    /// Puts the parts together and opens the keys that the store has. Makes none: see [`crate::keys::keep_up`].
    pub async fn new(
        ports: Ports,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        observer: Arc<dyn Observer>,
        policy: Policy,
        root: RootKey,
    ) -> Result<Self, Refusal> {
        let ring = Ring::open(&root, &ports.keys.all_keys().await?)?;
        let (window, mail) = (Window::default(), Arc::new(Notify::new()));
        let alarm = Alarm {
            alerts: ports.alerts.clone(),
            clock: clock.clone(),
            random: random.clone(),
            observer: observer.clone(),
            mail: mail.clone(),
            policy: policy.alerts.clone(),
        };
        Ok(Self {
            ports,
            clock,
            random,
            observer,
            policy,
            window,
            mail,
            alarm,
            key_uses: Uses::default(),
            root,
            ring: ArcSwap::from_pointee(ring),
        })
    }

    /// Now.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What ran out before this moment may be forgotten; see [`Clock::surely_past`].
    pub fn surely_past(&self) -> Timestamp {
        self.clock.surely_past()
    }

    /// The keys in force.
    pub fn ring(&self) -> Guard<Arc<Ring>> {
        self.ring.load()
    }

    /// A key of its own for one use outside of the rules. It is the same on every node, as long as the root key is.
    pub fn derive_key(&self, purpose: &str) -> Result<Zeroizing<[u8; 32]>, KeyError> {
        self.root.derive(purpose)
    }

    /// Looks whether the store has other keys than the ring, and takes them. Answers whether it had.
    pub async fn reload_keys(&self) -> Result<bool, Refusal> {
        let stored = self.ports.keys.all_keys().await?;
        if self.ring().is_made_of(&stored) {
            return Ok(false);
        }
        self.ring.store(Arc::new(Ring::open(&self.root, &stored)?));
        Ok(true)
    }

    /// Reads what other processes revoked since the last call.
    pub async fn refresh_window(&self) -> Result<(), Refusal> {
        let (past, now) = (self.clock.surely_past(), self.now());
        let feed = self.ports.revocations.feed(self.window.cursor(), past).await?;
        self.window.take(feed, past, now);
        Ok(())
    }
}
