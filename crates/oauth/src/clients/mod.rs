//! Clients: who they are, how they prove it, and how they are registered.

mod authentication;
mod registration;
mod terms;

pub use authentication::{Presented, authenticate, identify};
pub use registration::{
    KNOWN_EVERYWHERE, NewClient, Registered, RegistrationError, register, remove, renew_secret, update,
};
pub use terms::pairwise;
