//! The whole server from outside: the real binary, real sockets, both engines. Modules mirror the URLs.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

mod answer;
mod authorize;
mod cli;
mod clients;
mod cors;
mod credentials;
mod database;
mod errors;
mod health;
mod house;
mod introspect;
mod jwks;
mod metadata;
mod pages;
mod relay;
mod revoke;
mod secrets;
mod settings;
mod start;
mod token;
