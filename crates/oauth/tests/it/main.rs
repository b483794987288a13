//! The rules, on an engine without a disk, with clock and randomness in the test's hand.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

mod alerts;
mod authentication;
mod authorize;
mod ceiling;
mod certificates;
mod client_credentials;
mod clock;
mod code;
mod device;
mod introspection;
mod jwt;
mod keys;
mod new_password;
mod opaque;
mod openid;
mod passwords;
mod person;
mod refresh;
mod registration;
mod revocation;
mod sign_in;
mod sign_out;
mod users_away;
mod world;
