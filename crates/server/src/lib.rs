//! The only place where everything meets: settings, commands, telemetry, the engine choice, layers, TLS, background jobs.

pub mod app;
pub mod bridge;
pub mod cli;
pub mod config;
pub mod jobs;
pub mod telemetry;
