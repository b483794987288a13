//! Four states, moved through by the clock alone, and every header of each.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use axum::{Router, body::Body, routing::get};
use http::Request;
use tower::{Layer, ServiceExt};

use super::super::{ApiVersion, Day, Lifecycle, VersionLayer, Versions};

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn versions(today: &str) -> Versions {
    let first = ApiVersion {
        deprecated: Some(day("2026-01-01")),
        sunset: Some(day("2026-07-01")),
        removed: Some(day("2027-01-01")),
        documentation: Some("https://shop.example/api/v1/docs".into()),
        notice: Some("https://shop.example/farewell".into()),
        ..ApiVersion::new(1, day("2025-01-01"))
    };
    let second = ApiVersion {
        documentation: Some("https://shop.example/api/v2/docs".into()),
        ..ApiVersion::new(2, day("2025-12-01"))
    };
    let now = Duration::from_secs(day(today).unix().unsigned_abs());
    Versions::new("shop", "/api", vec![first, second], Arc::new(move || now))
}

/// Status and headers of an answer of version 1, without those that every answer has.
async fn answer(today: &str) -> (u16, BTreeMap<String, String>) {
    let app = VersionLayer::new(versions(today)).layer(Router::new().route("/api/users", get(|| async { "" })));
    let answer = app.oneshot(Request::get("/api/v1/users").body(Body::empty()).unwrap()).await.unwrap();
    let headers = answer.headers().iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let told = ["x-api-version", "deprecation", "sunset", "link", "api-warning", "vary"];
    (answer.status().as_u16(), headers.filter(|(name, _)| told.contains(&name.as_str())).collect())
}

fn headers(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

const LINKS: &str = "<https://shop.example/api/v2/docs>; rel=\"successor-version\", <https://shop.example/farewell>; rel=\"deprecation\"";

#[tokio::test]
async fn an_active_version_says_only_its_number() {
    assert_eq!(answer("2025-12-31").await, (200, headers(&[("x-api-version", "1")])));
}

#[tokio::test]
async fn a_deprecated_version_tells_since_when_until_when_and_what_is_next() {
    let expected = headers(&[
        ("x-api-version", "1"),
        ("deprecation", "@1767225600"),
        ("sunset", "Wed, 01 Jul 2026 00:00:00 GMT"),
        ("link", LINKS),
    ]);

    assert_eq!(answer("2026-01-01").await, (200, expected.clone()));
    assert_eq!(answer("2026-06-30").await, (200, expected));
}

#[tokio::test]
async fn a_version_past_its_sunset_warns_besides() {
    let expected = headers(&[
        ("x-api-version", "1"),
        ("deprecation", "@1767225600"),
        ("sunset", "Wed, 01 Jul 2026 00:00:00 GMT"),
        ("link", LINKS),
        (
            "api-warning",
            "Version 1 is past its sunset since 2026-07-01 and is removed on 2027-01-01. Move to version 2.",
        ),
    ]);

    assert_eq!(answer("2026-07-01").await, (200, expected));
}

#[tokio::test]
async fn a_removed_version_is_gone() {
    let (status, told) = answer("2027-01-01").await;

    assert_eq!(status, 410);
    assert_eq!(told["x-api-version"], "1");
    assert_eq!(told["link"], LINKS);
    assert!(!told.contains_key("api-warning"));
}

#[test]
fn the_problem_of_a_removed_version_names_its_successor() {
    let versions = versions("2027-01-01");
    let refused = versions.choose("/api/v1/users", &http::HeaderMap::new(), None).unwrap_err();

    assert_eq!(refused.version, Some(1));
    assert_eq!(
        refused.problem.detail_text(),
        Some(
            "Version 1 of this API was removed on 2027-01-01. Its successor is version 2: https://shop.example/api/v2/docs"
        )
    );
}

#[test]
fn a_version_is_planned_until_the_day_it_comes_out() {
    let version = ApiVersion::new(1, day("2026-01-01"));

    assert_eq!(version.state(day("2025-12-31")), Lifecycle::Planned);
    assert_eq!(version.state(day("2026-01-01")), Lifecycle::Active);
}
