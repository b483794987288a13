//! Requests as an operator reads them: one line each, under the id that the client saw.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{Router, body::Body, routing::get};
use http::{Request, StatusCode};
use tower::{Layer, ServiceExt};
use valetkey::app::edge::Serve;
use valetkey::telemetry::{ObserveLayer, RouteLayer, Telemetry};
use valetkey_rest::{CatchPanicLayer, Problem, ProblemLayer, RequestIdLayer, problem::catalogue};

use crate::world::World;

/// The layers as the server puts them on.
fn app(telemetry: &Telemetry) -> impl Serve {
    let broken = || async { Problem::new(&catalogue::INTERNAL_ERROR).detail("disk full") };
    let conflict = || async { Problem::new(&catalogue::CONFLICT).detail("quotes the client") };
    let here = IpAddr::from([192, 0, 2, 7]);
    let routes = Router::new()
        .route("/orders/{id}", get(|| async { "fine" }))
        .route("/broken", get(broken))
        .route("/conflict", get(conflict))
        .route("/panic", get(|| async { panic!("out of order") as &'static str }))
        .route("/never", get(std::future::pending::<&'static str>))
        .route("/healthz", get(|| async { "up" }))
        .route("/chatty", get(|| async { tracing::info!("deep inside") }))
        .layer((RouteLayer, CatchPanicLayer::new(telemetry.panic_hook())));
    let around = (
        RequestIdLayer::new(Arc::new(|| uuid::Uuid::from_u128(7))),
        ProblemLayer::new("https://id.example"),
        ObserveLayer::new(telemetry.clone()).client_address(move |_| Some(here)),
    );
    around.layer(routes)
}

const ID: &str = "00000000-0000-0000-0000-000000000007";

async fn ask(world: &World, path: &str) -> http::Response<Body> {
    let request = Request::get(path).body(Body::empty()).unwrap();
    app(&world.telemetry).oneshot(request).await.unwrap()
}

#[tokio::test]
async fn the_line_of_a_request_bears_the_id_that_the_client_saw() {
    let world = World::new();

    let answer = ask(&world, "/orders/hush?note=hush").await;

    let line = world.only_line();
    assert_eq!(answer.headers()["x-request-id"], ID);
    assert_eq!(line["request_id"], ID);
    assert_eq!(line["method"], "GET");
    assert_eq!(line["route"], "/orders/{id}");
    assert_eq!(line["status"], 200);
    assert_eq!(line["level"], "info");
    assert_eq!(line["client_address"], "192.0.2.7");
    assert!(line["elapsed_ms"].as_f64().is_some_and(|milliseconds| milliseconds >= 0.0));
    assert_eq!(line["time"], "2026-11-14T12:15:00.000000Z");
    assert!(!world.text().contains("hush"));
}

#[tokio::test]
async fn a_path_that_no_route_matches_is_not_repeated() {
    let world = World::new();

    let answer = ask(&world, "/hush?also=hush").await;

    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert_eq!(world.only_line()["route"], "unmatched");
    assert!(!world.text().contains("hush"));
    world.counts(r#"valetkey_http_requests_total{method="GET",route="unmatched",status="404"} 1"#);
}

#[tokio::test]
async fn an_invented_method_is_not_repeated() {
    let world = World::new();
    let request = Request::builder().method("HUSH").uri("/healthz").body(Body::empty()).unwrap();

    app(&world.telemetry).oneshot(request).await.unwrap();

    assert_eq!(world.only_line()["method"], "OTHER");
    world.counts(r#"valetkey_http_requests_total{method="OTHER",route="/healthz",status="405"} 1"#);
}

#[tokio::test]
async fn the_cause_of_a_5xx_stands_in_its_line() {
    let world = World::new();

    ask(&world, "/broken").await;

    let line = world.only_line();
    assert_eq!(line["level"], "error");
    assert_eq!(line["problem"], "internal-error");
    assert_eq!(line["cause"], "disk full");
}

#[tokio::test]
async fn the_detail_of_a_4xx_does_not_stand_in_its_line() {
    let world = World::new();

    ask(&world, "/conflict").await;

    assert_eq!(world.only_line()["problem"], "conflict");
    assert!(!world.text().contains("quotes the client"));
}

#[tokio::test]
async fn a_panic_is_told_under_the_id_of_its_request() {
    let world = World::new();

    ask(&world, "/panic").await;

    let lines = world.lines();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["panic"], "out of order");
    assert_eq!(lines[0]["request_id"], ID);
    assert_eq!(lines[1]["status"], 500);
    world.counts("valetkey_panics_total 1");
}

#[tokio::test]
async fn a_client_that_leaves_is_told_as_499() {
    let world = World::new();
    let request = Request::get("/never").body(Body::empty()).unwrap();

    let asked = tokio::time::timeout(Duration::from_millis(1), app(&world.telemetry).oneshot(request)).await;

    assert!(asked.is_err());
    assert_eq!(world.only_line()["status"], 499);
}

#[tokio::test]
async fn a_probe_that_succeeds_leaves_no_line() {
    let world = World::new();

    ask(&world, "/healthz").await;

    assert_eq!(world.lines().len(), 0);
    world.counts(r#"valetkey_http_requests_total{method="GET",route="/healthz",status="200"} 1"#);
}

#[tokio::test]
async fn what_is_said_inside_a_request_bears_its_id() {
    let world = World::new();

    ask(&world, "/chatty").await;
    tracing::info!("outside");

    let lines = world.lines();
    assert_eq!((&lines[0]["message"], &lines[0]["request_id"]), (&"deep inside".into(), &ID.into()));
    assert_eq!((&lines[2]["message"], lines[2].get("request_id")), (&"outside".into(), None));
}
