//! The whole server from outside: the real binary, real sockets, both engines. Modules mirror the URLs.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

mod answer;
mod authorize;
mod cli;
mod clients;
mod errors;
mod health;
mod house;
mod introspect;
mod jwks;
mod metadata;
mod pages;
mod revoke;
mod secrets;
mod start;
mod token;
