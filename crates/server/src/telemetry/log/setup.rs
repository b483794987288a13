//! Builds the subscriber that turns lines into bytes: which are kept, how they look, where they go.

use std::{
    io::{self, IsTerminal},
    sync::Arc,
};

use prometheus_client::metrics::counter::Counter;
use tracing::Subscriber;
use tracing_subscriber::{EnvFilter, filter::ParseError, fmt, util::SubscriberInitExt};
use valetkey_oauth::ports::Clock;

use super::{
    line::{Line, Look},
    request::Straight,
    sink::Sink,
};
use crate::telemetry::{LogFormat, Settings, SetupError};

/// Lines that no level brings out: the driver tells each statement with its values, and a value can be anything that a
/// stranger has sent. And what we tell ourselves: each migration shows its progress.
const SILENT: [&str; 2] = ["tokio_postgres::query=off", "refinery_core=warn"];

/// Makes the log of the whole process go to stderr, and counts in `dropped` what stderr was too slow for.
pub fn install(settings: &Settings, clock: Arc<dyn Clock>, dropped: Counter) -> Result<Straight, SetupError> {
    let sink = Sink::start(io::stderr(), dropped).map_err(SetupError::LogWriter)?;
    // Also takes over the `log` records of libraries that know no `tracing`.
    subscriber(settings, clock.clone(), sink.clone())?.try_init().map_err(|_| SetupError::LogTaken)?;
    Ok(straight(settings, clock, sink))
}

/// Writes lines of requests into `sink`, as the subscriber would have written them.
pub fn straight(settings: &Settings, clock: Arc<dyn Clock>, sink: Sink) -> Straight {
    Straight { line: line(settings, clock), sink }
}

fn line(settings: &Settings, clock: Arc<dyn Clock>) -> Line {
    let terminal = io::stderr().is_terminal();
    let look = match settings.log_format {
        LogFormat::Json => Look::Json,
        LogFormat::Auto if !terminal => Look::Json,
        LogFormat::Auto | LogFormat::Pretty => Look::Pretty { colour: terminal },
    };
    Line { look, clock }
}

/// Can these words for which lines are kept be read?
pub fn check_level(level: &str) -> Result<(), String> {
    EnvFilter::builder().parse(level).map(|_| ()).map_err(|why| why.to_string())
}

/// A subscriber that writes into `sink`, for `install` and for tests that read what was written.
pub fn subscriber(
    settings: &Settings,
    clock: Arc<dyn Clock>,
    sink: Sink,
) -> Result<impl Subscriber + Send + Sync + 'static, SetupError> {
    let unreadable = |why: String| SetupError::Level { level: settings.level.clone(), why };
    let mut filter = EnvFilter::builder().parse(&settings.level).map_err(|why| unreadable(why.to_string()))?;
    for silent in SILENT {
        filter = filter.add_directive(silent.parse().map_err(|why: ParseError| unreadable(why.to_string()))?);
    }
    Ok(fmt::Subscriber::builder()
        .event_format(line(settings, clock))
        .with_writer(move || sink.clone())
        .with_env_filter(filter)
        .finish())
}
