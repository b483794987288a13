//! The published keys: kept, refreshed, and fetched by one request at a time.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use jsonwebtoken::{
    Algorithm,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse},
};
use tokio::sync::Mutex;

use crate::bearer::{Unverifiable, fetch::fetch};

/// The least time between two fetches, whatever tokens say.
const PAUSE: Duration = Duration::from_secs(10);
/// After this the keys are fetched again even if all are known: one may have been withdrawn.
const FRESH: Duration = Duration::from_secs(10 * 60);
/// For so long keys serve while their issuer does not answer.
const STALE: Duration = Duration::from_secs(60 * 60);

pub(super) struct Keys {
    address: String,
    http: reqwest::Client,
    held: RwLock<Held>,
    /// Held by the one request that fetches. Those whose key is known do not wait for it.
    fetching: Mutex<()>,
}

#[derive(Default, Clone)]
struct Held {
    set: Option<Arc<JwkSet>>,
    fetched: Option<Duration>,
    tried: Option<Duration>,
}

impl Keys {
    pub(super) fn new(address: String, http: reqwest::Client) -> Self {
        Self { address, http, held: RwLock::default(), fetching: Mutex::default() }
    }

    /// The key of this id; none if the issuer has none.
    pub(super) async fn find(&self, kid: &str, now: Duration) -> Result<Option<Jwk>, Unverifiable> {
        if let Some(jwk) = self.held().fresh(kid, now) {
            return Ok(Some(jwk));
        }
        let _turn = self.fetching.lock().await;
        // Whoever had the turn before may have brought the key.
        let mut held = self.held();
        if let Some(jwk) = held.fresh(kid, now) {
            return Ok(Some(jwk));
        }
        if held.tried.is_some_and(|tried| now.saturating_sub(tried) < PAUSE) {
            return held.best(kid, now, Unverifiable::Unavailable("the keys were asked for a moment ago".into()));
        }
        held.tried = Some(now);
        let fetched = self.fetch().await;
        if let Ok(set) = &fetched {
            held.set = Some(set.clone());
            held.fetched = Some(now);
        }
        *self.held.write().unwrap_or_else(PoisonError::into_inner) = held.clone();
        match fetched {
            Ok(_) => Ok(held.find(kid)),
            Err(error) => held.best(kid, now, error),
        }
    }

    fn held(&self) -> Held {
        self.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn fetch(&self) -> Result<Arc<JwkSet>, Unverifiable> {
        let (status, body) = fetch(self.http.get(&self.address)).await?;
        if status != 200 {
            return Err(Unverifiable::Failed(format!("the address of the keys answered {status}")));
        }
        serde_json::from_slice(&body)
            .map(Arc::new)
            .map_err(|error| Unverifiable::Failed(format!("the keys cannot be read: {error}")))
    }
}

impl Held {
    fn find(&self, kid: &str) -> Option<Jwk> {
        self.set.as_ref()?.find(kid).cloned()
    }

    fn age(&self, now: Duration) -> Option<Duration> {
        self.fetched.map(|fetched| now.saturating_sub(fetched))
    }

    fn fresh(&self, kid: &str, now: Duration) -> Option<Jwk> {
        self.age(now).filter(|age| *age < FRESH).and_then(|_| self.find(kid))
    }

    /// What can be said without asking: keys that are not too old serve on, and a set that was just read is believed.
    fn best(&self, kid: &str, now: Duration, error: Unverifiable) -> Result<Option<Jwk>, Unverifiable> {
        match (self.find(kid), self.age(now)) {
            (Some(jwk), Some(age)) if age < STALE => Ok(Some(jwk)),
            (None, Some(age)) if age < PAUSE => Ok(None),
            _ => Err(error),
        }
    }
}

/// The algorithm of a key: what it says, or what its kind means. Others, and keys for encryption, are none of ours.
pub(super) fn algorithm(jwk: &Jwk) -> Option<Algorithm> {
    if jwk.common.public_key_use.as_ref().is_some_and(|usage| *usage != PublicKeyUse::Signature) {
        return None;
    }
    let natural = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => Algorithm::ES256,
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => Algorithm::EdDSA,
        _ => return None,
    };
    let stated = match jwk.common.key_algorithm {
        None => natural,
        Some(KeyAlgorithm::RS256) => Algorithm::RS256,
        Some(KeyAlgorithm::ES256) => Algorithm::ES256,
        Some(KeyAlgorithm::EdDSA) => Algorithm::EdDSA,
        Some(_) => return None,
    };
    (stated == natural).then_some(natural)
}
