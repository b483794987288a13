//! The life of a version, by its dates and the clock alone, and what each answer says about it: RFC 9745 for the
//! deprecation, RFC 8594 for the sunset.

use http::{HeaderMap, HeaderName, HeaderValue, header};
use serde_json::json;

use super::{Day, Versions};
use crate::links::LinkHeader;
use crate::problem::{Problem, catalogue};

/// Warns in words that a version is about to end.
pub const API_WARNING: HeaderName = HeaderName::from_static("api-warning");
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// One version, and the days of its life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiVersion {
    /// The N of `/v<N>/`.
    pub number: u32,
    /// The day it comes out.
    pub released: Day,
    /// The day from which new use is discouraged.
    pub deprecated: Option<Day>,
    /// The day from which it warns on every answer.
    pub sunset: Option<Day>,
    /// The day from which it is gone.
    pub removed: Option<Day>,
    /// Its documentation.
    pub documentation: Option<String>,
    /// Where people read about its end.
    pub notice: Option<String>,
}

impl ApiVersion {
    /// A version that comes out on this day, and stays.
    pub fn new(number: u32, released: Day) -> Self {
        Self { number, released, deprecated: None, sunset: None, removed: None, documentation: None, notice: None }
    }

    /// Where it stands on a day.
    pub fn state(&self, today: Day) -> Lifecycle {
        let is_past = |day: Option<Day>| day.is_some_and(|day| day <= today);
        match self {
            _ if is_past(self.removed) => Lifecycle::Removed,
            _ if self.released > today => Lifecycle::Planned,
            _ if is_past(self.sunset) => Lifecycle::Sunset,
            _ if is_past(self.deprecated) => Lifecycle::Deprecated,
            _ => Lifecycle::Active,
        }
    }
}

/// Where a version stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lifecycle {
    /// Not out yet: to clients it does not exist.
    Planned,
    /// In normal use.
    Active,
    /// New use is discouraged.
    Deprecated,
    /// Still usable, with strong warnings; parts of it may be gone.
    Sunset,
    /// Ended.
    Removed,
}

impl Lifecycle {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Sunset => "sunset",
            Self::Removed => "removed",
        }
    }
}

impl Versions {
    /// Where clients of a version should go: the newest that is in normal use, or else the newest there is.
    pub fn successor(&self, of: &ApiVersion, today: Day) -> Option<&ApiVersion> {
        let newer = || self.known.iter().rev().filter(|version| version.number > of.number);
        let active = newer().find(|version| version.state(today) == Lifecycle::Active);
        active.or_else(|| {
            newer().find(|version| matches!(version.state(today), Lifecycle::Deprecated | Lifecycle::Sunset))
        })
    }

    /// What every answer of a version says about its life. An active version says nothing.
    pub(super) fn tell_state(&self, headers: &mut HeaderMap, version: &ApiVersion, today: Day) {
        let state = version.state(today);
        if matches!(state, Lifecycle::Planned | Lifecycle::Active) {
            return;
        }
        let mut put = |name: HeaderName, value: String| {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        };
        if let Some(day) = version.deprecated.or(version.sunset).filter(|day| *day <= today) {
            put(DEPRECATION, format!("@{}", day.unix()));
        }
        if let Some(day) = version.sunset.or(version.removed) {
            put(SUNSET, day.http_date());
        }
        if state == Lifecycle::Sunset {
            put(API_WARNING, self.warning(version, today));
        }
        if let Some(links) = self.links(version, today) {
            headers.append(header::LINK, links);
        }
    }

    fn links(&self, version: &ApiVersion, today: Day) -> Option<HeaderValue> {
        let mut links = LinkHeader::default();
        if let Some(documentation) = self.successor(version, today).and_then(|newer| newer.documentation.as_ref()) {
            links.push(documentation, "successor-version");
        }
        // What is gone has no pages of its own any more.
        let own = version.documentation.as_ref().filter(|_| version.state(today) != Lifecycle::Removed);
        if let Some(notice) = version.notice.as_ref().or(own) {
            links.push(notice, "deprecation");
        }
        links.to_value()
    }

    fn warning(&self, version: &ApiVersion, today: Day) -> String {
        let since = version.sunset.map(|day| format!(" since {day}")).unwrap_or_default();
        let until = version.removed.map(|day| format!(" and is removed on {day}")).unwrap_or_default();
        let next = self.successor(version, today).map(|newer| format!(" Move to version {}.", newer.number));
        format!("Version {} is past its sunset{since}{until}.{}", version.number, next.unwrap_or_default())
    }

    /// The answer of a version that is no more.
    pub(super) fn gone(&self, version: &ApiVersion, today: Day) -> Problem {
        let since = version.removed.map(|day| format!(" on {day}")).unwrap_or_default();
        self.ended(version, today, format!("Version {} of this API was removed{since}.", version.number))
    }

    /// The answer of an operation that went before the rest of its version.
    pub fn gone_early(&self, number: u32) -> Problem {
        let told = format!("This operation is no longer part of version {number}, which is past its sunset.");
        match self.version(number) {
            Some(version) => self.ended(version, self.today(), told),
            None => Problem::new(&catalogue::GONE).detail(told),
        }
    }

    fn ended(&self, version: &ApiVersion, today: Day, told: String) -> Problem {
        let Some(newer) = self.successor(version, today) else {
            return Problem::new(&catalogue::GONE).detail(format!("{told} There is no other version."));
        };
        let documentation = newer.documentation.as_ref();
        let at = documentation.map(|place| format!(": {place}")).unwrap_or_else(|| ".".to_owned());
        Problem::new(&catalogue::GONE)
            .detail(format!("{told} Its successor is version {}{at}", newer.number))
            .extension("successor", json!({ "version": newer.number, "documentation": documentation }))
    }
}

#[cfg(test)]
mod tests;
