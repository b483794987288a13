//! The edge over real sockets: TLS, limits, proxies, drain.
#![allow(clippy::unwrap_used, reason = "clippy counts only functions marked as tests, and not what they share")]

mod certificates;
mod drain;
mod halls;
mod limits;
mod proxies;
mod tls;
mod world;
