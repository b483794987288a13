//! Every indicator, alone and beside others, and what is none.

use std::{sync::Arc, time::Duration};

use axum::{Extension, Router, body::Body, routing::get};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Uri, header};
use tower::{Layer, ServiceExt};

use super::{ApiVersion, Day, Indicator, Lifecycle, VersionChoice, VersionLayer, Versions, X_API_VERSION};
use crate::bearer::Caller;

fn versions() -> Versions {
    let version = |number, released: &str| ApiVersion::new(number, day(released));
    let gone = ApiVersion { removed: Some(day("2025-01-01")), ..version(0, "2020-02-02") };
    let known = vec![version(2, "2025-06-01"), version(1, "2024-01-31"), version(3, "2026-02-28"), gone];
    let planned = version(4, "2026-12-01");
    let now = day("2026-11-15").unix().unsigned_abs();
    Versions::new("shop", "/api", [known, vec![planned]].concat(), Arc::new(move || Duration::from_secs(now)))
        .with_default(Some(2))
}

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn choose(path: &str, headers: &[(HeaderName, &'static str)]) -> Result<(u32, Indicator), u16> {
    let headers: HeaderMap =
        headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect();
    versions()
        .choose(path, &headers, None)
        .map(|choice| (choice.version, choice.by))
        .map_err(|refused| refused.problem.status_code().as_u16())
}

fn by_header(value: &'static str) -> Result<(u32, Indicator), u16> {
    choose("/api/users", &[(X_API_VERSION, value)])
}

fn by_accept(value: &'static str) -> Result<(u32, Indicator), u16> {
    choose("/api/users", &[(header::ACCEPT, value)])
}

#[test]
fn each_indicator_chooses() {
    assert_eq!(choose("/api/v1/users", &[]), Ok((1, Indicator::Path)));
    assert_eq!(choose("/api/v3", &[]), Ok((3, Indicator::Path)));
    assert_eq!(by_accept("application/vnd.shop+json;version=3"), Ok((3, Indicator::Accept)));
    assert_eq!(by_accept("text/html, Application/VND.Shop+json; q=0.5; Version=\"1\""), Ok((1, Indicator::Accept)));
    assert_eq!(by_header("3"), Ok((3, Indicator::Header)));
    assert_eq!(choose("/api/users", &[]), Ok((2, Indicator::Default)));
}

#[test]
fn a_date_means_the_newest_version_not_after_it() {
    for (date, version) in
        [("2024-01-31", 1), ("2025-05-31", 1), ("2025-06-01", 2), ("2026-02-28", 3), ("9999-12-31", 3)]
    {
        assert_eq!(by_header(date), Ok((version, Indicator::Header)), "{date}");
    }
    assert_eq!(by_header("2019-01-30"), Err(400));
    assert_eq!(by_header("2024-01-30"), Err(410), "the version of that day is gone");
}

#[test]
fn an_unknown_version_is_404_406_or_400_by_where_it_stands() {
    assert_eq!(choose("/api/v9/users", &[]), Err(404));
    assert_eq!(choose("/api/v99999999999999/users", &[]), Err(404));
    assert_eq!(by_accept("application/vnd.shop+json;version=9"), Err(406));
    assert_eq!(by_accept("application/vnd.shop+json;version=x"), Err(406));
    assert_eq!(
        choose("/api/v9/x", &[(header::ACCEPT, "application/vnd.shop+json;version=9"), (X_API_VERSION, "9")]),
        Err(404)
    );
    for value in ["9", "", "v1", "1.0", "01", "-1", "2025-02-29", "2025-13-01", "2025-1-1", "latest", "1, 1"] {
        assert_eq!(by_header(value), Err(400), "{value}");
    }
}

#[test]
fn indicators_must_agree() {
    let accept = (header::ACCEPT, "application/vnd.shop+json;version=1");

    assert_eq!(choose("/api/v1/x", &[accept.clone(), (X_API_VERSION, "2024-05-05")]), Ok((1, Indicator::Path)));
    assert_eq!(choose("/api/v2/x", std::slice::from_ref(&accept)), Err(400));
    assert_eq!(choose("/api/x", &[accept, (X_API_VERSION, "3")]), Err(400));
    assert_eq!(choose("/api/x", &[(X_API_VERSION, "3"), (X_API_VERSION, "3")]), Err(400));
}

#[test]
fn what_only_looks_like_an_indicator_is_none() {
    for path in
        ["/api/vehicles", "/api/v", "/api/v00/x", "/api/v01/x", "/api/v1x/y", "/v1/users", "/apiv1/x", "/api/x/v1"]
    {
        assert_eq!(choose(path, &[]), Ok((2, Indicator::Default)), "{path}");
    }
    for accept in [
        "application/json;version=1",
        "application/vnd.other+json;version=1",
        "application/vnd.shop+json",
        "*/*",
        "application/vnd.shop+json;version=1;q=0",
    ] {
        assert_eq!(by_accept(accept), Ok((2, Indicator::Default)), "{accept}");
    }
}

#[test]
fn the_best_known_version_of_several_wins() {
    let value = "application/vnd.shop+json;version=9, application/vnd.shop+json;version=1;q=0.4, application/vnd.shop+json;version=3;q=0.7";

    assert_eq!(by_accept(value), Ok((3, Indicator::Accept)));
}

#[test]
fn plain_json_wins_where_it_is_named_as_better_and_where_no_version_is_known() {
    for (value, version) in [
        ("application/json, application/vnd.shop+json;version=3", Ok((3, Indicator::Accept))),
        ("application/json;q=0.5, application/vnd.shop+json;version=3", Ok((3, Indicator::Accept))),
        ("application/json, application/vnd.shop+json;version=3;q=0.1", Ok((2, Indicator::Default))),
        ("application/json;q=0.1, application/vnd.shop+json;version=9", Ok((2, Indicator::Default))),
        ("application/json;q=0, application/vnd.shop+json;version=9", Err(406)),
        ("*/*, application/vnd.shop+json;version=9", Err(406)),
    ] {
        assert_eq!(by_accept(value), version, "{value}");
    }
}

#[test]
fn a_pin_chooses_only_where_nothing_else_does() {
    let choose = |path, pin| versions().choose(path, &HeaderMap::new(), Some(pin)).unwrap();

    let chosen = |pin| (choose("/api/x", pin).version, choose("/api/x", pin).by, choose("/api/x", pin).state);
    assert_eq!(chosen("1"), (1, Indicator::Pin, Lifecycle::Active));
    assert_eq!(choose("/api/x", "2024-06-06").version, 1);
    assert_eq!(choose("/api/v3/x", "1").version, 3);
    assert_eq!(chosen("77"), (2, Indicator::Default, Lifecycle::Active));
}

#[tokio::test]
async fn the_layer_takes_the_version_out_of_the_path_and_echoes_it() {
    let show = |Extension(choice): Extension<VersionChoice>, uri: http::Uri| async move {
        format!("{} {uri}", choice.prefix())
    };
    let app = VersionLayer::new(versions()).layer(Router::new().route("/api/users", get(show)));
    let cases = [
        (Request::get("/api/v1/users?a=%20b"), "1", None, "/v1 /api/users?a=%20b"),
        (Request::get("/api/users").header("x-api-version", "3"), "3", Some("X-API-Version"), " /api/users"),
        (Request::get("/api/users"), "2", Some("Accept, X-API-Version, Authorization, X-API-Key"), " /api/users"),
        (
            Request::get("/api/users")
                .extension(Arc::new(Caller { version_pin: Some("1".into()), ..Caller::default() })),
            "1",
            Some("Accept, X-API-Version, Authorization, X-API-Key"),
            " /api/users",
        ),
    ];
    for (request, version, vary, body) in cases {
        let answer = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();

        assert_eq!(answer.headers()["x-api-version"], version);
        assert_eq!(answer.headers().get(header::VARY).map(|value| value.to_str().unwrap()), vary);
        assert_eq!(axum::body::to_bytes(answer.into_body(), 100).await.unwrap(), body);
    }
    let refused = app.oneshot(Request::get("/api/v9/users").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(refused.status(), 404);
}

#[test]
fn a_version_that_is_gone_is_410_wherever_it_stands() {
    assert_eq!(choose("/api/v0/x", &[]), Err(410));
    assert_eq!(by_accept("application/vnd.shop+json;version=0"), Err(410));
    assert_eq!(by_header("0"), Err(410));
    let pinned = versions().choose("/api/x", &HeaderMap::new(), Some("2021-01-01"));
    assert_eq!(pinned.unwrap_err().problem.status_code(), 410);
}

#[test]
fn a_version_that_is_not_out_yet_does_not_exist() {
    assert_eq!(choose("/api/v4/x", &[]), Err(404));
    assert_eq!(by_accept("application/vnd.shop+json;version=4"), Err(406));
    assert_eq!(by_header("4"), Err(400));
    assert_eq!(by_header("2026-12-24"), Ok((3, Indicator::Header)));
}

#[tokio::test]
async fn a_pin_is_followed_by_a_layer_behind_the_bearer() {
    let show = |Extension(choice): Extension<VersionChoice>| async move { choice.version.to_string() };
    let versions = Arc::new(versions());
    let inside = VersionLayer::new(versions.clone()).layer(Router::new().route("/api/users", get(show)));
    let know = tower::util::MapRequestLayer::new(|mut request: Request<Body>| {
        request.extensions_mut().insert(Arc::new(Caller { version_pin: Some("1".into()), ..Caller::default() }));
        request
    });
    let app = VersionLayer::new(versions).layer(know.layer(inside));

    for (path, version) in [("/api/users", "1"), ("/api/v3/users", "3")] {
        let answer = app.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();

        assert_eq!(answer.headers()["x-api-version"], version);
        assert_eq!(axum::body::to_bytes(answer.into_body(), 100).await.unwrap(), version);
    }
}

/// What the outer layer says of an answer that came before any version was chosen.
async fn told(request: http::request::Builder) -> (Option<String>, Option<String>) {
    let app = VersionLayer::new(versions()).only_telling().layer(Router::new());
    let answer = app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let text = |name: HeaderName| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(answer.status(), 404, "nothing is chosen or refused");
    (text(X_API_VERSION), text(header::VARY))
}

#[tokio::test]
async fn an_answer_that_nobody_marked_is_marked_further_out() {
    for (path, version) in [("/api/v1/x", "1"), ("/api/v0/x", "0"), ("/api/v9/x", "2"), ("/api", "2")] {
        assert_eq!(told(Request::get(path)).await.0.as_deref(), Some(version), "{path}");
    }
    for path in ["/", "/apiary", "/token"] {
        assert_eq!(told(Request::get(path)).await, (None, None), "{path}");
    }
}

#[tokio::test]
async fn a_layer_that_chooses_quietly_leaves_the_telling_to_one_further_out() {
    let quiet = VersionLayer::new(versions()).quietly().layer(Router::new().route("/api/users", get(|| async {})));
    let told = VersionLayer::new(versions()).only_telling().layer(quiet.clone());

    for (path, status, version) in [("/api/users", 200, "2"), ("/api/v9/users", 404, "2"), ("/api/v0/users", 410, "0")]
    {
        let alone = quiet.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
        let marked = told.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();

        assert_eq!(
            (alone.status(), marked.status()),
            (status.try_into().unwrap(), status.try_into().unwrap()),
            "{path}"
        );
        assert_eq!(alone.headers().get(X_API_VERSION), None, "{path}");
        assert_eq!(marked.headers()[X_API_VERSION], version, "{path}");
    }
}

#[tokio::test]
async fn a_layer_that_only_tells_leaves_addresses_and_choices_to_those_further_in() {
    let show =
        |Extension(choice): Extension<VersionChoice>, uri: Uri| async move { format!("{} {uri}", choice.version) };
    let versions = Arc::new(versions());
    let know = tower::util::MapRequestLayer::new(|mut request: Request<Body>| {
        request.extensions_mut().insert(Arc::new(Caller { version_pin: Some("1".into()), ..Caller::default() }));
        request
    });
    let routes = || Router::new().route("/api/users", get(show)).route("/api/v3/users", get(show));
    let stripping = VersionLayer::new(versions.clone()).layer(routes());
    let keeping = VersionLayer::new(versions.clone()).keeping_path().layer(routes());

    for (path, stripped, kept) in
        [("/api/users", "1 /api/users", "1 /api/users"), ("/api/v3/users", "3 /api/users", "3 /api/v3/users")]
    {
        for (inside, seen) in [(stripping.clone(), stripped), (keeping.clone(), kept)] {
            let app = VersionLayer::new(versions.clone()).only_telling().layer(know.layer(inside));
            let answer = app.oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();

            assert_eq!(axum::body::to_bytes(answer.into_body(), 100).await.unwrap(), seen, "{path}");
        }
    }
}

#[tokio::test]
async fn vary_names_what_decided_for_refusals_too() {
    let accept = |request: http::request::Builder, version: u32| {
        request.header("accept", format!("application/vnd.shop+json;version={version}"))
    };
    for (request, vary) in [
        (Request::get("/api/v0/x"), None),
        (Request::get("/api/v9/x"), None),
        (accept(Request::get("/api/x"), 0), Some("Accept")),
        (accept(Request::get("/api/x"), 9), Some("Accept")),
        (Request::get("/api/x").header("x-api-version", "0"), Some("X-API-Version")),
        (Request::get("/api/x").header("x-api-version", "no"), Some("X-API-Version")),
        (Request::get("/api/v1/x").header("x-api-version", "3"), Some("X-API-Version")),
        (Request::get("/api/v1/x").header("x-api-version", "1"), Some("X-API-Version")),
        (accept(Request::get("/api/x"), 1).header("x-api-version", "3"), Some("Accept, X-API-Version")),
        (accept(Request::get("/api/v1/x"), 1), Some("Accept")),
    ] {
        let app = VersionLayer::new(versions()).layer(Router::new());
        let shown = format!("{request:?}");
        let answer = app.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();

        let told = answer.headers().get(header::VARY).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(told.as_deref(), vary, "{shown}");
    }
}

#[test]
fn what_stands_in_quotes_separates_nothing() {
    let quoted = "text/plain;a=\"x, application/vnd.shop+json;version=1, y\", application/vnd.shop+json;version=3";
    assert_eq!(by_accept(quoted), Ok((3, Indicator::Accept)));
    let within = "application/vnd.shop+json;note=\"a;version=1\\\", b\";version=\"3\";q=0.5";
    assert_eq!(by_accept(within), Ok((3, Indicator::Accept)));
    assert_eq!(by_accept("text/plain;a=\"open, application/vnd.shop+json;version=1"), Ok((2, Indicator::Default)));
    assert_eq!(by_accept("application/vnd.shop+json;version=\"\\1\""), Ok((1, Indicator::Accept)));
}
