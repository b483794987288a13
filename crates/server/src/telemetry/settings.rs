//! What an operator can choose about telemetry, and why a choice may not work. Where the choice is written down is unknown here.

use serde::Deserialize;

/// How a log line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people on a terminal, for programs everywhere else.
    #[default]
    Auto,
    /// For people.
    Pretty,
    /// For programs: one JSON object on each line.
    Json,
}

/// What to keep, and where to send it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// How a log line looks.
    pub log_format: LogFormat,
    /// Which lines are kept, such as `info` or `info,valetkey::request=warn`.
    pub level: String,
    /// The collector that spans are sent to, such as `http://127.0.0.1:4318`. None: no spans are made.
    pub otlp_endpoint: Option<String>,
    /// Is anything counted?
    pub metrics: bool,
    /// The name of this service among the spans of others.
    pub service_name: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            log_format: LogFormat::Auto,
            level: "info".to_owned(),
            otlp_endpoint: None,
            metrics: true,
            service_name: "valetkey".to_owned(),
        }
    }
}

/// Why telemetry could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The level cannot be read.
    #[error(
        "the log level `{level}` cannot be read: {why}. Write a level such as `info`, or `info,valetkey::request=warn`"
    )]
    Level {
        /// What was given.
        level: String,
        /// What is wrong with it.
        why: String,
    },
    /// The process has a log already.
    #[error("another part of the process has set up logging before")]
    LogTaken,
    /// The thread that writes lines could not be started.
    #[error("the log writer could not be started: {0}")]
    LogWriter(#[source] std::io::Error),
    /// The collector's address cannot be used.
    #[error("the OTLP endpoint `{endpoint}` cannot be used: {why}. Write an address such as `http://127.0.0.1:4318`")]
    Otlp {
        /// What was given.
        endpoint: String,
        /// What is wrong with it.
        why: String,
    },
}
