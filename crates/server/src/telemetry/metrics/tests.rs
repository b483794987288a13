//! Counts as Prometheus reads them.

mod watched;

use std::time::Duration;

use valetkey_oauth::{
    Event as Told,
    model::{Alert, AlertId, AlertKind, ClientId, KeyPurpose},
    protocol::{ErrorCode, GrantType},
};

use super::*;

fn request(method: &'static str, route: &str, status: u16) -> Metrics {
    let metrics = Metrics::default();
    metrics.observe(&Event::RequestFinished(Finished {
        method,
        route,
        status,
        elapsed: Duration::from_millis(3),
        request_id: None,
        client_address: None,
        problem: None,
        parent: None,
    }));
    metrics
}

fn shows(metrics: &Metrics, line: &str) {
    let text = metrics.render();
    assert!(text.lines().any(|shown| shown == line), "no line `{line}` in\n{text}");
}

#[test]
fn a_request_is_counted_and_timed() {
    let metrics = request("POST", "/api/orders/{id}", 201);

    shows(&metrics, r#"valetkey_http_requests_total{method="POST",route="/api/orders/{id}",status="201"} 1"#);
    shows(&metrics, r#"valetkey_http_request_duration_seconds_count{route="/api/orders/{id}"} 1"#);
    shows(&metrics, r#"valetkey_http_request_duration_seconds_bucket{le="0.0025",route="/api/orders/{id}"} 0"#);
    shows(&metrics, r#"valetkey_http_request_duration_seconds_bucket{le="0.005",route="/api/orders/{id}"} 1"#);
}

#[test]
fn each_oauth_event_is_counted_under_its_own_name() {
    let metrics = Metrics::default();
    let client = &ClientId::new("shop");
    let told = [
        Told::TokensIssued { client, grant: GrantType::RefreshToken },
        Told::TokensIssued { client, grant: GrantType::DeviceCode },
        Told::ClientRefused { client: None },
        Told::Refused { code: ErrorCode::InvalidGrant, why: "the code is used up" },
        Told::Introspected { client, active: false },
        Told::TokenRevoked { client },
        Told::KeyMade { purpose: KeyPurpose::Seal, generation: 2 },
    ];

    for event in &told {
        metrics.observe(&Event::Oauth(event));
    }

    shows(&metrics, r#"valetkey_tokens_issued_total{grant="refresh_token"} 1"#);
    shows(&metrics, r#"valetkey_tokens_issued_total{grant="device_code"} 1"#);
    shows(&metrics, "valetkey_client_refusals_total 1");
    shows(&metrics, r#"valetkey_refusals_total{code="invalid_grant"} 1"#);
    shows(&metrics, r#"valetkey_introspections_total{active="false"} 1"#);
    shows(&metrics, "valetkey_revocations_total 1");
    shows(&metrics, r#"valetkey_keys_made_total{purpose="seal"} 1"#);
}

#[test]
fn gauges_follow_what_is_open_and_up() {
    let metrics = Metrics::default();
    shows(&metrics, "valetkey_store_up 0");

    for event in [
        Event::Started { listen: "127.0.0.1:8080", engine: "sqlite", version: "1" },
        Event::ConnectionOpened,
        Event::ConnectionOpened,
        Event::ConnectionClosed,
    ] {
        metrics.observe(&event);
    }

    shows(&metrics, "valetkey_connections 1");
    shows(&metrics, "valetkey_store_up 1");
    metrics.observe(&Event::StoreAway { why: "gone" });
    shows(&metrics, "valetkey_store_up 0");
    metrics.observe(&Event::StoreBack);
    shows(&metrics, "valetkey_store_up 1");
}

#[test]
fn what_goes_wrong_beside_requests_is_counted() {
    let metrics = Metrics::default();
    for event in [
        Event::HandshakeFailed { reason: "no shared cipher" },
        Event::Panicked { message: "out of order", request_id: None },
        Event::JobFailed { job: "sweep", why: "busy" },
        Event::Swept(40),
        Event::Swept(2),
    ] {
        metrics.observe(&event);
    }

    shows(&metrics, "valetkey_tls_handshake_failures_total 1");
    shows(&metrics, "valetkey_panics_total 1");
    shows(&metrics, "valetkey_job_failures_total 1");
    shows(&metrics, "valetkey_swept_rows_total 42");
}

#[test]
fn the_text_says_what_runs_and_since_when() {
    let metrics = Metrics::default();
    metrics.process_started(Timestamp::from_millisecond(1_500).unwrap());

    shows(&metrics, concat!(r#"valetkey_build_info{version=""#, env!("CARGO_PKG_VERSION"), r#""} 1"#));
    shows(&metrics, "process_start_time_seconds 1.5");
    assert!(metrics.render().ends_with("# EOF\n"));
}

#[test]
fn alerts_and_deliveries_are_counted_by_kind_and_outcome() {
    let metrics = Metrics::default();
    let alert = Alert::new(AlertId::floor(Timestamp::UNIX_EPOCH), Timestamp::UNIX_EPOCH, AlertKind::RefreshReused);
    let (kind, to, attempts, why, again_in) = ("webhook", "https://ops.example", 1, "away", Duration::from_secs(5));

    for told in [Told::Alerted { alert: &alert }, Told::AlertNotFiled { alert: &alert, why: "full" }] {
        metrics.observe(&Event::Oauth(&told));
    }
    metrics.observe(&Event::Delivered { kind, to, attempts });
    metrics.observe(&Event::DeliveryFailed { kind, to, attempts, why, again_in });
    metrics.observe(&Event::DeliveryGivenUp { kind, to, attempts, why });

    shows(&metrics, r#"valetkey_alerts_total{kind="refresh_reused"} 2"#);
    shows(&metrics, "valetkey_alerts_not_filed_total 1");
    for outcome in ["delivered", "failed", "given_up"] {
        shows(&metrics, &format!(r#"valetkey_deliveries_total{{kind="webhook",outcome="{outcome}"}} 1"#));
    }
}

#[test]
fn what_is_being_prepared_is_shown_as_a_share() {
    let metrics = Metrics::default();
    let event = Event::Preparing { what: "rows of orders", done: 1, total: 4, rate: None, left: None };

    let before = metrics.render();
    metrics.observe(&event);
    let during = metrics.render();
    metrics.observe(&Event::Prepared { elapsed: Duration::from_secs(3) });

    assert!(before.contains("valetkey_api_prepared_ratio 1.0"), "{before}");
    assert!(during.contains("valetkey_api_prepared_ratio 0.25"), "{during}");
    assert!(metrics.render().contains("valetkey_api_prepared_ratio 1.0"));
}
