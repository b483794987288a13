//! The nouns: clients, users, sessions, tokens, keys, and what was revoked. States and transitions, no storage.

pub mod client;
pub mod key;
pub mod revocation;
pub mod secret;
pub mod session;
pub mod token;
pub mod user;

pub use client::{Client, ClientId, ClientKind, ClientSecret, IntrospectionReach};
pub use key::{Algorithm, KeyPurpose, StoredKey};
pub use revocation::{Revocation, RevocationTarget};
pub use secret::{Secret, SecretDigest};
pub use session::{Session, SessionEnd, SessionId, SessionState};
pub use token::{AccessToken, AccessTokenFormat, TokenId};
pub use user::{User, UserId};
