//! Which version of an API a request means. Knows numbers and dates; what versions differ in is someone else's matter.
//!
//! There are four ways to say it: `/v2/` in the path, `Accept: application/vnd.shop+json;version=2`, `X-API-Version: 2`,
//! and `X-API-Version: 2026-01-31`, which is the newest version not after that date. Two that disagree are refused.
//! Without any, the version that the caller's token is pinned to, else the default.
//!
//! [`VersionLayer`] belongs around the whole router, since it takes the version out of the path before routes are found:
//!
//! ```
//! use axum::{Extension, Router, body::Body, routing::get};
//! use http::Request;
//! use tower::{Layer, ServiceExt};
//! use valetkey_rest::version::{ApiVersion, VersionChoice, VersionLayer, Versions};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let known = vec![ApiVersion::new(1, "2025-01-01"), ApiVersion::new(2, "2026-01-01")];
//! let versions = Versions::new("shop", "/api", known, 2);
//! let routes = Router::new()
//!     .route("/api/users", get(|Extension(choice): Extension<VersionChoice>| async move { choice.version.to_string() }));
//! let app = VersionLayer::new(versions).layer(routes);
//!
//! let answer = app.oneshot(Request::get("/api/v1/users").body(Body::empty()).unwrap()).await.unwrap();
//!
//! assert_eq!(answer.status(), 200);
//! assert_eq!(answer.headers()["x-api-version"], "1");
//! # }
//! ```

use http::{HeaderMap, HeaderName};

use crate::problem::{FieldCode, FieldError, Problem, catalogue};

mod date;
mod indicator;
mod layer;
#[cfg(test)]
mod tests;

pub use layer::{VersionLayer, VersionService};

/// The header that asks for a version, and tells which one answered.
pub const X_API_VERSION: HeaderName = HeaderName::from_static("x-api-version");

/// One version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiVersion {
    /// The N of `/v<N>/`.
    pub number: u32,
    /// The day it was released, as `YYYY-MM-DD`.
    pub released: String,
}

impl ApiVersion {
    /// A version and the day it was released.
    pub fn new(number: u32, released: impl Into<String>) -> Self {
        Self { number, released: released.into() }
    }
}

/// The versions of an API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions {
    name: String,
    base: String,
    known: Vec<ApiVersion>,
    default: u32,
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
}

impl VersionChoice {
    /// What stands in the path of this request before the resource: `/v2`, or nothing. Links begin with it.
    pub fn prefix(&self) -> String {
        if self.by == Indicator::Path { format!("/v{}", self.version) } else { String::new() }
    }
}

impl Versions {
    /// `name` stands in the media type, `base` before the version in paths: `/api` in `/api/v1/users`.
    pub fn new(name: impl Into<String>, base: impl Into<String>, mut known: Vec<ApiVersion>, default: u32) -> Self {
        known.sort_by(|one, other| one.released.cmp(&other.released));
        let base: String = base.into();
        Self { name: name.into(), base: base.trim_end_matches('/').to_owned(), known, default }
    }

    /// Reads all indicators of a request. `pin` is a number or a date, as the token of the caller carries it.
    pub fn choose(&self, path: &str, headers: &HeaderMap, pin: Option<&str>) -> Result<VersionChoice, Problem> {
        // Asked in this order, so that of several unknown ones the path is complained about first.
        let in_path = indicator::in_path(path, &self.base)
            .map(|(digits, _)| self.numbered(digits).ok_or_else(unknown_path))
            .transpose()?;
        let in_accept = indicator::in_accept(headers, &self.name, |digits| self.numbered(digits))?;
        let in_header =
            indicator::in_header(headers)?.map(|text| self.named(text).ok_or_else(unknown_header)).transpose()?;

        let mut choice: Option<VersionChoice> = None;
        for (by, found) in [(Indicator::Path, in_path), (Indicator::Accept, in_accept), (Indicator::Header, in_header)]
        {
            match (found, &choice) {
                (None, _) => {}
                (Some(version), None) => choice = Some(VersionChoice { version, by }),
                (Some(version), Some(first)) if first.version == version => {}
                (Some(version), Some(first)) => return Err(disagreement(first.version, version)),
            }
        }
        // A pin to a version that is gone must not shut the client out of the default.
        let pinned =
            || pin.and_then(|pin| self.named(pin)).map(|version| VersionChoice { version, by: Indicator::Pin });
        let default = VersionChoice { version: self.default, by: Indicator::Default };
        Ok(choice.or_else(pinned).unwrap_or(default))
    }

    /// A number that is a version.
    fn numbered(&self, digits: &str) -> Option<u32> {
        let number = digits.parse().ok()?;
        self.known.iter().any(|version| version.number == number).then_some(number)
    }

    /// A number that is a version, or the newest version not after a date.
    fn named(&self, text: &str) -> Option<u32> {
        if indicator::is_number(text) {
            return self.numbered(text);
        }
        let day = date::is_date(text).then_some(text)?;
        self.known.iter().rev().find(|version| version.released.as_str() <= day).map(|version| version.number)
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
