//! The server as a client meets it: over HTTP, on a listening socket, with tokens that the test knows.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

mod conditions;
mod lists;
mod methods;
mod wire;
mod world;
