//! The short way writes what the long way would.

use std::sync::Arc;
use std::time::Duration;

use valetkey_oauth::ports::Clock;
use valetkey_rest::RequestId;
use valetkey_testkit::FixedClock;

use super::*;
use crate::telemetry::Note;

#[test]
fn a_line_looks_as_every_other_line_does() {
    let clock = Arc::new(FixedClock::default());
    let line = Line { look: Look::Json, clock: clock.clone() };
    let plain = || Finished {
        method: "GET",
        route: "/api/orders/{id}",
        status: 200,
        elapsed: Duration::from_micros(1_565),
        request_id: None,
        client_address: None,
        problem: None,
        parent: None,
    };
    let requests = [
        (Level::DEBUG, plain(), None),
        (
            Level::INFO,
            Finished { elapsed: Duration::from_micros(12_000), client_address: "::1".parse().ok(), ..plain() },
            None,
        ),
        (
            Level::ERROR,
            Finished {
                status: 503,
                elapsed: Duration::from_micros(1_000_010),
                request_id: Some(RequestId(Uuid::from_u128(7))),
                client_address: "127.0.0.1".parse().ok(),
                problem: Some(Note { slug: "unavailable", detail: None }),
                ..plain()
            },
            Some("it said \"no\"\n\\"),
        ),
    ];

    for (level, request, cause) in requests {
        let (mut short, mut long) = (String::new(), String::new());

        json(&mut short, clock.now(), level, &request, cause).unwrap();

        line.write(&mut long, (level, REQUEST), |fields| say(fields, &request, cause)).unwrap();
        assert_eq!(short, long);
        assert!(serde_json::from_str::<serde_json::Value>(&short).is_ok(), "{short}");
    }
}
