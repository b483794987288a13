//! What was promised: `api.lock`, the surface of each released version as text that people review. Knows how it is
//! written and read, and whether an API keeps to it; knows nothing of files.

mod changes;
mod steps;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::edition::Edition;
use super::finding::Finding;
use super::rule;
use super::surface::Surface;
use changes::changes;
use steps::Steps;

/// Its name, beside the declaration.
pub const FILE: &str = "api.lock";
/// Since this form it holds days of release that are kept, what is gone early, the default, and how values are written.
const FORM: u32 = 2;
const ABOUT: &str =
    "What clients of each released version see. Written by `valetkey api lock`; keep it with the declaration.";

/// What a lock holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    about: String,
    /// Which of the things below it holds: locks of earlier programs lack some.
    #[serde(default)]
    form: u32,
    /// What requests mean that say no version; none: the newest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    default_version: Option<u32>,
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
    /// What goes with the sunset, as declarations write it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    gone: BTreeSet<String>,
    /// How values are written for the versions before.
    #[serde(default, skip_serializing_if = "Steps::is_empty")]
    steps: Steps,
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

/// What changes between two declarations that no surface shows: days, what is gone early, the default, how values are
/// written.
pub(super) fn unseen(old: &[Edition<'_>], new: &[Edition<'_>], today: Date) -> Vec<Finding> {
    let rules = [&rule::RELEASE_MOVED, &rule::DEFAULT_VERSION_CHANGED, &rule::LENS_CHANGED, &rule::SUNSET_ADVANCED];
    let mut found = changes(&Lock::of(old, today), new, today);
    found.retain(|finding| rules.contains(&finding.rule) || finding.place.contains(" gone."));
    found
}

/// The lock of what is released today. `before`: the one that there is.
pub fn renew(before: Option<&Lock>, editions: &[Edition<'_>], today: Date) -> Renewal {
    let lock = Lock::of(editions, today);
    let drafts = editions.iter().filter(|edition| edition.version.released > today);
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

impl Lock {
    fn of(editions: &[Edition<'_>], today: Date) -> Self {
        let live = editions.iter().filter(|edition| edition.is_live(today));
        let versions = live.map(|edition| (edition.version.number, Locked::of(edition))).collect();
        let default_version = editions.first().and_then(|edition| edition.face.default_version);
        Self { about: ABOUT.to_owned(), form: FORM, default_version, versions }
    }

    /// Was it written by a program that did not yet keep everything?
    pub fn is_dated(&self) -> bool {
        self.form < FORM
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
            gone: version.gone.iter().map(ToString::to_string).collect(),
            steps: Steps::of(version),
            surface: Surface::of(&edition.face),
        }
    }
}
