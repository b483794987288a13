//! What an operator decides: issuer, lifetimes, formats, and when keys change.

use std::time::Duration;

use crate::model::{AccessTokenFormat, Algorithm};
use crate::protocol::Scope;

/// The longest life an operator can give an access token. Revocations and replaced keys are kept this long, so that a
/// token outlives neither, even if the setting was shortened since it was issued.
pub const LONGEST_ACCESS_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Whom to ask whether a token was revoked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevocationCheck {
    /// The window in memory: exact where one process owns the store, at most a second late elsewhere.
    Window,
    /// The store, on each introspection.
    Store,
}

/// Which certificates of clients can be seen and believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CertificateUse {
    /// None.
    #[default]
    Unseen,
    /// Those that are registered one by one: nobody is trusted to vouch for others.
    Registered,
    /// Those, and the ones that a trusted authority vouches for.
    VouchedFor,
}

/// When keys change.
#[derive(Debug, Clone)]
pub struct KeyPolicy {
    /// Age at which a signing key gets a successor.
    pub rotate_signing: Duration,
    /// Age at which the sealing key gets a successor.
    pub rotate_sealing: Duration,
    /// How long a new signing key is published before it signs.
    pub publish_ahead: Duration,
    /// How long a replaced sealing key must still open what it sealed: the longest life of a refresh token.
    pub keep_sealing: Duration,
}

/// What becomes of alerts.
#[derive(Debug, Clone)]
pub struct AlertPolicy {
    /// How long they stay on record.
    pub keep: Duration,
    /// Where they are sent to, if anywhere.
    pub webhook: Option<String>,
}

/// The settings that the rules obey.
#[derive(Debug, Clone)]
pub struct Policy {
    /// `iss`: the origin of the server, without a slash at the end.
    pub issuer: String,
    /// `aud` where the client names no resource: the address of the API.
    pub audience: String,
    /// Other values of `resource` that mean the same API.
    pub resources: Vec<String>,
    /// Scopes that exist here.
    pub scopes: Scope,
    /// Life of an access token.
    pub access_lifetime: Duration,
    /// How long a session can be refreshed, whatever happens.
    pub refresh_lifetime: Duration,
    /// How long a session lives without being refreshed.
    pub refresh_idle: Duration,
    /// How long a browser stays signed in.
    pub sign_in_lifetime: Duration,
    /// Its form, where the client has none of its own.
    pub access_format: AccessTokenFormat,
    /// The algorithm that signs where nothing else is asked.
    pub signing: Algorithm,
    /// Whom to ask about revocation.
    pub revocation_check: RevocationCheck,
    /// Which certificates clients may prove themselves with.
    pub certificates: CertificateUse,
    /// When keys change.
    pub keys: KeyPolicy,
    /// What becomes of alerts.
    pub alerts: AlertPolicy,
}

impl Policy {
    /// Is this the API that is guarded here, under any of its names?
    pub fn serves(&self, resource: &str) -> bool {
        resource == self.audience || self.resources.iter().any(|name| name == resource)
    }
}
