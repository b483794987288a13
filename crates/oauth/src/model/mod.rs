//! The nouns: clients, API keys, users and their links, sign-ins, consents, devices, sessions, tokens, keys, alerts, messages, and what
//! was revoked.
//! States and transitions, no storage.

pub mod alert;
pub mod api_key;
pub mod certificate;
pub mod client;
pub mod consent;
pub mod delivery;
pub mod device;
pub mod distinguished_name;
pub mod key;
pub mod link;
pub mod revocation;
pub mod secret;
pub mod session;
pub mod sign_in;
pub mod token;
pub mod user;

pub use alert::{Alert, AlertId, AlertKind};
pub use api_key::{API_KEY_PREFIX, ApiKey, ApiKeyId, ApiKeySecret, ApiKeyState};
pub use certificate::{Certificate, CertificateName, TlsIdentity};
pub use client::{Client, ClientId, ClientKind, ClientSecret, IntrospectionReach, SubjectNames};
pub use consent::Consent;
pub use delivery::{Delivery, DeliveryId, DeliveryKind};
pub use device::{Approval, Device, DeviceId, DeviceState, UserCode};
pub use distinguished_name::DistinguishedName;
pub use key::{Algorithm, KeyPurpose, StoredKey};
pub use link::{Link, LinkMaker};
pub use revocation::{Revocation, RevocationTarget};
pub use secret::{Secret, SecretDigest};
pub use session::{Session, SessionEnd, SessionId, SessionOrigin, SessionState};
pub use sign_in::{SignIn, SignInId};
pub use token::{AccessToken, AccessTokenFormat, TokenId};
pub use user::{NO_PASSWORD, User, UserId, VOUCHED_BY};
