//! Which events are counted, and under which labels. Every label has a bounded number of values.

mod labels;
mod process;
mod recent;
#[cfg(test)]
mod tests;

use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use jiff::Timestamp;
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram, info::Info},
    registry::Registry,
};

use valetkey_oauth::model::AlertKind;

use super::{Event, Finished};
use labels::{Active, ApiUse, Attempt, Code, Grant, Kind, Outcome, Purpose, Request, Route, Why};
use recent::Counters;

/// The media type of [`Metrics::render`].
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// From half a millisecond, where a token is issued, to ten seconds, where a client has given up.
const SECONDS: [f64; 14] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// So many pairs of client and version are told apart.
const MOST_CALLERS: usize = 1_000;

/// How many sets of metrics this process has made.
static SETS: AtomicU64 = AtomicU64::new(0);

/// Everything that is counted.
pub struct Metrics {
    /// Which set this is.
    set: u64,
    registry: Registry,
    requests: Family<Request, Counter>,
    durations: Family<Route, Histogram>,
    tokens_issued: Family<Grant, Counter>,
    refusals: Family<Code, Counter>,
    client_refusals: Counter,
    introspections: Family<Active, Counter>,
    revocations: Counter,
    sessions_ended: Family<Why, Counter>,
    sign_ins: Family<Outcome, Counter>,
    user_codes: Family<Outcome, Counter>,
    keys_made: Family<Purpose, Counter>,
    alerts: Family<Kind, Counter>,
    alerts_not_filed: Counter,
    deliveries: Family<Attempt, Counter>,
    connections: Gauge,
    connection_failures: Counter,
    handshake_failures: Counter,
    swept: Counter,
    api_requests: Family<ApiUse, Counter>,
    /// How many clients have become labels.
    api_callers: AtomicUsize,
    store_up: Gauge,
    redis_up: Gauge,
    prepared: Gauge<f64, AtomicU64>,
    panics: Counter,
    job_failures: Counter,
    log_lines_dropped: Counter,
    process_start: Gauge<f64, AtomicU64>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut metrics = Self {
            set: SETS.fetch_add(1, Ordering::Relaxed),
            registry: Registry::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            tokens_issued: Family::default(),
            refusals: Family::default(),
            client_refusals: Counter::default(),
            introspections: Family::default(),
            revocations: Counter::default(),
            sessions_ended: Family::default(),
            sign_ins: Family::default(),
            user_codes: Family::default(),
            keys_made: Family::default(),
            alerts: Family::default(),
            alerts_not_filed: Counter::default(),
            deliveries: Family::default(),
            connections: Gauge::default(),
            connection_failures: Counter::default(),
            handshake_failures: Counter::default(),
            swept: Counter::default(),
            api_requests: Family::default(),
            api_callers: AtomicUsize::new(0),
            store_up: Gauge::default(),
            redis_up: Gauge::default(),
            prepared: Gauge::default(),
            panics: Counter::default(),
            job_failures: Counter::default(),
            log_lines_dropped: Counter::default(),
            process_start: Gauge::default(),
        };
        metrics.prepared.set(1.0);
        metrics.redis_up.set(1);
        metrics.register();
        metrics
    }
}

impl Metrics {
    /// Names and explains each metric. The encoder adds `_total` to counters, `_info` to facts and the full stop.
    fn register(&mut self) {
        let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        let r = &mut self.registry;
        r.register("valetkey_http_requests", "Requests answered", self.requests.clone());
        r.register("valetkey_http_request_duration_seconds", "Time to the head of the answer", self.durations.clone());
        r.register("valetkey_tokens_issued", "Answers with tokens", self.tokens_issued.clone());
        r.register("valetkey_refusals", "OAuth requests that broke a rule", self.refusals.clone());
        r.register("valetkey_client_refusals", "Failed client authentications", self.client_refusals.clone());
        r.register("valetkey_introspections", "Tokens looked into", self.introspections.clone());
        r.register("valetkey_revocations", "Tokens taken back", self.revocations.clone());
        r.register("valetkey_sessions_ended", "Sessions ended before their time", self.sessions_ended.clone());
        r.register(
            "valetkey_user_codes",
            "Codes of devices that people typed and decided about",
            self.user_codes.clone(),
        );
        r.register("valetkey_sign_ins", "People who came to sign in", self.sign_ins.clone());
        r.register("valetkey_keys_made", "Keys made by rotation", self.keys_made.clone());
        r.register("valetkey_alerts", "What someone should know of", self.alerts.clone());
        r.register("valetkey_alerts_not_filed", "Alerts that are in the log alone", self.alerts_not_filed.clone());
        r.register("valetkey_deliveries", "Attempts to send a message", self.deliveries.clone());
        r.register("valetkey_connections", "Open connections", self.connections.clone());
        r.register(
            "valetkey_connection_failures",
            "Connections that broke or were cut",
            self.connection_failures.clone(),
        );
        r.register("valetkey_tls_handshake_failures", "Failed TLS handshakes", self.handshake_failures.clone());
        r.register("valetkey_api_requests", "Requests of the declared API", self.api_requests.clone());
        r.register("valetkey_swept_rows", "Expired rows removed", self.swept.clone());
        r.register("valetkey_store_up", "1 while the store answers", self.store_up.clone());
        r.register(
            "valetkey_redis_up",
            "0 while Redis is away and cannot count requests; 1 where there is none",
            self.redis_up.clone(),
        );
        r.register(
            "valetkey_api_prepared_ratio",
            "How much of a new declaration is filled from earlier rows, from 0 to 1",
            self.prepared.clone(),
        );
        r.register("valetkey_panics", "Requests that panicked", self.panics.clone());
        r.register("valetkey_job_failures", "Background work that went wrong", self.job_failures.clone());
        r.register("valetkey_log_lines_dropped", "Lines that stderr was too slow for", self.log_lines_dropped.clone());
        r.register("valetkey_build", "What is running", build);
        r.register_collector(Box::new(process::Process));
        r.register("process_start_time_seconds", "Start, in seconds since 1970", self.process_start.clone());
    }

    pub(super) fn observe(&self, event: &Event<'_>) {
        match event {
            Event::RequestFinished(request) => self.finished(request),
            Event::Panicked { .. } => increment(&self.panics),
            Event::Oauth(event) => self.oauth(event),
            Event::ConnectionOpened => {
                self.connections.inc();
            }
            Event::ConnectionClosed => {
                self.connections.dec();
            }
            Event::ConnectionFailed { .. } => increment(&self.connection_failures),
            Event::HandshakeFailed { .. } => increment(&self.handshake_failures),
            Event::StoreAway { .. } => {
                self.store_up.set(0);
            }
            Event::StoreBack | Event::Started { .. } => {
                self.store_up.set(1);
            }
            Event::RedisAway { .. } => {
                self.redis_up.set(0);
            }
            Event::RedisBack => {
                self.redis_up.set(1);
            }
            Event::ApiUsed { client, version, requests } => self.used(client, *version, *requests),
            Event::Swept(total) => {
                self.swept.inc_by(*total);
            }
            Event::Delivered { kind, .. } => self.attempted(kind, "delivered"),
            Event::DeliveryFailed { kind, .. } => self.attempted(kind, "failed"),
            Event::DeliveryGivenUp { kind, .. } => self.attempted(kind, "given_up"),
            Event::Preparing { done, total, .. } => {
                #[allow(clippy::cast_precision_loss, reason = "a ratio needs no more")]
                let ratio = if *total == 0 { 1.0 } else { *done as f64 / *total as f64 };
                self.prepared.set(ratio);
            }
            Event::Prepared { .. } => {
                self.prepared.set(1.0);
            }
            Event::JobFailed { .. } => increment(&self.job_failures),
            Event::CertificateReloaded
            | Event::CertificateRefused { .. }
            | Event::ForwardedCertificateRefused { .. }
            | Event::KeysReloaded
            | Event::Draining
            | Event::Stopped => {}
        }
    }

    fn alerted(&self, kind: AlertKind) {
        increment(&self.alerts.get_or_create(&Kind { kind: kind.as_str() }));
    }

    fn attempted(&self, kind: &'static str, outcome: &'static str) {
        increment(&self.deliveries.get_or_create(&Attempt { kind, outcome }));
    }

    fn finished(&self, request: &Finished<'_>) {
        let (method, status) = (request.method, request.status);
        let find = || {
            let route: Arc<str> = request.route.into();
            Counters {
                durations: self.durations.get_or_create(&Route { route: route.clone() }).clone(),
                requests: self.requests.get_or_create(&Request { method, route, status }).clone(),
            }
        };
        recent::count(self.set, (method, request.route, status), find, |counters| {
            counters.durations.observe(request.elapsed.as_secs_f64());
            increment(&counters.requests);
        });
    }

    /// Beyond so many, callers are counted together: a metric for each would be too many for whoever collects them.
    fn used(&self, client: &str, version: u32, requests: u64) {
        let mut used = ApiUse { version, client: client.to_owned() };
        if self.api_requests.get(&used).is_none() && self.api_callers.fetch_add(1, Ordering::Relaxed) >= MOST_CALLERS {
            used.client = "(others)".to_owned();
        }
        self.api_requests.get_or_create(&used).inc_by(requests);
    }

    fn oauth(&self, event: &valetkey_oauth::Event<'_>) {
        use valetkey_oauth::Event as Told;
        match event {
            Told::TokensIssued { grant, .. } => increment(&self.tokens_issued.get_or_create(&Grant::from(*grant))),
            Told::ClientRefused { .. } => increment(&self.client_refusals),
            Told::Refused { code, .. } => increment(&self.refusals.get_or_create(&Code { code: code.as_str() })),
            Told::Introspected { active, .. } => {
                increment(&self.introspections.get_or_create(&Active { active: *active }));
            }
            Told::TokenRevoked { .. } => increment(&self.revocations),
            Told::SessionEnded { why, .. } => increment(&self.sessions_ended.get_or_create(&Why { why })),
            Told::KeyMade { purpose, .. } => {
                increment(&self.keys_made.get_or_create(&Purpose { purpose: purpose.as_str() }));
            }
            Told::Alerted { alert } => self.alerted(alert.kind),
            Told::AlertNotFiled { alert, .. } => {
                self.alerted(alert.kind);
                increment(&self.alerts_not_filed);
            }
            Told::SignedIn { .. } => increment(&self.sign_ins.get_or_create(&Outcome { outcome: "success" })),
            Told::SignOnFailed { .. } | Told::SignInFailed { .. } => {
                increment(&self.sign_ins.get_or_create(&Outcome { outcome: "failure" }))
            }
            Told::DeviceDecided { approved, .. } => {
                let outcome = if *approved { "approved" } else { "denied" };
                increment(&self.user_codes.get_or_create(&Outcome { outcome }));
            }
            Told::UserCodeWrong { .. } => increment(&self.user_codes.get_or_create(&Outcome { outcome: "wrong" })),
            Told::Withdrawn { sessions, .. } => {
                let ended = self.sessions_ended.get_or_create(&Why { why: "withdrawn" });
                ended.inc_by(u64::try_from(*sessions).unwrap_or(u64::MAX));
            }
            Told::KeyRemoved { .. }
            | Told::ApiKeyMisplaced { .. }
            | Told::SignOutUnfinished { .. }
            | Told::LinkMade { .. }
            | Told::LinkUsed { .. }
            | Told::LinkRemoved { .. } => {}
        }
    }

    pub(super) fn process_started(&self, at: Timestamp) {
        self.process_start.set(at.as_millisecond() as f64 / 1000.0);
    }

    /// The counter that the log's writer counts into.
    pub(super) fn log_lines_dropped(&self) -> Counter {
        self.log_lines_dropped.clone()
    }

    /// Everything, in the OpenMetrics text format that Prometheus reads.
    pub fn render(&self) -> String {
        let mut text = String::new();
        // Writing into memory fails only when a metric cannot be encoded, and all of them are known here.
        encode(&mut text, &self.registry).ok();
        text
    }
}

fn increment(counter: &Counter) {
    counter.inc();
}
