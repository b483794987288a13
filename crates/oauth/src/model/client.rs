//! Clients: the apps that ask for access, and what they are registered for.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{AccessTokenFormat, Algorithm, SecretDigest, TlsIdentity};
use crate::protocol::{GrantType, Scope};

/// The public name of a client on the wire.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientId(Box<str>);

impl ClientId {
    /// Takes an id as it came; whether such a client exists is another question.
    pub fn new(id: impl Into<Box<str>>) -> Self {
        Self(id.into())
    }

    /// May a new client have this id? Letters, digits, `.`, `_` and `-`: the same with and without percent-encoding.
    pub fn is_well_formed(id: &str) -> bool {
        (1..=64).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClientId({})", self.0)
    }
}

/// Can the client keep a secret?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientKind {
    /// It runs where its users cannot look.
    Confidential,
    /// It runs in a browser or on a phone, and has no secret.
    Public,
}

/// Whose tokens a client may look into at `/introspect`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntrospectionReach {
    /// Those that were issued to it.
    #[default]
    Own,
    /// All: for resource servers that guard an API of their own.
    Any,
}

/// Under which names a client knows people.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubjectNames {
    /// The same `sub` that every such client sees.
    #[default]
    Public,
    /// A `sub` of its own, so that two apps cannot find out that they have a user in common.
    Pairwise {
        /// Clients of one sector see the same names. Kept apart from the redirect URIs, so that a new address renames nobody.
        sector: String,
    },
}

/// A registered client.
#[derive(Debug, Clone)]
pub struct Client {
    /// Its public name.
    pub id: ClientId,
    /// What people call it.
    pub name: String,
    /// Confidential or public.
    pub kind: ClientKind,
    /// Where codes may be sent, compared byte for byte.
    pub redirect_uris: Vec<String>,
    /// May the port of a loopback redirect URI differ (RFC 8252)? For native apps, which listen where there is room.
    pub loopback_any_port: bool,
    /// How it may ask for tokens.
    pub grants: Vec<GrantType>,
    /// The most it may ask for.
    pub scope: Scope,
    /// How its access tokens look; `None` follows the server's setting.
    pub access_token_format: Option<AccessTokenFormat>,
    /// What signs its id_tokens.
    pub id_token_algorithm: Algorithm,
    /// Does each use of a refresh token void it?
    pub rotates_refresh_tokens: bool,
    /// How long the last refresh token again is taken for a retry; zero for never.
    pub refresh_retry_window: Duration,
    /// Whose tokens it may introspect.
    pub introspection: IntrospectionReach,
    /// Under which names it knows people.
    pub subject_names: SubjectNames,
    /// Where a browser may be sent after a sign-out, compared byte for byte.
    pub post_logout_redirect_uris: Vec<String>,
    /// Where it wants to be told that a user signed out (OpenID Connect Back-Channel Logout).
    pub backchannel_logout_uri: Option<String>,
    /// The version of the API that its requests mean when they say none: a number, or a day.
    pub version_pin: Option<String>,
    /// The certificate it proves itself with; if there is one, no secret does.
    pub tls: Option<TlsIdentity>,
    /// Are its access tokens good only together with the certificate they were asked for with (RFC 8705 §3)?
    pub binds_tokens: bool,
    /// Web origins whose pages may read answers for it.
    pub origins: Vec<String>,
    /// Its secrets: more than one while a rotation overlaps.
    pub secrets: Vec<ClientSecret>,
    /// When it was registered.
    pub created_at: Timestamp,
}

impl Client {
    /// May it use this grant?
    pub fn may_use(&self, grant: GrantType) -> bool {
        self.grants.contains(&grant)
    }

    /// Does this digest belong to a secret that is still good?
    ///
    /// Every secret is compared, so that the time does not tell which one matched.
    pub fn accepts(&self, presented: &SecretDigest, now: Timestamp) -> bool {
        self.secrets
            .iter()
            .fold(false, |found, secret| found | (secret.digest.matches(presented) & secret.is_good(now)))
    }
}

/// One secret of a client, as stored.
#[derive(Debug, Clone)]
pub struct ClientSecret {
    /// SHA-256 of the secret.
    pub digest: SecretDigest,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it stops working; `None` while no rotation has set an end.
    pub expires_at: Option<Timestamp>,
}

impl ClientSecret {
    fn is_good(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }
}
