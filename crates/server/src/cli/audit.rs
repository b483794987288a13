//! `valetkey audit`

use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use tokio::time::sleep;
use valetkey_oauth::Authority;
use valetkey_oauth::model::{Alert, AlertId, AlertKind};
use valetkey_oauth::ports::{AlertQuery, StoreError};

use super::arguments::AuditCommand;
use super::output::{Output, Unwritten, reader_has_left, table};
use super::{Failure, open};
use crate::config::{Config, Span, Value as _};

#[cfg(test)]
mod tests;

/// How often a follower looks.
const EVERY: Duration = Duration::from_millis(500);
/// Nodes whose clocks differ, or whose commits are slow, file alerts that are a little older than the newest one.
const OVERLAP: SignedDuration = SignedDuration::from_secs(60);
/// One look of a follower.
const MANY: u32 = 10_000;

pub(super) async fn run(command: AuditCommand, config: &Config, output: Output) -> Result<ExitCode, Failure> {
    let AuditCommand::List { kind, user, since, limit, follow } = command;
    let kind = kind.as_deref().map(read_kind).transpose()?;
    let since = since.as_deref().map(read_span).transpose()?;
    let authority = open(config).await?;
    let subject = match &user {
        None => None,
        Some(name) => {
            let found = authority.ports.users.find_by_username(name).await?;
            Some(found.ok_or_else(|| anyhow::anyhow!("there is no user {name}"))?.id.to_string())
        }
    };
    let since = since.and_then(|span| authority.now().checked_sub(span).ok());
    let query = AlertQuery { subject, kind, before: None, since, limit };
    if follow {
        follow_on(&authority, query, output).await?;
    } else {
        let found = listed(&authority, &query).await?;
        output.print(&Value::Array(found.iter().map(Alert::document).collect()), || pretty(&found))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Like a log: the newest stands last, where the eye is.
async fn listed(authority: &Authority, query: &AlertQuery) -> Result<Vec<Alert>, StoreError> {
    let mut found = authority.ports.alerts.list_alerts(query).await?;
    found.reverse();
    Ok(found)
}

/// Prints what there is, then each new one, until it is interrupted or nobody reads any longer.
async fn follow_on(authority: &Authority, query: AlertQuery, output: Output) -> Result<(), Failure> {
    // In this order: what is filed between the two is either listed or new.
    let mut follower = Follower::new(latest(authority, &query).await?);
    for alert in follower.begin(listed(authority, &query).await?) {
        print(&alert, output)?;
    }
    while !reader_has_left() {
        sleep(EVERY).await;
        let recent = match latest(authority, &query).await {
            Ok(recent) => recent,
            // A database that restarts is no reason to stop looking.
            Err(StoreError::Unavailable(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        for alert in follower.news(recent) {
            print(&alert, output)?;
        }
    }
    Ok(())
}

/// Tells new alerts from those that were printed, and from those that were there before and not asked for.
struct Follower {
    known: HashSet<AlertId>,
}

impl Follower {
    /// Begins with the latest, before anything is listed.
    fn new(latest: Vec<Alert>) -> Self {
        Self { known: latest.into_iter().map(|alert| alert.id).collect() }
    }

    /// What is listed is printed, and not once more.
    fn begin(&mut self, listed: Vec<Alert>) -> Vec<Alert> {
        self.known.extend(listed.iter().map(|alert| alert.id));
        listed
    }

    /// Of the latest, newest first, those that are new, oldest first. What has left the latest is forgotten.
    fn news(&mut self, latest: Vec<Alert>) -> Vec<Alert> {
        let ids = latest.iter().map(|alert| alert.id).collect();
        let known = std::mem::replace(&mut self.known, ids);
        latest.into_iter().rev().filter(|alert| !known.contains(&alert.id)).collect()
    }
}

async fn latest(authority: &Authority, query: &AlertQuery) -> Result<Vec<Alert>, StoreError> {
    let since = Some(authority.now().checked_sub(OVERLAP).unwrap_or(Timestamp::MIN));
    authority.ports.alerts.list_alerts(&AlertQuery { since, limit: MANY, ..query.clone() }).await
}

fn print(alert: &Alert, output: Output) -> Result<(), Unwritten> {
    output.print(&alert.document(), || format!("{:.0} {} {}", alert.at, alert.kind.as_str(), words(&alert.data())))
}

fn pretty(found: &[Alert]) -> String {
    if found.is_empty() {
        return "Nothing is on record.".to_owned();
    }
    let row = |alert: &Alert| {
        let mut rest = alert.data();
        let mut take = |name: &str| rest.remove(name).map(|value| word(&value)).unwrap_or_default();
        let (client, user, address) = (take("client_id"), take("sub"), take("address"));
        vec![format!("{:.0}", alert.at), alert.kind.as_str().to_owned(), user, client, address, words(&rest)]
    };
    table(&["time", "what", "user", "client", "address", "more"], found.iter().map(row).collect())
}

fn words(data: &Map<String, Value>) -> String {
    data.iter().map(|(name, value)| format!("{name}={}", word(value))).collect::<Vec<_>>().join(" ")
}

fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| json!(value).to_string(), str::to_owned)
}

fn read_kind(word: &str) -> Result<AlertKind, Failure> {
    let known = || AlertKind::ALL.map(AlertKind::as_str).join(", ");
    AlertKind::parse(word)
        .ok_or_else(|| Failure::Usage(format!("--kind {word}: there is no such kind; write {}", known())))
}

fn read_span(text: &str) -> Result<SignedDuration, Failure> {
    let span = Span::parse(text).map_err(|why| Failure::Usage(format!("--since {text}: {why}")))?;
    SignedDuration::try_from(span.duration()).map_err(|_| Failure::Usage(format!("--since {text}: is too long")))
}
