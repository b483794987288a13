//! The functions that run for nearly every request, one by one: `cargo bench -p valetkey-bench`.

#![allow(missing_docs, clippy::unwrap_used, reason = "a bench has no callers and no one to tell")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use futures_util::FutureExt as _;
use http::{HeaderMap, HeaderValue};
use serde_json::{Map, Value, json};
use uuid::Uuid;
use valetkey_oauth::Authority;
use valetkey_oauth::model::{AccessTokenFormat, Algorithm, Client, Session};
use valetkey_oauth::protocol::Scope;
use valetkey_oauth::tokens::{issue, verify};
use valetkey_resources::declaration;
use valetkey_resources::lens::faces;
use valetkey_rest::page::cursor::CursorKey;
use valetkey_rest::problem::{FieldError, Problem, catalogue, render};
use valetkey_rest::request_id::RequestId;
use valetkey_rest::version::{ApiVersion, Day, Versions};
use valetkey_testkit::authority::policy;
use valetkey_testkit::memory::Memory;
use valetkey_testkit::{Ear, FixedClock, authority, build};

/// The API of the demonstration.
const SHOP: &str = include_str!("../../examples/shop/api.yaml");

fn ready() -> Authority {
    let made = authority(Memory::ports(), Arc::new(FixedClock::default()), Arc::new(Ear::default()), policy());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(made).unwrap()
}

fn token(authority: &Authority, client: &Client) -> String {
    let subject = "01920000-0000-7000-8000-000000000001".to_owned();
    let (session, scope) = (Session { subject, ..build::session(7) }, Scope::parse("read:orders").unwrap());
    let issued = issue(authority, client, Some(&session), scope, "https://auth.example/api".to_owned(), None);
    issued.unwrap().text.expose().to_owned()
}

fn tokens(criterion: &mut Criterion) {
    let authority = ready();
    let client = build::client("web");
    let signed = |algorithm| Client { access_token_format: Some(AccessTokenFormat::Jwt(algorithm)), ..client.clone() };
    let (es256, rs256) = (signed(Algorithm::Es256), signed(Algorithm::Rs256));
    let opaque = token(&authority, &client);
    criterion.bench_function("seal an opaque token", |bench| bench.iter(|| token(&authority, black_box(&client))));
    criterion.bench_function("open an opaque token", |bench| {
        bench.iter(|| verify(&authority, black_box(&opaque)).now_or_never().unwrap().unwrap().unwrap());
    });
    criterion.bench_function("sign an ES256 token", |bench| bench.iter(|| token(&authority, black_box(&es256))));
    criterion.bench_function("sign an RS256 token", |bench| bench.iter(|| token(&authority, black_box(&rs256))));
}

fn cursors(criterion: &mut Criterion) {
    let key = CursorKey::new([7; 32]);
    let (context, content) = (b"orders?currency=EUR&sort=-amount v2 shop", [3_u8; 40]);
    let sealed = key.seal(context, &content);
    criterion.bench_function("seal a cursor", |bench| bench.iter(|| key.seal(context, black_box(&content))));
    criterion.bench_function("open a cursor", |bench| bench.iter(|| key.open(context, black_box(&sealed)).unwrap()));
}

fn problems(criterion: &mut Criterion) {
    let problem = Problem::new(&catalogue::UNPROCESSABLE)
        .detail("Two values do not pass validation.")
        .with_fields([FieldError::required("amount"), FieldError::invalid_format("email")]);
    let id = RequestId(Uuid::from_u128(9));
    criterion.bench_function("write a problem", |bench| {
        bench.iter(|| render(black_box(&problem), "https://auth.example", Some(id), false, None));
    });
}

fn versions(criterion: &mut Criterion) {
    let day = |seconds: u64| Day::of_unix(seconds);
    let known = vec![ApiVersion::new(1, day(1_700_000_000)), ApiVersion::new(2, day(1_750_000_000))];
    let versions = Versions::new("shop", "/api", known, Arc::new(|| Duration::from_secs(1_790_000_000)));
    let mut headers = HeaderMap::new();
    headers.insert("accept", HeaderValue::from_static("application/vnd.shop+json;version=1"));
    let none = HeaderMap::new();
    criterion.bench_function("choose a version by Accept", |bench| {
        bench.iter(|| versions.choose("/api/orders", black_box(&headers), None).unwrap());
    });
    criterion.bench_function("choose the version that is the default", |bench| {
        bench.iter(|| versions.choose("/api/orders", black_box(&none), None).unwrap());
    });
}

fn lenses(criterion: &mut Criterion) {
    let faces = faces(&declaration::read(SHOP).unwrap().api).unwrap();
    let older = faces.iter().find(|face| face.version.number == 1).unwrap();
    let (_, lens) = older.lenses.iter().find(|(name, _)| name == "orders").unwrap();
    let order = json!({"user_id": null, "amount": 1234, "currency": "EUR", "status": "pending", "note": "left at the door",
        "created_at": "2026-11-15T17:24:46.557286Z"});
    let Value::Object(order) = order else { return };
    let copy = |order: &Map<String, Value>| order.clone();
    criterion.bench_function("show an order as version 1", |bench| bench.iter(|| lens.down(copy(black_box(&order)))));
}

criterion_group!(hot, tokens, cursors, problems, versions, lenses);
criterion_main!(hot);
