//! Which version of an API a request means. Knows numbers and dates; what versions differ in is someone else's matter.
//!
//! There are four ways to say it: `/v2/` in the path, `Accept: application/vnd.shop+json;version=2`, `X-API-Version: 2`,
//! and `X-API-Version: 2026-01-31`, which is the newest version not after that date. Two that disagree are refused.
//! Without any, the version that the caller's token is pinned to, else the default.
//!
//! What an answer says about the life of its version follows from dates: `Deprecation`, `Sunset` and links from the day
//! that new use is discouraged, `API-Warning` besides from its sunset, and 410 once it is removed.
//!
//! [`VersionLayer`] belongs around the whole router, since it takes the version out of the path before routes are found.
//! A second one inside of the bearer layer follows the pin of the token, which the outer one cannot know. Where a third one around
//! all of it [only tells](VersionLayer::only_telling), the outer one may go about it [quietly](VersionLayer::quietly):
//!
//! ```
//! use std::{sync::Arc, time::Duration};
//! use axum::{Extension, Router, body::Body, routing::get};
//! use http::Request;
//! use tower::{Layer, ServiceExt};
//! use valetkey_rest::version::{ApiVersion, VersionChoice, VersionLayer, Versions};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let first = ApiVersion {
//!     deprecated: "2026-03-01".parse().ok(),
//!     sunset: "2027-03-01".parse().ok(),
//!     ..ApiVersion::new(1, "2025-01-01".parse().unwrap())
//! };
//! let known = vec![first, ApiVersion::new(2, "2026-01-01".parse().unwrap())];
//! let now = || Duration::from_secs(1_794_700_800);
//! let versions = Versions::new("shop", "/api", known, Arc::new(now));
//! let routes = Router::new()
//!     .route("/api/users", get(|Extension(choice): Extension<VersionChoice>| async move { choice.version.to_string() }));
//! let app = VersionLayer::new(versions).layer(routes);
//!
//! let answer = app.oneshot(Request::get("/api/v1/users").body(Body::empty()).unwrap()).await.unwrap();
//!
//! assert_eq!(answer.status(), 200);
//! assert_eq!(answer.headers()["x-api-version"], "1");
//! assert_eq!(answer.headers()["deprecation"], "@1772323200");
//! assert_eq!(answer.headers()["sunset"], "Mon, 01 Mar 2027 00:00:00 GMT");
//! # }
//! ```

use std::fmt;

use http::{HeaderMap, HeaderName};

use crate::Clock;
use crate::problem::{FieldCode, FieldError, Problem, catalogue};

mod day;
mod indicator;
mod layer;
mod lifecycle;
#[cfg(test)]
mod tests;
mod told;

pub use day::{Day, NoDay};
pub use layer::{GoneHeard, Hearing, VersionLayer, VersionService};
pub use lifecycle::{API_WARNING, ApiVersion, Lifecycle};
pub use told::Deciders;

/// The header that asks for a version, and tells which one answered.
pub const X_API_VERSION: HeaderName = HeaderName::from_static("x-api-version");

/// The versions of an API.
#[derive(Clone)]
pub struct Versions {
    /// The one that names the API, without a version.
    media_type: String,
    base: String,
    /// By number.
    known: Vec<ApiVersion>,
    default: Option<u32>,
    clock: Clock,
}

impl fmt::Debug for Versions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Versions")
            .field("media_type", &self.media_type)
            .field("known", &self.known)
            .finish_non_exhaustive()
    }
}

/// Who said which version it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Indicator {
    /// `/v<N>/`
    Path,
    /// `Accept`
    Accept,
    /// `X-API-Version`
    Header,
    /// The token of the caller.
    Pin,
    /// Nobody: it is the default.
    Default,
}

/// The version of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionChoice {
    /// Its number.
    pub version: u32,
    /// Who said so; of several that agree the first of path, `Accept` and header.
    pub by: Indicator,
    /// Everything that took part.
    pub deciders: Deciders,
    /// Where it stands today.
    pub state: Lifecycle,
}

impl VersionChoice {
    /// What stands in the path of this request before the resource: `/v2`, or nothing. Links begin with it.
    pub fn prefix(&self) -> String {
        if self.by == Indicator::Path { format!("/v{}", self.version) } else { String::new() }
    }
}

/// Why a request has no version. A removed one is known by its number, so that its answer tells it.
#[derive(Debug)]
pub struct Unchosen {
    /// The version that was meant, where it is known.
    pub version: Option<u32>,
    /// What the refusal follows from.
    pub deciders: Deciders,
    /// What is told.
    pub problem: Problem,
}

impl Unchosen {
    fn by(deciders: Deciders, problem: Problem) -> Self {
        Self { version: None, deciders, problem }
    }
}

impl Versions {
    /// `name` stands in the media type, `base` before the version in paths: `/api` in `/api/v1/users`. The default is the
    /// newest that is out.
    pub fn new(name: impl Into<String>, base: impl Into<String>, mut known: Vec<ApiVersion>, clock: Clock) -> Self {
        known.sort_by_key(|version| version.number);
        let base: String = base.into();
        let media_type = format!("application/vnd.{}+json", name.into());
        Self { media_type, base: base.trim_end_matches('/').to_owned(), known, default: None, clock }
    }

    /// Requests that say no version mean this one.
    #[must_use]
    pub fn with_default(mut self, number: Option<u32>) -> Self {
        self.default = number;
        self
    }

    /// All of them, from the oldest.
    pub fn known(&self) -> &[ApiVersion] {
        &self.known
    }

    /// The day it is.
    pub fn today(&self) -> Day {
        Day::of_unix((self.clock)().as_secs())
    }

    /// The version with this number.
    pub fn version(&self, number: u32) -> Option<&ApiVersion> {
        self.known.iter().find(|version| version.number == number)
    }

    /// The version of requests that say none: as it was set, or else the newest. One that is not out, or gone, serves
    /// nobody; if there is no other, it is the first.
    pub fn default_version(&self, today: Day) -> Option<&ApiVersion> {
        let is_out = |version: &&ApiVersion| {
            matches!(version.state(today), Lifecycle::Active | Lifecycle::Deprecated | Lifecycle::Sunset)
        };
        let set = self.default.and_then(|number| self.version(number)).filter(is_out);
        set.or_else(|| self.known.iter().rev().find(is_out)).or_else(|| self.known.first())
    }

    /// Reads all indicators of a request. `pin` is a number or a date, as the token of the caller carries it.
    pub fn choose(&self, path: &str, headers: &HeaderMap, pin: Option<&str>) -> Result<VersionChoice, Unchosen> {
        let today = self.today();
        // Asked in this order, so that of several unknown ones the path is complained about first.
        let in_path = indicator::in_path(path, &self.base)
            .map(|(digits, _)| self.numbered(digits, today).ok_or_else(unknown_path))
            .transpose()
            .map_err(|problem| Unchosen::by(Deciders::default(), problem))?;
        let in_accept = indicator::in_accept(headers, &self.media_type, |digits| self.numbered(digits, today))
            .map_err(|problem| Unchosen::by(Deciders::of(Indicator::Accept), problem))?;
        let in_header = indicator::in_header(headers)
            .and_then(|found| found.map(|text| self.named(text, today).ok_or_else(unknown_header)).transpose())
            .map_err(|problem| Unchosen::by(Deciders::of(Indicator::Header), problem))?;

        let said = [(Indicator::Path, in_path), (Indicator::Accept, in_accept), (Indicator::Header, in_header)];
        let mut said = said.into_iter().filter_map(|(by, found)| Some((found?, by)));
        // A pin to what never was must not shut the client out of the default.
        let pinned = || pin.and_then(|pin| self.named(pin, today)).map(|version| (version, Indicator::Pin));
        let default = || self.default_version(today).map(|version| (version.number, Indicator::Default));
        let Some((version, by)) = said.next().or_else(pinned).or_else(default) else {
            return Err(Unchosen::by(Deciders::of(Indicator::Default), unknown_path()));
        };
        let mut deciders = Deciders::of(by);
        for (other, besides) in said {
            deciders = deciders.and(Deciders::of(besides));
            if other != version {
                return Err(Unchosen::by(deciders, disagreement(version, other)));
            }
        }
        self.live(version, by, deciders, today)
    }

    /// A version that was chosen must not be gone.
    fn live(&self, number: u32, by: Indicator, deciders: Deciders, today: Day) -> Result<VersionChoice, Unchosen> {
        let known = self.version(number).map(|version| (version, version.state(today)));
        match known {
            Some((version, Lifecycle::Removed)) => {
                Err(Unchosen { version: Some(number), deciders, problem: self.gone(version, today) })
            }
            // The only one there is, and not out yet.
            None | Some((_, Lifecycle::Planned)) => Err(Unchosen::by(deciders, unknown_path())),
            Some((_, state)) => Ok(VersionChoice { version: number, by, deciders, state }),
        }
    }

    /// A number that is a version. One that is not out yet does not exist.
    fn numbered(&self, digits: &str, today: Day) -> Option<u32> {
        let version = self.version(digits.parse().ok()?)?;
        (version.state(today) != Lifecycle::Planned).then_some(version.number)
    }

    /// A number that is a version, or the newest version not after a date.
    fn named(&self, text: &str, today: Day) -> Option<u32> {
        if indicator::is_number(text) {
            return self.numbered(text, today);
        }
        let day: Day = text.parse().ok()?;
        let known = self.known.iter().filter(|version| version.released <= day && version.released <= today);
        known.max_by_key(|version| (version.released, version.number)).map(|version| version.number)
    }
}

fn unknown_path() -> Problem {
    Problem::new(&catalogue::NOT_FOUND)
        .detail("The API has no version of this number. See the documentation for those it has.")
}

fn unknown_header() -> Problem {
    Problem::new(&catalogue::BAD_REQUEST)
        .detail("`X-API-Version` is the number of a version, or a date YYYY-MM-DD on which there was one.")
        .field(FieldError::new("X-API-Version", FieldCode::InvalidValue))
}

fn disagreement(one: u32, other: u32) -> Problem {
    Problem::new(&catalogue::BAD_REQUEST).detail(format!(
        "The request asks for version {one} and for version {other} at once. Ask for one, in one place."
    ))
}
