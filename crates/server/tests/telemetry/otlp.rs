//! Spans on their way to a collector that is there, and to one that is not.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{Router, body::Bytes, routing::post};
use http::HeaderMap;
use tokio::{
    net::TcpListener,
    sync::mpsc::{Receiver, channel},
};
use valetkey::telemetry::{Event, Finished, Note, Settings, SetupError, Telemetry, trace::TraceParent};
use valetkey_rest::RequestId;
use valetkey_testkit::FixedClock;

const TRACE: u128 = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736;

/// A collector that hands on what it receives.
async fn collector() -> (String, Receiver<(HeaderMap, Bytes)>) {
    let (send, received) = channel(10);
    let take = move |headers: HeaderMap, body: Bytes| async move {
        send.send((headers, body)).await.unwrap();
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let routes = Router::new().route("/v1/traces", post(take));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    (endpoint, received)
}

fn telemetry(endpoint: &str) -> Result<Telemetry, SetupError> {
    let settings = Settings { otlp_endpoint: Some(endpoint.to_owned()), ..Settings::default() };
    Telemetry::new(&settings, Arc::new(FixedClock::default()))
}

fn request(sampled: Option<bool>) -> Event<'static> {
    Event::RequestFinished(Finished {
        method: "POST",
        route: "/api/orders/{id}/cancel",
        status: 500,
        elapsed: Duration::from_millis(3),
        request_id: Some(RequestId(uuid::Uuid::from_u128(7))),
        client_address: None,
        problem: Some(Note { slug: "internal-error", detail: Some("hush") }),
        parent: sampled.map(|sampled| TraceParent { trace: TRACE, span: 5, sampled }),
    })
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test]
async fn a_span_of_each_request_reaches_the_collector() {
    let (endpoint, mut received) = collector().await;
    let telemetry = telemetry(&endpoint).unwrap();

    telemetry.observe(&request(None));
    telemetry.shutdown().await;

    let (headers, body) = received.recv().await.unwrap();
    assert_eq!(headers["content-type"], "application/x-protobuf");
    for part in [
        "POST /api/orders/{id}/cancel",
        "http.request.method",
        "http.route",
        "http.response.status_code",
        "00000000-0000-0000-0000-000000000007",
        "internal-error",
        "service.name",
        "valetkey",
    ] {
        assert!(contains(&body, part.as_bytes()), "{part}");
    }
    assert!(!contains(&body, b"hush"));
}

#[tokio::test]
async fn a_span_continues_the_trace_of_a_caller_that_records() {
    let (endpoint, mut received) = collector().await;
    let telemetry = telemetry(&endpoint).unwrap();

    telemetry.observe(&request(Some(true)));
    telemetry.shutdown().await;

    let (_, body) = received.recv().await.unwrap();
    assert!(contains(&body, &TRACE.to_be_bytes()));
    assert!(contains(&body, &5_u64.to_be_bytes()));
}

#[tokio::test]
async fn a_caller_that_does_not_record_gets_no_span() {
    let (endpoint, mut received) = collector().await;
    let telemetry = telemetry(&endpoint).unwrap();

    telemetry.observe(&request(Some(false)));
    telemetry.shutdown().await;

    assert!(received.try_recv().is_err());
}

#[tokio::test]
async fn a_collector_that_is_away_disturbs_nobody() {
    // Bound and never accepted from: connections open, and nothing is ever answered.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let telemetry = telemetry(&format!("http://{}", silent.local_addr().unwrap())).unwrap();

    let began = Instant::now();
    for _ in 0..10_000 {
        telemetry.observe(&request(None));
    }
    let observed = began.elapsed();
    telemetry.shutdown().await;

    // More than the queue holds, and still far less than one wait for the collector.
    assert!(observed < Duration::from_secs(3), "{observed:?}");
    assert!(began.elapsed() < Duration::from_secs(15));
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_at_the_start() {
    let refused = telemetry("collector:4317").err().unwrap().to_string();

    assert!(refused.contains("http://127.0.0.1:4318"), "{refused}");
}
