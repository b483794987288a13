//! All rows from one engine to the other, into a file and out of it.

#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]

mod journeys;
mod moments;
mod place;
mod refusals;
mod resuming;
#[path = "../postgres/schema.rs"]
#[allow(dead_code, reason = "the suite of PostgreSQL uses all of it")]
mod schema;
mod versions;
