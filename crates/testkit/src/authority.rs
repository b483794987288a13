//! A whole authority on given ports, with clock and randomness in the test's hand.

use std::sync::Arc;
use std::time::Duration;

use valetkey_oauth::keys::{self, RootKey};
use valetkey_oauth::model::{AccessTokenFormat, Algorithm};
use valetkey_oauth::policy::{AlertPolicy, CertificateUse, KeyPolicy, Policy, RevocationCheck};
use valetkey_oauth::ports::Ports;
use valetkey_oauth::protocol::Scope;
use valetkey_oauth::{Authority, Refusal};

use crate::{Ear, FixedClock, SeededRandom};

/// A policy as a test likes it: 15 minutes, opaque, checked in the window.
pub fn policy() -> Policy {
    Policy {
        issuer: "https://auth.example".to_owned(),
        audience: "https://auth.example/api".to_owned(),
        resources: Vec::new(),
        scopes: Scope::parse("read:orders write:orders").unwrap(),
        access_lifetime: Duration::from_secs(900),
        refresh_lifetime: Duration::from_secs(30 * 86_400),
        refresh_idle: Duration::from_secs(14 * 86_400),
        sign_in_lifetime: Duration::from_secs(12 * 3600),
        access_format: AccessTokenFormat::Opaque,
        signing: Algorithm::Es256,
        revocation_check: RevocationCheck::Window,
        certificates: CertificateUse::VouchedFor,
        keys: KeyPolicy {
            rotate_signing: Duration::from_secs(90 * 86_400),
            rotate_sealing: Duration::from_secs(30 * 86_400),
            publish_ahead: Duration::from_secs(600),
            keep_sealing: Duration::from_secs(30 * 86_400),
        },
        alerts: AlertPolicy { keep: Duration::from_secs(400 * 86_400), webhook: None },
    }
}

/// An authority with keys that knows of all revocations, ready to issue.
pub async fn authority(
    ports: Ports,
    clock: Arc<FixedClock>,
    ear: Arc<Ear>,
    policy: Policy,
) -> Result<Authority, Refusal> {
    let random = Arc::new(SeededRandom::new(7));
    let root = RootKey::generate(&*random);
    let authority = Authority::new(ports, clock, random, ear, policy, root).await?;
    keys::keep_up(&authority).await?;
    authority.refresh_window().await?;
    Ok(authority)
}
