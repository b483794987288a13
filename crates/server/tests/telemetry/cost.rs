//! What telemetry costs a request. Measures and prints; run it with optimisation and `--ignored --nocapture`.

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use prometheus_client::metrics::counter::Counter;
use valetkey::telemetry::{Event, Finished, LogFormat, Settings, Telemetry, log};
use valetkey_oauth::ports::Clock;
use valetkey_rest::RequestId;

/// As costly as the real one.
struct WallClock;

impl Clock for WallClock {
    #[expect(clippy::disallowed_methods, reason = "what is measured includes reading the clock")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

fn request() -> Event<'static> {
    Event::RequestFinished(Finished {
        method: "POST",
        route: "/api/orders/{id}",
        status: 200,
        elapsed: Duration::from_micros(1234),
        request_id: Some(RequestId(uuid::Uuid::from_u128(7 << 64))),
        client_address: Some([192, 0, 2, 7].into()),
        problem: None,
        parent: None,
    })
}

fn measure(what: &str, settings: &Settings) {
    const ROUNDS: u32 = 200;
    const TIMES: u32 = 1000;
    let dropped = Counter::<u64>::default();
    let sink = log::Sink::start(io::sink(), dropped.clone()).unwrap();
    let telemetry = Telemetry::writing(settings, Arc::new(WallClock), sink.clone()).unwrap();
    let subscriber = log::subscriber(settings, Arc::new(WallClock), sink.clone()).unwrap();
    let _subscribed = tracing::subscriber::set_default(subscriber);

    let mut spent = Duration::ZERO;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        for _ in 0..TIMES {
            telemetry.observe(&request());
        }
        spent += began.elapsed();
        // No server is this fast; without a pause only the dropping of lines would be measured.
        sink.flush(Duration::from_secs(1));
    }
    let each = spent.as_secs_f64() * 1e6 / f64::from(ROUNDS * TIMES);

    println!("{what:>24}: {each:.2} µs, {} lines dropped", dropped.get());
}

#[test]
#[ignore = "prints numbers and asserts nothing"]
fn what_a_request_costs() {
    let json = Settings { log_format: LogFormat::Json, metrics: false, ..Settings::default() };
    let quiet = Settings { level: "off".to_owned(), ..json.clone() };
    measure("nothing", &quiet);
    measure("a line", &json);
    measure("a pretty line", &Settings { log_format: LogFormat::Pretty, ..json.clone() });
    measure("metrics", &Settings { metrics: true, ..quiet.clone() });
    measure("a line and metrics", &Settings { metrics: true, ..json });
    if cfg!(feature = "otlp") {
        measure("a span, nobody there", &Settings { otlp_endpoint: Some("http://127.0.0.1:9".to_owned()), ..quiet });
    }
}
