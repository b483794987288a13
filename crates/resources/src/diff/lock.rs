//! What was promised: `api.lock`, the surface of each released version as text that people review. Knows how it is
//! written and read, and whether an API keeps to it; knows nothing of files.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::edition::{Edition, is_over};
use super::finding::{Finding, in_order};
use super::surface::Surface;
use super::{declared, rule};

/// Its name, beside the declaration.
pub const FILE: &str = "api.lock";
const ABOUT: &str =
    "What clients of each released version see. Written by `valetkey api lock`; keep it with the declaration.";

/// What a lock holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    about: String,
    versions: BTreeMap<u32, Locked>,
}

/// One released version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Locked {
    released: Date,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deprecated: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sunset: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    removed: Option<Date>,
    surface: Surface,
}

/// Why an API may not be served.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Broken {
    /// The text is no lock.
    #[error("it cannot be understood: {0}")]
    Garbage(String),
    /// A released version has changed.
    #[error("what clients of a released version see has changed")]
    Changed(Vec<Finding>),
}

/// A lock that was brought up to date.
#[derive(Debug, Clone, PartialEq)]
pub struct Renewal {
    /// What is to be written.
    pub text: String,
    /// The versions in it.
    pub locked: Vec<u32>,
    /// Versions that are not out yet, and so not in it.
    pub drafts: Vec<u32>,
    /// What changed since the lock before.
    pub findings: Vec<Finding>,
}

/// Reads a lock.
pub fn read(text: &str) -> Result<Lock, Broken> {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| Broken::Garbage(error.to_string()))
}

/// Does every released version still look as it was locked?
pub fn verify(text: &str, editions: &[Edition<'_>], today: Date) -> Result<(), Broken> {
    let findings = changes(&read(text)?, editions, today);
    if findings.is_empty() { Ok(()) } else { Err(Broken::Changed(findings)) }
}

/// The lock of what is released today. `before`: the one that there is.
pub fn renew(before: Option<&Lock>, editions: &[Edition<'_>], today: Date) -> Renewal {
    let live = editions.iter().filter(|edition| edition.is_live(today));
    let versions: BTreeMap<u32, Locked> = live.map(|edition| (edition.version.number, Locked::of(edition))).collect();
    let drafts = editions.iter().filter(|edition| edition.version.released > today);
    let lock = Lock { about: ABOUT.to_owned(), versions };
    // Everything in it has a form in JSON, so that nothing can fail.
    let mut text = serde_json::to_string_pretty(&lock).unwrap_or_default();
    text.push('\n');
    Renewal {
        text,
        locked: lock.versions.keys().copied().collect(),
        drafts: drafts.map(|edition| edition.version.number).collect(),
        findings: before.map(|before| changes(before, editions, today)).unwrap_or_default(),
    }
}

impl Locked {
    fn of(edition: &Edition<'_>) -> Self {
        let version = edition.version;
        Self {
            released: version.released,
            deprecated: version.deprecated,
            sunset: version.sunset,
            removed: version.removed,
            surface: Surface::of(&edition.face),
        }
    }
}

/// What clients of locked versions would notice.
fn changes(lock: &Lock, editions: &[Edition<'_>], today: Date) -> Vec<Finding> {
    let mut found = Vec::new();
    for (number, locked) in lock.versions.iter().filter(|(_, locked)| !is_over(locked.removed, today)) {
        let place = format!("v{number}");
        let Some(edition) = editions.iter().find(|edition| edition.version.number == *number) else {
            let told = match locked.removed {
                Some(end) => {
                    format!("The version is released, and not declared any more. Its end was announced for {end}.")
                }
                None => "The version is released, and not declared any more.".to_owned(),
            };
            found.push(Finding::new(&rule::ENDPOINT_REMOVED, place, told));
            continue;
        };
        if edition.version.released > today {
            let told = format!(
                "The version was released on {}, and is to be out on {} only.",
                locked.released, edition.version.released
            );
            found.push(Finding::new(&rule::ENDPOINT_REMOVED, place, told));
            continue;
        }
        let ends =
            [("sunset", locked.sunset, edition.version.sunset), ("end", locked.removed, edition.version.removed)];
        for (name, was, is) in ends {
            if let (Some(was), Some(is)) = (was, is)
                && is < was
            {
                let told = format!("The {name} of the version is {is}, and {was} was announced.");
                found.push(Finding::new(&rule::SUNSET_ADVANCED, &place, told));
            }
        }
        let surface = Surface::of(&edition.face);
        found.extend(declared::compare(&locked.surface, &surface).into_iter().map(|one| one.in_version(*number)));
    }
    in_order(found)
}
