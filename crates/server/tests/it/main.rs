//! The whole server from outside: the real binary, real sockets, both engines. Modules mirror the URLs.

#![allow(clippy::unwrap_used, reason = "a panic is a failing test")]

mod house;
mod token;
