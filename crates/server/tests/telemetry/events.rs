//! Every event as a line: valid, harmless to a terminal, and without what may hold a secret.

use std::{sync::Arc, time::Duration};

use valetkey::telemetry::{Event, Finished, LogFormat, Note, Settings, SetupError, Telemetry};
use valetkey_oauth::{
    Event as Told,
    model::{ClientId, KeyPurpose, SessionId},
    ports::Observer,
    protocol::{ErrorCode, GrantType},
};
use valetkey_rest::RequestId;
use valetkey_testkit::FixedClock;

use crate::world::World;

#[test]
fn every_event_makes_valid_lines_and_repeats_no_detail_that_may_hold_a_secret() {
    let world = World::with(Settings { level: "trace".into(), ..World::settings() });
    let awkward = "a \"quoted\"\nline \u{1b}[31m";
    let client = &ClientId::new("shop");
    let session = SessionId(uuid::Uuid::from_u128(9));
    let user = valetkey_oauth::model::UserId(uuid::Uuid::from_u128(5));
    let told = [
        Told::TokensIssued { client, grant: GrantType::AuthorizationCode },
        Told::ClientRefused { client: Some(client) },
        Told::ClientRefused { client: None },
        Told::Refused { code: ErrorCode::InvalidGrant, why: awkward },
        Told::Introspected { client, active: true },
        Told::TokenRevoked { client },
        Told::SessionEnded { session, client, why: "refresh_reused" },
        Told::SessionEnded { session, client, why: "revoked" },
        Told::ApiKeyMisplaced { key: valetkey_oauth::model::ApiKeyId(uuid::Uuid::from_u128(3)), address: None },
        Told::LinkMade { user, issuer: "https://id.example", maker: "email" },
        Told::LinkUsed { user, issuer: "https://id.example" },
        Told::LinkRemoved { user, issuer: "https://id.example" },
        Told::SignOnFailed { provider: "corp", address: Some("192.0.2.1"), why: awkward },
        Told::KeyMade { purpose: KeyPurpose::Seal, generation: 1 },
        Told::KeyRemoved { purpose: KeyPurpose::Seal, generation: 1 },
    ];
    let finished = |status| {
        Event::RequestFinished(Finished {
            method: "POST",
            route: "/token",
            status,
            elapsed: Duration::from_micros(1234),
            request_id: Some(RequestId(uuid::Uuid::from_u128(7))),
            client_address: None,
            // A problem of the caller's making may quote what the caller sent.
            problem: Some(Note { slug: "bad-request", detail: Some("vk_rt_hush is not known") }),
            parent: None,
        })
    };
    let events = [
        finished(400),
        finished(499),
        Event::Panicked { message: awkward, request_id: None },
        Event::ConnectionOpened,
        Event::ConnectionClosed,
        Event::HandshakeFailed { reason: awkward },
        Event::CertificateReloaded,
        Event::CertificateRefused { reason: awkward },
        Event::StoreAway { why: awkward },
        Event::StoreBack,
        Event::Swept(0),
        Event::Swept(1),
        Event::KeysReloaded,
        Event::Started { listen: "127.0.0.1:8080", engine: "sqlite", version: "1" },
        Event::Draining,
        Event::Stopped,
        Event::JobFailed { job: "sweep", why: awkward },
    ];

    events.iter().for_each(|event| world.telemetry.observe(event));
    told.iter().for_each(|event| Observer::observe(&world.telemetry, event));

    let lines = world.lines();
    assert_eq!(lines.len(), events.len() + told.len());
    assert!(lines.iter().all(|line| line["message"].is_string() && line["target"].is_string()));
    assert_eq!(lines.iter().filter(|line| line["why"] == awkward).count(), 4);
    assert_eq!(lines.iter().filter(|line| line["why"] == "refresh_reused" && line["level"] == "warn").count(), 1);
    assert!(!world.text().contains("hush"));
    let metrics = world.telemetry.metrics().unwrap().render();
    assert!(!metrics.contains("hush") && !metrics.contains("quoted") && !metrics.contains("shop"));
    world.counts(r#"valetkey_sessions_ended_total{why="refresh_reused"} 1"#);
}

#[test]
fn people_read_words_and_no_control_characters() {
    let world = World::with(Settings { log_format: LogFormat::Pretty, ..World::settings() });

    world.telemetry.observe(&Event::JobFailed { job: "sweep", why: "line\nbreak \u{1b}[31m" });

    assert_eq!(
        world.text(),
        "2026-11-14T12:15:00.000Z  WARN background work failed, it will be tried again \
         job=sweep why=line\\nbreak \\u001b[31m\n"
    );
}

#[test]
fn a_level_of_their_own_silences_the_lines_of_requests() {
    let world = World::with(Settings { level: "info,valetkey::request=off".into(), ..World::settings() });

    world.telemetry.observe(&Event::Panicked { message: "out of order", request_id: None });
    world.telemetry.observe(&Event::Draining);

    assert_eq!(world.only_line()["message"], "draining: no new connections");
}

#[test]
fn a_process_has_one_log() {
    let clock = || Arc::new(FixedClock::default());
    let quiet = Settings { level: "off".into(), ..World::settings() };

    assert!(Telemetry::install(&quiet, clock()).is_ok());
    assert!(matches!(Telemetry::install(&quiet, clock()), Err(SetupError::LogTaken)));
}

#[test]
fn a_level_that_cannot_be_read_is_refused() {
    let odd = Settings { level: "valetkey=loud".into(), ..World::settings() };

    let refused = Telemetry::install(&odd, Arc::new(FixedClock::default())).err().unwrap();

    assert!(matches!(refused, SetupError::Level { .. }), "{refused}");
}
