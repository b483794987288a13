//! What an operator sees of a running server, and what must never stand there.
#![allow(clippy::unwrap_used)]

mod cost;
mod events;
#[cfg(feature = "otlp")]
mod otlp;
mod requests;
mod world;
