//! Signing in through another OpenID Connect provider: this server is a client there, and believes what is proven.
//!
//! Knows no HTTP: [`UpstreamCalls`](crate::ports::UpstreamCalls) speaks for it. Knows no cookies: what a browser carries
//! meanwhile is sealed here and handed over as a [`Carried`](crate::accounts::Carried).

mod account;
mod desk;
mod directory;
mod encode;
mod exchange;
mod freshness;
mod id_token;
mod identity;
mod links;
mod metadata;
mod pending;
mod provider;
mod refusal;

pub use desk::{Departure, Return, Returned, Start, UpstreamDesk};
pub use directory::try_out;
pub use links::{LinkRow, made, removed};
pub use provider::{ClaimMapping, Linking, Provider};
pub use refusal::UpstreamRefusal;
