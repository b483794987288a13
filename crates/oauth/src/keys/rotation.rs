//! Making keys: the first of each purpose, successors by age or by hand, and removal of those nobody needs.

use std::time::Duration;

use jiff::Timestamp;

use super::ring::label;
use super::{KeyError, SealingKey, SigningKey};
use crate::authority::Authority;
use crate::model::{Alert, AlertKind, KeyPurpose, StoredKey};
use crate::moment::later;
use crate::policy::LONGEST_ACCESS_LIFETIME;
use crate::ports::KeyAddition;
use crate::{Event, Refusal};

/// Nodes read new keys at least every second; a sealing key waits this long, so that all nodes can open what it seals.
const SEALING_AHEAD: Duration = Duration::from_secs(5);

/// What [`keep_up`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Upkeep {
    /// Keys made.
    pub made: u32,
    /// Keys removed.
    pub removed: u32,
}

/// Makes the first key of each purpose that has none, and puts the result into the ring. Replaces and removes nothing.
pub async fn make_missing(authority: &Authority) -> Result<u32, Refusal> {
    let stored = authority.ports.keys.all_keys().await?;
    let mut made = 0;
    for purpose in KeyPurpose::ALL {
        let is_missing = !stored.iter().any(|key| key.purpose == purpose);
        if is_missing && make(authority, purpose, 1, authority.now()).await? == KeyAddition::Added {
            made += 1;
        }
    }
    authority.reload_keys().await?;
    Ok(made)
}

/// Makes the keys that are missing, replaces those that are old, removes those whose last token has expired, and puts
/// the result into the ring.
pub async fn keep_up(authority: &Authority) -> Result<Upkeep, Refusal> {
    let now = authority.now();
    let mut upkeep = Upkeep::default();
    for purpose in KeyPurpose::ALL {
        let stored = authority.ports.keys.all_keys().await?;
        let keys: Vec<_> = stored.iter().filter(|key| key.purpose == purpose).collect();
        let age = match purpose {
            KeyPurpose::Seal => authority.policy.keys.rotate_sealing,
            KeyPurpose::Sign(_) => authority.policy.keys.rotate_signing,
        };
        let due = match keys.last() {
            None => Some((1, now)),
            Some(newest) if later(newest.active_from, age) <= now => {
                Some((newest.generation + 1, later(now, ahead(authority, purpose))))
            }
            Some(_) => None,
        };
        if let Some((generation, active_from)) = due
            && make(authority, purpose, generation, active_from).await? == KeyAddition::Added
        {
            upkeep.made += 1;
        }
        for (old, successor) in keys.iter().zip(keys.iter().skip(1)) {
            // A key is not to be had again: a clock that is wrong must not take it from those whose tokens it opens.
            if later(successor.active_from, keep(authority, purpose)) < authority.surely_past() {
                authority.ports.keys.remove_key(purpose, old.generation).await?;
                authority.observer.observe(&Event::KeyRemoved { purpose, generation: old.generation });
                raise(authority, AlertKind::KeyRemoved, purpose, old.generation).await;
                upkeep.removed += 1;
            }
        }
    }
    authority.reload_keys().await?;
    Ok(upkeep)
}

/// Makes a successor by hand. It is published at once and used once everyone can know it, or, with `at_once`, now.
pub async fn rotate(authority: &Authority, purpose: KeyPurpose, at_once: bool) -> Result<StoredKey, Refusal> {
    loop {
        let stored = authority.ports.keys.all_keys().await?;
        let newest = stored.iter().rfind(|key| key.purpose == purpose).map_or(0, |key| key.generation);
        let now = authority.now();
        let active_from = if at_once || newest == 0 { now } else { later(now, ahead(authority, purpose)) };
        // Someone else may take this generation in between; the next one is then ours to try.
        if make(authority, purpose, newest + 1, active_from).await? == KeyAddition::Added {
            authority.reload_keys().await?;
            let stored = authority.ports.keys.all_keys().await?;
            let made = stored.into_iter().find(|key| key.purpose == purpose && key.generation == newest + 1);
            return made.ok_or(Refusal::Keys(KeyError::NoKey(purpose)));
        }
    }
}

async fn make(
    authority: &Authority,
    purpose: KeyPurpose,
    generation: u32,
    active_from: Timestamp,
) -> Result<KeyAddition, Refusal> {
    let random = &*authority.random;
    let (id, secret) = match purpose {
        KeyPurpose::Seal => (format!("seal-{generation}"), SealingKey::generate(random)),
        KeyPurpose::Sign(algorithm) => {
            let secret = SigningKey::generate(algorithm)?;
            let key = SigningKey::new(active_from, algorithm, &secret)?;
            (key.id().to_owned(), secret)
        }
    };
    let wrapped = authority.root.wrap(&label(purpose, generation), &secret, random)?;
    let key = StoredKey { id, purpose, generation, created_at: authority.now(), active_from, wrapped };
    let outcome = authority.ports.keys.add_key(&key).await?;
    if outcome == KeyAddition::Added {
        authority.observer.observe(&Event::KeyMade { purpose, generation });
        // The first key of a new store changes nothing.
        if generation > 1 {
            raise(authority, AlertKind::KeyMade, purpose, generation).await;
        }
    }
    Ok(outcome)
}

async fn raise(authority: &Authority, kind: AlertKind, purpose: KeyPurpose, generation: u32) {
    let fill = |alert: &mut Alert| {
        alert.key = Some(purpose);
        alert.generation = Some(generation);
    };
    authority.alarm.raise(kind, fill).await;
}

fn ahead(authority: &Authority, purpose: KeyPurpose) -> Duration {
    match purpose {
        KeyPurpose::Seal => SEALING_AHEAD,
        KeyPurpose::Sign(_) => authority.policy.keys.publish_ahead,
    }
}

fn keep(authority: &Authority, purpose: KeyPurpose) -> Duration {
    match purpose {
        KeyPurpose::Seal => authority.policy.keys.keep_sealing.max(LONGEST_ACCESS_LIFETIME),
        KeyPurpose::Sign(_) => LONGEST_ACCESS_LIFETIME,
    }
}
