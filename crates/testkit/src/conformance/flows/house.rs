//! Two nodes on one store: one where everything happens and which knows what was revoked, and one which asks the store.

use std::sync::Arc;

use valetkey_oauth::Authority;
use valetkey_oauth::keys::{self, RootKey};
use valetkey_oauth::model::{Algorithm, Client, ClientId, IntrospectionReach, KeyPurpose};
use valetkey_oauth::policy::{Policy, RevocationCheck};
use valetkey_oauth::ports::Ports;

use crate::authority::policy;
use crate::{Ear, FixedClock, SeededRandom, build};

/// Sees all tokens, and is never removed.
const WATCHER: &str = "watcher";

pub struct House {
    pub near: Arc<Authority>,
    pub far: Arc<Authority>,
    pub clock: Arc<FixedClock>,
    ports: Ports,
    /// Counts whatever must not have the same name twice.
    count: u64,
}

impl House {
    pub async fn build(ports: Ports) -> Self {
        let mut watcher = build::client(WATCHER);
        watcher.introspection = IntrospectionReach::Any;
        ports.clients.register(&watcher).await.unwrap();
        let clock = Arc::new(FixedClock::default());
        let near = node(&ports, &clock, 1, policy()).await;
        let far = node(&ports, &clock, 2, Policy { revocation_check: RevocationCheck::Store, ..policy() }).await;
        Self { near, far, clock, ports, count: 2 }
    }

    /// A number that was not there before.
    pub fn next(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    pub async fn watcher(&self) -> Arc<Client> {
        self.ports.clients.find(&ClientId::new(WATCHER)).await.unwrap().unwrap()
    }

    /// The near node ends and starts again: what it held in memory is gone.
    pub async fn restart(&mut self) {
        let seed = self.next();
        self.near = node(&self.ports, &self.clock, seed, policy()).await;
        self.near.refresh_window().await.unwrap();
    }

    /// What a job does every few seconds.
    pub async fn keep_up(&self) {
        keys::keep_up(&self.near).await.unwrap();
        self.far.reload_keys().await.unwrap();
    }

    pub async fn rotate_keys(&self) {
        for purpose in [KeyPurpose::Seal, KeyPurpose::Sign(Algorithm::Es256)] {
            keys::rotate(&self.near, purpose, true).await.unwrap();
        }
        self.keep_up().await;
    }

    /// The clock goes wrong by so much and is set right again, while jobs do what they do.
    pub async fn leap(&self, seconds: i64) {
        for seconds in [seconds, -seconds] {
            self.clock.leap(seconds);
            self.keep_up().await;
            self.near.refresh_window().await.unwrap();
            self.far.refresh_window().await.unwrap();
            self.sweep().await;
        }
    }

    pub async fn sweep(&self) {
        self.ports.sweeping.sweep(self.near.surely_past(), 10_000).await.unwrap();
    }
}

/// All nodes have one root key, and each draws numbers of its own.
async fn node(ports: &Ports, clock: &Arc<FixedClock>, seed: u64, policy: Policy) -> Arc<Authority> {
    let root = RootKey::generate(&SeededRandom::new(7));
    let random = Arc::new(SeededRandom::new(seed.wrapping_mul(0x5851_F42D_4C95_7F2D)));
    let node = Authority::new(ports.clone(), clock.clone(), random, Arc::new(Ear::default()), policy, root);
    let node = node.await.unwrap();
    keys::keep_up(&node).await.unwrap();
    Arc::new(node)
}
