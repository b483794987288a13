//! The only place where everything meets: settings, commands, telemetry, the engine choice, layers, TLS, background jobs,
//! calls of our own.

// They panic where nobody reads; `cli::output` does not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod app;
pub mod bridge;
pub mod cli;
pub mod config;
pub mod jobs;
pub mod outbound;
pub mod telemetry;
