//! Is a key that is presented good, and from there?

use std::net::IpAddr;
use std::sync::Arc;

use crate::model::{ApiKey, SecretDigest};
use crate::ports::StoreError;
use crate::{Authority, Event};

/// What a presented key opens.
#[derive(Debug, Clone, PartialEq)]
pub enum Admission {
    /// What this key may do.
    Admitted(Arc<ApiKey>),
    /// The key is good, and must not be used from there.
    Misplaced,
    /// Nobody has it, or no longer.
    Unknown,
}

/// Judges a key by its digest and the address that it came from.
pub async fn admit(
    authority: &Authority,
    presented: &SecretDigest,
    from: Option<IpAddr>,
) -> Result<Admission, StoreError> {
    let found = authority.ports.api_keys.find_api_key(presented).await?;
    let Some(key) = found.filter(|key| key.accepts(presented, authority.now())) else {
        return Ok(Admission::Unknown);
    };
    if !key.may_come_from(from) {
        authority.observer.observe(&Event::ApiKeyMisplaced { key: key.id, address: from });
        return Ok(Admission::Misplaced);
    }
    authority.key_uses.note(key.id, authority.now());
    Ok(Admission::Admitted(key))
}
