//! `valetkey api usage`: who still calls which version.

use std::process::ExitCode;

use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use valetkey_oauth::ports::Clock;
use valetkey_resources::ports::Used;
use valetkey_rest::version::{ApiVersion, Lifecycle};

use super::output::{Output, table};
use super::serve::declare;
use super::{Failure, open_api};
use crate::app::api;
use crate::app::system::SystemClock;
use crate::config::Config;

/// Counts are kept for some two years.
const MOST_DAYS: u32 = 1_000;

pub(super) async fn run(days: u32, only: Option<u32>, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let declared = declare(config)?.api;
    let versions = api::versions(&declared, config.origin().as_str());
    let today = SystemClock.now().to_zoned(TimeZone::UTC).date();
    let since = today.saturating_sub(i64::from(days.clamp(1, MOST_DAYS) - 1).days());
    let ports = open_api(config).await?;
    let mut used = ports.usage.usage_since(since).await.map_err(|error| anyhow::anyhow!("{error}"))?;
    used.retain(|used| only.is_none_or(|only| used.version == only));
    let state = |number: u32| versions.version(number).map(|version| version.state(versions.today()));
    let rows: Vec<Value> = used.iter().map(|used| value(used, state(used.version))).collect();
    let silent = versions.known().iter().filter(|version| {
        only.is_none_or(|only| version.number == only) && used.iter().all(|used| used.version != version.number)
    });
    let silent: Vec<&ApiVersion> = silent.collect();
    let numbers: Vec<u32> = silent.iter().map(|version| version.number).collect();
    let told = json!({ "since": since.to_string(), "usage": rows, "unused_versions": numbers });
    output.print(&told, || text(&used, &state, &numbers, since))?;
    Ok(ExitCode::SUCCESS)
}

fn value(used: &Used, state: Option<Lifecycle>) -> Value {
    json!({
        "version": used.version,
        "state": state.map(Lifecycle::as_str),
        "client": used.client,
        "requests": used.requests,
        "last_at": used.last_at.to_string(),
    })
}

fn text(used: &[Used], state: &dyn Fn(u32) -> Option<Lifecycle>, silent: &[u32], since: Date) -> String {
    let rows = used.iter().map(|used| {
        vec![
            used.version.to_string(),
            state(used.version).map_or("not declared", Lifecycle::as_str).to_owned(),
            used.client.clone(),
            used.requests.to_string(),
            used.last_at.strftime("%Y-%m-%d %H:%M").to_string(),
        ]
    });
    let mut parts = Vec::new();
    if used.is_empty() {
        parts.push(format!("Nobody has called the API since {since}."));
    } else {
        parts.push(table(&["version", "state", "client", "requests", "last call (UTC)"], rows.collect()));
        parts.push(format!("Counted since {since}; the last seconds may be missing."));
    }
    let numbers: Vec<String> = silent.iter().map(ToString::to_string).collect();
    match numbers.as_slice() {
        [] => {}
        [one] => parts.push(format!("Nobody has called version {one}.")),
        many => parts.push(format!("Nobody has called versions {}.", many.join(", "))),
    }
    parts.join("\n")
}
