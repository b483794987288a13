//! Limits: by kind of request and by scope, at the token endpoint, and across nodes with a real Redis.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::{RequestBuilder, Response};
use serde_json::json;

use crate::answer::{header, problem};
use crate::api::{Caller, status_of};
use crate::house::{Engine, House, eventually};

const LIMITED: &str = "api: { name: shop }
scopes:
  read:things: { description: See things, limit: { requests: 4, window: 1d } }
  write:things: Change things
limits:
  read: { requests: 6, window: 1d }
  search: { requests: 2, window: 1d }
  write: { requests: 3, window: 1d }
resources:
  things:
    fields: { name: { type: string, search: true } }
    scopes: { list: read:things, read: read:things, write: write:things }
  places:
    fields: { name: { type: string } }
";

const SOON: Duration = Duration::from_secs(10);

/// What is left of the tightest limit, on each answer.
async fn left(requests: impl IntoIterator<Item = RequestBuilder>) -> Vec<(u16, String)> {
    let mut left = Vec::new();
    for request in requests {
        let answer = request.send().await.unwrap();
        left.push((answer.status().as_u16(), header(&answer, "x-ratelimit-remaining")));
    }
    left
}

fn told(expected: &[(u16, &str)]) -> Vec<(u16, String)> {
    expected.iter().map(|(status, left)| (*status, (*left).to_owned())).collect()
}

#[tokio::test]
async fn declared_limits_go_by_the_kind_of_request_and_by_the_scope_it_needs() {
    let mut house = House::unstarted(Engine::Sqlite, &[]).await.unwrap();
    std::fs::write(house.folder().join("api.yaml"), LIMITED).unwrap();
    house.set("VALETKEY_API", "api.yaml");
    house.start().await;
    let caller = Caller::client_with(&house, "till", "read:things write:things").await;
    let other = Caller::client_with(&house, "other", "read:things").await;

    let searched = left((0..3).map(|_| caller.get("/api/things?q=x"))).await;
    let listed = left((0..3).map(|_| caller.get("/api/things"))).await;
    let elsewhere = left((0..3).map(|_| caller.get("/api/places"))).await;
    let written = left((0..4).map(|_| caller.post("/api/things", &json!({ "name": "a" })))).await;
    let answer = other.get("/api/v1/things?%71=x").send().await.unwrap();

    assert_eq!(searched, told(&[(200, "1"), (200, "0"), (429, "0")]));
    // The scope allows four, and two of them are used up: what another limit refuses is not charged to it.
    assert_eq!(listed, told(&[(200, "1"), (200, "0"), (429, "0")]));
    // What needs no such scope is still allowed, until reading as a whole is not.
    assert_eq!(elsewhere, told(&[(200, "1"), (200, "0"), (429, "0")]));
    assert_eq!(written, told(&[(201, "2"), (201, "1"), (201, "0"), (429, "0")]));
    let policies = header(&answer, "ratelimit-policy");
    for policy in ["\"api\";q=1000000;w=60", "\"read\";q=6;w=86400", "\"search\";q=2;", "\"read:things\";q=4;"] {
        assert!(policies.contains(policy), "{policies}");
    }
    assert!(header(&answer, "ratelimit").contains("\"search\";r=1;t="), "{answer:?}");
    assert_eq!(header(&answer, "x-ratelimit-limit"), "2");
}

async fn at_token_endpoint(house: House) {
    let (till, other) = (house.client("till", &[]), house.client("other", &[]));
    let ask = |client: &_| house.post("/token", client, &[("grant_type", "client_credentials")]);
    let wrong = || house.bare("/token").basic_auth("till", Some("guess")).form(&[("grant_type", "client_credentials")]);

    let mine = left((0..4).map(|_| ask(&till))).await;
    // Strangers who guess use up what their address has, and nothing of the client's.
    let guessed = left((0..4).map(|_| wrong())).await;
    let theirs = left([ask(&other)]).await;
    let refused = ask(&till).send().await.unwrap();

    assert_eq!(mine, told(&[(200, "2"), (200, "1"), (200, "0"), (429, "0")]));
    assert_eq!(guessed, told(&[(401, "2"), (401, "1"), (401, "0"), (429, "0")]));
    assert_eq!(theirs, told(&[(200, "2")]));
    assert_eq!(header(&refused, "x-ratelimit-limit"), "3");
    let wait: u64 = header(&refused, "retry-after").parse().unwrap();
    assert!((1..=3600).contains(&wait), "{wait}");
    assert_eq!(header(&refused, "ratelimit-policy"), "\"token\";q=3;w=3600");
    let body = problem(refused).await;
    assert_eq!(body["error"], "temporarily_unavailable");
    assert_eq!(body["error_description"], body["detail"]);
}

#[tokio::test]
async fn every_answer_of_the_token_endpoint_tells_what_is_left() {
    let house = House::with(Engine::Sqlite, &[("VALETKEY_LIMITS_TOKEN_REQUESTS", "1000")]).await.unwrap();
    let form = [("grant_type", "client_credentials")];

    for (request, status) in [
        (house.get("/token"), 405),
        (house.http.delete(format!("{}/token", house.origin)), 405),
        (house.bare("/token?access_token=x").form(&form), 400),
        (house.bare("/token").body("{}"), 415),
        (house.bare("/token").form(&form), 401),
    ] {
        let answer = request.send().await.unwrap();
        assert_eq!(header(&answer, "x-ratelimit-limit"), "1000", "{status}");
        assert_eq!(answer.status().as_u16(), status);
    }
}

const FEW: [(&str, &str); 2] = [("VALETKEY_LIMITS_TOKEN_REQUESTS", "3"), ("VALETKEY_LIMITS_TOKEN_WINDOW", "1h")];

#[tokio::test]
async fn the_token_endpoint_counts_clients_by_name_and_strangers_by_address() {
    at_token_endpoint(House::with(Engine::Sqlite, &FEW).await.unwrap()).await;
}

#[tokio::test]
async fn the_token_endpoint_counts_alike_in_redis() {
    let Some(redis) = Redis::start() else { return };

    at_token_endpoint(
        House::with(Engine::Sqlite, &[&FEW[..], &[("VALETKEY_REDIS", &redis.url)]].concat()).await.unwrap(),
    )
    .await;
}

#[tokio::test]
async fn whoever_has_a_network_of_ipv6_is_counted_as_one() {
    let behind = [("VALETKEY_TRUSTED_PROXIES", "127.0.0.1"), ("VALETKEY_PUBLIC_URL", "https://id.example")];
    let few = [("VALETKEY_LIMITS_API_REQUESTS", "3"), ("VALETKEY_LIMITS_API_WINDOW", "1h")];
    let house = House::with(Engine::Sqlite, &[&FEW[..], &behind, &few].concat()).await.unwrap();
    house.json(&["client", "add", "--name", "app", "--id", "app", "--public", "--grant", "device_code"]);
    let from = |request: RequestBuilder, address: &str| {
        request.header("x-forwarded-for", address).header("x-forwarded-proto", "https")
    };
    let guess = || house.bare("/token").basic_auth("till", Some("guess")).form(&[("grant_type", "client_credentials")]);
    let poll =
        [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", "x"), ("client_id", "app")];
    let ways: [(&dyn Fn() -> RequestBuilder, u16); 3] =
        [(&|| house.get("/api/orders"), 401), (&guess, 401), (&|| house.bare("/token").form(&poll), 400)];

    for (ask, status) in ways {
        let one = left(["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2:3:4:5:6"].map(|at| from(ask(), at))).await;
        let other = left(["2001:db8:1:3::1", "192.0.2.1", "192.0.2.2"].map(|at| from(ask(), at))).await;

        assert_eq!(one, told(&[(status, "2"), (status, "1"), (status, "0")]));
        assert_eq!(other, told(&[(status, "2"), (status, "2"), (status, "2")]));
    }
}

#[tokio::test]
async fn a_refused_refresh_uses_nothing_up() {
    let house = House::with(Engine::Sqlite, &FEW).await.unwrap();
    let (app, ada) = (crate::app::App::new(&house, "app"), crate::person::Person::new(&house, "ada"));
    let tokens = app.tokens(&house, &ada, &[]).await;
    left((0..2).map(|_| app.refresh(&house, "vk_rt_guess"))).await;

    let refused = app.refresh(&house, &tokens.refresh).send().await.unwrap();

    assert_eq!(refused.status(), 429);
    assert_eq!(house.introspect(&app.client, &tokens.access).await["active"], true, "the session lives");
    assert_eq!(house.introspect(&app.client, &tokens.refresh).await["active"], true, "the token was not used");
}

/// A Redis of a test's own. Dropping it ends it.
struct Redis {
    url: String,
    port: u16,
    server: Child,
}

impl Redis {
    fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::start_at(port)
    }

    fn start_at(port: u16) -> Option<Self> {
        let server = ["redis-server", "valkey-server"].into_iter().find_map(|program| {
            let mut command = Command::new(program);
            command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
        });
        let Some(server) = server else {
            eprintln!("left out: neither redis-server nor valkey-server is installed");
            return None;
        };
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(Self { url: format!("redis://127.0.0.1:{port}/"), port, server })
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// What a node's numbers say of Redis.
async fn redis_up(house: &House) -> String {
    let numbers = house.get("/metrics").send().await.unwrap().text().await.unwrap();
    numbers.lines().find_map(|line| line.strip_prefix("valetkey_redis_up ")).unwrap().to_owned()
}

/// Two nodes on one PostgreSQL and one Redis.
async fn nodes(redis: &Redis, more: &[(&str, &str)]) -> Option<(House, House)> {
    let settings = [
        ("VALETKEY_PUBLIC_URL", "http://127.0.0.1:9"),
        ("VALETKEY_REDIS", &redis.url),
        ("VALETKEY_LIMITS_API_REQUESTS", "50"),
        ("VALETKEY_LIMITS_API_WINDOW", "1h"),
    ];
    let first = House::with(Engine::Postgres, &[&settings, more].concat()).await?;
    let mut second = first.neighbour();
    second.start().await;
    Some((first, second))
}

#[tokio::test]
async fn two_nodes_together_let_exactly_so_many_through() {
    let Some(redis) = Redis::start() else { return };
    let Some((first, second)) = nodes(&redis, &[]).await else { return };
    let caller = Caller::client(&first).await;
    let callers = [Caller::with(&first, caller.token.clone()), Caller::with(&second, caller.token)];

    let asking = (0..200).map(|number| callers[number % 2].get("/api/orders").send());
    let answers: Vec<Response> = join_all(asking).await.into_iter().map(Result::unwrap).collect();

    let through = answers.iter().filter(|answer| answer.status() == 200).count();
    let refused = answers.iter().filter(|answer| answer.status() == 429).count();
    assert_eq!((through, refused), (50, 150));
    let mut left: Vec<u64> =
        answers.iter().map(|answer| header(answer, "x-ratelimit-remaining").parse().unwrap()).collect();
    left.sort_unstable();
    left.dedup();
    assert_eq!(left.len(), 50, "each number from 49 to 0 was told");
}

#[tokio::test]
async fn while_redis_is_away_nodes_count_alone_and_afterwards_together_again() {
    let Some(redis) = Redis::start() else { return };
    let Some((first, second)) = nodes(&redis, &[("VALETKEY_LIMITS_API_REQUESTS", "100000")]).await else { return };
    let caller = Caller::client(&first).await;
    let there = Caller::with(&second, caller.token.clone());
    status_of(caller.get("/api/orders"), 200).await;

    let port = redis.port;
    drop(redis);
    for caller in [&caller, &there] {
        let answer = status_of(caller.get("/api/orders"), 200).await;
        assert_eq!(header(&answer, "x-ratelimit-limit"), "100000");
    }
    assert_eq!(redis_up(&first).await, "0");
    eventually(SOON, async || first.log().contains("each node counts requests alone")).await;

    let _redis = Redis::start_at(port).unwrap();
    eventually(SOON, async || {
        let here: u64 =
            header(&status_of(caller.get("/api/orders"), 200).await, "x-ratelimit-remaining").parse().unwrap();
        let there: u64 =
            header(&status_of(there.get("/api/orders"), 200).await, "x-ratelimit-remaining").parse().unwrap();
        there + 1 == here
    })
    .await;
    assert_eq!(redis_up(&first).await, "1");
}

#[tokio::test]
async fn who_wants_nobody_uncounted_is_closed_while_redis_is_away() {
    let Some(redis) = Redis::start() else { return };
    let Some((first, _second)) = nodes(&redis, &[("VALETKEY_LIMITS_WITHOUT_REDIS", "closed")]).await else { return };
    let caller = Caller::client(&first).await;
    status_of(caller.get("/api/orders"), 200).await;

    let port = redis.port;
    drop(redis);

    let closed = status_of(caller.get("/api/orders"), 503).await;
    assert_eq!(header(&closed, "retry-after"), "1");
    problem(closed).await;
    // What is not counted goes on, and tells of it.
    assert_eq!(first.get("/healthz").send().await.unwrap().status(), 200);
    assert_eq!(redis_up(&first).await, "0");
    eventually(SOON, async || first.log().contains("requests that cannot be counted are refused")).await;

    let _redis = Redis::start_at(port).unwrap();
    eventually(SOON, async || caller.get("/api/orders").send().await.unwrap().status() == 200).await;
    assert_eq!(redis_up(&first).await, "1");
    eventually(SOON, async || first.log().contains("Redis answers again")).await;
}
