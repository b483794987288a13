//! Limits as a client meets them, with a clock that stands where the test put it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body, response::Response, routing::get};
use http::{HeaderMap, Request};
use tower::ServiceExt;

use super::{
    Away, Charge, Count, Counter, Limiter, MemoryCounter, Policy, Quota, RateLimitLayer, Standby, Watched, Whose,
    async_trait, network, window_end,
};

const MINUTE: Duration = Duration::from_secs(60);

fn policy(name: &str, limit: u64) -> Policy {
    Policy::new(name, Quota { limit, window: MINUTE })
}

struct World {
    app: Router,
    milliseconds: Arc<AtomicU64>,
}

impl World {
    fn new(limit: u64) -> Self {
        let milliseconds = Arc::new(AtomicU64::new(600_000));
        let clock = milliseconds.clone();
        let layer = RateLimitLayer::new(
            Quota { limit, window: MINUTE },
            Arc::new(|parts| parts.headers.get("x-client").map(|client| format!("{client:?}"))),
            Arc::new(MemoryCounter::new(10)),
            Arc::new(move || Duration::from_millis(clock.load(Ordering::Relaxed))),
        );
        Self { app: Router::new().route("/", get(|| async {})).layer(layer), milliseconds }
    }

    async fn ask(&self, client: &str) -> Response {
        let request = Request::get("/").header("x-client", client).body(Body::empty()).unwrap();
        self.app.clone().oneshot(request).await.unwrap()
    }
}

fn trio(headers: &HeaderMap) -> [&str; 3] {
    ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"].map(|name| headers[name].to_str().unwrap())
}

#[tokio::test]
async fn every_answer_tells_what_is_left() {
    let world = World::new(2);

    assert_eq!(trio(world.ask("a").await.headers()), ["2", "1", "660"]);
    assert_eq!(trio(world.ask("a").await.headers()), ["2", "0", "660"]);
    let refused = world.ask("a").await;

    assert_eq!(refused.status(), 429);
    assert_eq!(trio(refused.headers()), ["2", "0", "660"]);
    assert_eq!(refused.headers()["retry-after"], "60");
    assert_eq!(world.ask("b").await.status(), 200);
}

#[tokio::test]
async fn a_new_window_starts_anew() {
    let world = World::new(1);
    world.ask("a").await;
    assert_eq!(world.ask("a").await.status(), 429);

    world.milliseconds.store(660_000, Ordering::Relaxed);

    assert_eq!(world.ask("a").await.status(), 200);
}

#[tokio::test]
async fn the_wait_is_rounded_up_and_never_zero() {
    let world = World::new(0);
    for (now, wait) in [(600_000, "60"), (600_001, "60"), (658_999, "2"), (659_001, "1"), (659_999, "1")] {
        world.milliseconds.store(now, Ordering::Relaxed);

        assert_eq!(world.ask("a").await.headers()["retry-after"], wait, "{now}");
    }
}

#[tokio::test]
async fn who_has_no_key_is_not_limited_and_not_told() {
    let world = World::new(0);

    let answer = world.app.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();

    assert_eq!(answer.status(), 200);
    assert!(!answer.headers().contains_key("x-ratelimit-limit"));
}

#[tokio::test]
async fn a_counter_never_holds_more_keys_than_it_may() {
    let counter = MemoryCounter::new(100);
    for key in 0..10_000 {
        counter.hit(&[policy("p", 5).charge(key.to_string().as_str())], Duration::from_secs(key / 3)).await.unwrap();
    }

    assert!(counter.keys() <= 100);
}

#[tokio::test]
async fn counts_stop_beyond_the_limit_and_a_clock_that_goes_back_frees_nobody() {
    let counter = MemoryCounter::new(10);
    for _ in 0..100 {
        counter.hit(&[policy("p", 5).charge("a")], Duration::from_secs(600)).await.unwrap();
    }

    let back = counter.hit(&[policy("p", 5).charge("a")], Duration::from_secs(599)).await.unwrap();

    assert_eq!(back, [Count { used: 6, reset_at: 660 }]);
}

#[tokio::test]
async fn a_clock_that_was_far_ahead_does_not_keep_a_window_closed_until_then() {
    let counter = MemoryCounter::new(10);
    for _ in 0..100 {
        counter.hit(&[policy("p", 5).charge("a")], Duration::from_secs(360_000)).await.unwrap();
    }

    let back = counter.hit(&[policy("p", 5).charge("a")], Duration::from_secs(600)).await.unwrap();

    assert_eq!(back, [Count { used: 1, reset_at: 660 }]);
}

#[test]
fn windows_end_at_multiples_of_their_length() {
    assert_eq!(window_end(MINUTE, Duration::from_secs(0)), 60);
    assert_eq!(window_end(MINUTE, Duration::from_millis(59_999)), 60);
    assert_eq!(window_end(MINUTE, Duration::from_secs(60)), 120);
    assert_eq!(window_end(Duration::ZERO, Duration::from_secs(7)), 8);
    assert_eq!(window_end(MINUTE, Duration::MAX), u64::MAX);
}

#[tokio::test]
async fn what_was_counted_further_in_is_not_counted_again() {
    let counter: Arc<dyn Counter> = Arc::new(MemoryCounter::new(10));
    let layer = |header: &'static str| {
        let whose =
            move |parts: &http::request::Parts| parts.headers.get(header).map(|name| format!("{header}{name:?}"));
        let quota = Quota { limit: 2, window: MINUTE };
        RateLimitLayer::new(quota, Arc::new(whose), counter.clone(), Arc::new(|| MINUTE))
    };
    let app = Router::new().route("/", get(|| async {})).layer(layer("x-client")).layer(layer("x-address").uncounted());
    let ask = async |client: Option<&str>| {
        let mut request = Request::get("/").header("x-address", "here").body(Body::empty()).unwrap();
        if let Some(client) = client {
            request.headers_mut().insert("x-client", client.parse().unwrap());
        }
        let answer = app.clone().oneshot(request).await.unwrap();
        (answer.status().as_u16(), trio(answer.headers())[1].to_owned())
    };

    assert_eq!(ask(None).await, (200, "1".to_owned()));
    assert_eq!(ask(Some("a")).await, (200, "1".to_owned()));
    assert_eq!(ask(None).await, (200, "0".to_owned()));
    assert_eq!(ask(None).await, (429, "0".to_owned()));
    assert_eq!(ask(Some("a")).await, (200, "0".to_owned()));
}

#[tokio::test]
async fn what_one_limit_refuses_is_not_charged_to_another() {
    let counter = MemoryCounter::new(10);
    let charges = [policy("wide", 9).charge("a"), policy("tight", 2).charge("a")];

    let mut used = Vec::new();
    for _ in 0..4 {
        let counts = counter.hit(&charges, Duration::ZERO).await.unwrap();
        used.push((counts[0].used, counts[1].used));
    }

    assert_eq!(used, [(1, 1), (2, 2), (2, 3), (2, 3)]);
}

#[tokio::test]
async fn the_fields_of_the_ietf_tell_the_same() {
    let world = World::new(2);
    world.milliseconds.store(600_500, Ordering::Relaxed);

    let answer = world.ask("a").await;

    assert_eq!(answer.headers()["ratelimit-policy"], "\"default\";q=2;w=60");
    assert_eq!(answer.headers()["ratelimit"], "\"default\";r=1;t=60");
}

#[tokio::test]
async fn of_several_policies_the_tightest_speaks() {
    let limiter = Limiter::new(Arc::new(MemoryCounter::new(10)), Arc::new(|| Duration::from_secs(600)));
    let charges = |_: &http::request::Parts| vec![policy("read", 5).charge("a"), policy("read:orders", 2).charge("a")];
    let app = Router::new()
        .route("/", get(|| async {}))
        .layer(RateLimitLayer::by(Arc::new(charges), limiter))
        .layer(crate::ProblemLayer::new("https://shop.example"));
    let ask = async || app.clone().oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();

    let (first, _, third) = (ask().await, ask().await, ask().await);

    assert_eq!(trio(first.headers()), ["2", "1", "660"]);
    assert_eq!(first.headers()["ratelimit-policy"], "\"read\";q=5;w=60, \"read:orders\";q=2;w=60");
    assert_eq!(first.headers()["ratelimit"], "\"read\";r=4;t=60, \"read:orders\";r=1;t=60");
    assert_eq!(third.status(), 429);
    assert_eq!(trio(third.headers()), ["2", "0", "660"]);
    let body = axum::body::to_bytes(third.into_body(), 1000).await.unwrap();
    assert!(String::from_utf8_lossy(&body).contains("`read:orders` is 2 requests in 60 s"));
}

struct Gone;

#[async_trait]
impl Counter for Gone {
    async fn hit(&self, _: &[Charge], _: Duration) -> Result<Vec<Count>, Away> {
        Err(Away("the cable is cut".to_owned()))
    }
}

/// A counter that is away and knows how often it was asked.
#[derive(Default)]
struct Asked(std::sync::atomic::AtomicUsize);

#[async_trait]
impl Counter for Asked {
    async fn hit(&self, _: &[Charge], _: Duration) -> Result<Vec<Count>, Away> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Err(Away("the cable is cut".to_owned()))
    }
}

#[tokio::test]
async fn a_counter_that_is_away_is_asked_once_for_each_request() {
    let counter = Arc::new(Asked::default());
    let limiter = Limiter::new(counter.clone(), Arc::new(|| MINUTE));
    let charges: super::ChargesOf = Arc::new(|_: &http::request::Parts| vec![policy("read", 1).charge("a")]);
    let inner = RateLimitLayer::by(charges.clone(), limiter.clone());
    let app =
        Router::new().route("/", get(|| async {})).layer((RateLimitLayer::by(charges, limiter).uncounted(), inner));

    let answer = app.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();

    assert_eq!((answer.status().as_u16(), counter.0.load(std::sync::atomic::Ordering::Relaxed)), (503, 1));
}

#[tokio::test]
async fn without_its_counter_a_service_is_closed_or_counts_alone() {
    let ask = async |counter: Arc<dyn Counter>| {
        let limiter = Limiter::new(counter, Arc::new(|| MINUTE));
        let charges = |_: &http::request::Parts| vec![policy("read", 1).charge("a")];
        let app = Router::new().route("/", get(|| async {})).layer(RateLimitLayer::by(Arc::new(charges), limiter));
        let mut statuses = Vec::new();
        for _ in 0..2 {
            let answer = app.clone().oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
            statuses.push(answer.status().as_u16());
        }
        statuses
    };

    assert_eq!(ask(Arc::new(Gone)).await, [503, 503]);
    let standby = Standby::new(Arc::new(Gone), Arc::new(MemoryCounter::new(10)));
    assert_eq!(ask(Arc::new(standby)).await, [200, 429]);
}

/// A counter that is away every other time, twice in a row.
#[derive(Default)]
struct Flickering(std::sync::atomic::AtomicUsize);

#[async_trait]
impl Counter for Flickering {
    async fn hit(&self, _: &[Charge], _: Duration) -> Result<Vec<Count>, Away> {
        let turn = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        if turn % 4 < 2 { Err(Away("the cable is cut".to_owned())) } else { Ok(Vec::new()) }
    }
}

#[tokio::test]
async fn a_counter_that_goes_away_and_comes_back_is_told_of_once_each_time() {
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let page = told.clone();
    let heard = Arc::new(move |away: Option<&Away>| page.lock().unwrap().push(away.map(|away| away.0.clone())));
    let watched = Watched::new(Arc::new(Flickering::default()), heard);

    let mut counted = Vec::new();
    for _ in 0..6 {
        counted.push(watched.hit(&[], MINUTE).await.is_ok());
    }

    assert_eq!(counted, [false, false, true, true, false, false]);
    let cut = Some("the cable is cut".to_owned());
    assert_eq!(*told.lock().unwrap(), [cut.clone(), None, cut]);
}

#[tokio::test]
async fn addresses_of_one_network_of_ipv6_are_counted_together() {
    let counter = MemoryCounter::new(10);
    let used = async |address: &str| {
        let charge = policy("api", 10).charge(Whose::at("from", address.parse().unwrap()));
        counter.hit(&[charge], MINUTE).await.unwrap()[0].used
    };

    assert_eq!([used("2001:db8:1:2::1").await, used("2001:db8:1:2:ffff::9").await], [1, 2]);
    assert_eq!(used("2001:db8:1:3::1").await, 1);
    assert_eq!([used("192.0.2.1").await, used("::ffff:192.0.2.1").await, used("192.0.2.2").await], [1, 2, 1]);
    assert_eq!(network("2001:db8:1:2:3:4:5:6".parse().unwrap()).to_string(), "2001:db8:1:2::");
}
