//! Version indicators: what is chosen is served today, and neither the case of `Accept` nor a pin that is none changes it.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::{HeaderMap, HeaderValue, header};
use valetkey_rest::version::{ApiVersion, Day, Indicator, Lifecycle, VersionChoice, Versions, X_API_VERSION};

use super::lines;

pub const WORDS: &[&str] = &[
    "/api/v1",
    "/v2/",
    "/v",
    "application/vnd.shop+json",
    ";version=2",
    "; version=\"1\"",
    ";q=0",
    ";q=0.5",
    "2024-02-30",
    "2025-01-01",
    "\n",
    "4294967296",
    "00",
    ",",
    "9999-12-31",
];

/// The path, `Accept`, `X-API-Version` and the pin, each on a line of its own.
pub fn check(data: &[u8]) {
    let mut lines = lines(data);
    let path = String::from_utf8_lossy(lines.next().unwrap_or_default()).into_owned();
    let accept = lines.next().unwrap_or_default();
    let mut headers = HeaderMap::new();
    if let Some(value) = lines.next().and_then(|line| HeaderValue::from_bytes(line).ok()) {
        headers.insert(X_API_VERSION, value);
    }
    let pin = lines.next().map(|line| String::from_utf8_lossy(line).into_owned());

    let choose = |accept: &[u8], pin: Option<&str>| {
        let mut headers = headers.clone();
        headers.extend(HeaderValue::from_bytes(accept).ok().map(|value| (header::ACCEPT, value)));
        choice(&path, &headers, pin)
    };
    let chosen = choose(accept, pin.as_deref());
    for turned in [accept.to_ascii_uppercase(), accept.to_ascii_lowercase()] {
        assert_eq!(choose(&turned, pin.as_deref()), chosen, "the case of letters");
    }
    // Whoever asks for a version gets it, whatever its token says.
    if chosen.as_ref().is_ok_and(|choice| !matches!(choice.by, Indicator::Pin | Indicator::Default)) {
        assert_eq!(choose(accept, None), chosen);
    }
}

/// Either the choice, or the version that was meant.
fn choice(path: &str, headers: &HeaderMap, pin: Option<&str>) -> Result<VersionChoice, Option<u32>> {
    let chosen = versions().choose(path, headers, pin).map_err(|unchosen| unchosen.version);
    if let Ok(choice) = &chosen {
        assert!(versions().version(choice.version).is_some());
        assert!(!matches!(choice.state, Lifecycle::Planned | Lifecycle::Removed), "{choice:?}");
        assert!(choice.by != Indicator::Path || path.starts_with(&format!("/api/v{}", choice.version)));
    }
    chosen
}

/// One of each kind: removed, deprecated, active, and not out yet.
fn versions() -> &'static Versions {
    static VERSIONS: OnceLock<Versions> = OnceLock::new();
    VERSIONS.get_or_init(|| {
        let day = |text: &str| -> Day { text.parse().unwrap() };
        let mut known: Vec<ApiVersion> = ["2022-01-01", "2023-01-01", "2025-01-01", "2029-01-01"]
            .into_iter()
            .zip(1..)
            .map(|(released, number)| ApiVersion::new(number, day(released)))
            .collect();
        known[0].removed = Some(day("2024-01-01"));
        known[1].deprecated = Some(day("2026-01-01"));
        let clock = Arc::new(|| Duration::from_secs(1_794_658_500));
        Versions::new("shop", "/api", known, clock)
    })
}
