//! The rules of authorization: what may be granted to whom, how it is sealed, and how it is taken back.
//!
//! Knows no HTTP, no SQL and no wall clock; time, randomness and storage enter through [`ports`].

pub mod accounts;
pub mod alerts;
pub mod api_keys;
pub mod authority;
pub mod authorize;
mod backoff;
pub mod clients;
pub mod devices;
pub mod event;
pub mod grants;
pub mod keys;
pub mod model;
mod moment;
pub mod openid;
pub mod policy;
pub mod ports;
pub mod protocol;
pub mod refusal;
pub mod sessions;
pub mod tokens;
pub mod upstream;

pub use authority::Authority;
pub use event::Event;
pub use policy::Policy;
pub use refusal::Refusal;
