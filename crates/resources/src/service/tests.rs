//! Use cases over a store that says what the test wants.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use valetkey_rest::bearer::{Caller, Challenge};
use valetkey_rest::page::cursor::CursorKey;
use valetkey_rest::prefer::{CountPreference, Prefer};
use valetkey_rest::version::Versions;

use super::{HandlerCall, HandlerError, Handlers, Parts, Service, Speaker};
use crate::model::{Api, Resource};
use crate::ports::{
    Answers, Change, Changing, Claimed, Clock, Counted, Creating, Creation, Ends, Ids, Kept, KeptAnswer, Key, Keyed,
    ListPlan, Listing, OperationState, Operations, Ports, Position, Removal, Removing, Rows, Several, Shown, Sight,
    StoreError, Stored, Task, TaskId, Usage, Used,
};
use crate::shop;
use crate::view::Row;

/// A store with twenty rows on every page, more behind them, and a count that was ended at once.
pub(super) struct Hasty;

fn nothing<T>() -> Result<T, StoreError> {
    Err(StoreError::Failed("nobody asks for this".to_owned()))
}

#[async_trait]
impl Rows for Hasty {
    async fn find(&self, _: &Resource, _: Uuid, _: &Sight) -> Result<Option<Stored>, StoreError> {
        nothing()
    }

    async fn find_all(&self, _: &Resource, _: &[Uuid], _: &Sight) -> Result<Several, StoreError> {
        Ok(Several { rows: Vec::new(), is_all: true })
    }

    async fn owned(&self, _: &Resource, _: &[Uuid], _: &str) -> Result<Vec<Uuid>, StoreError> {
        nothing()
    }

    fn position(&self, _: &Resource, _: &ListPlan, _: &Shown) -> Result<Position, StoreError> {
        nothing()
    }

    async fn list(&self, _: &Resource, _: &Sight, _: &ListPlan) -> Result<Listing, StoreError> {
        let row = |number: u128| Shown { id: Uuid::from_u128(number), task: None, document: "{}".to_owned() };
        Ok(Listing::Rows { rows: (1..=20).map(row).collect(), more: true, ends: Ends::default() })
    }

    async fn count(&self, _: &Resource, _: &Sight, _: &ListPlan, _: u64) -> Result<Counted, StoreError> {
        Ok(Counted::AtLeast(0))
    }

    async fn create(&self, creation: Creation) -> Result<Creating, StoreError> {
        if creation.draft.document.len() > 100_000 {
            return nothing();
        }
        Err(StoreError::Unavailable("nobody writes here".to_owned()))
    }

    async fn change(&self, _: Change) -> Result<Changing, StoreError> {
        nothing()
    }

    async fn remove(&self, _: Removal) -> Result<Removing, StoreError> {
        nothing()
    }
}

#[async_trait]
impl Answers for Hasty {
    async fn kept(&self, keyed: &Keyed) -> Result<Option<Kept>, StoreError> {
        let answer = KeptAnswer { location: None, etag: None, body: b"as before".to_vec() };
        Ok((keyed.key.word == "known").then_some(Kept::Answer(answer)))
    }

    async fn sweep_answers(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        nothing()
    }
}

#[async_trait]
impl Operations for Hasty {
    async fn operation(&self, _: TaskId) -> Result<Option<Claimed>, StoreError> {
        nothing()
    }

    async fn claim(&self, _: Timestamp, _: Timestamp, _: u32) -> Result<Vec<Claimed>, StoreError> {
        nothing()
    }

    async fn postpone(&self, _: TaskId, _: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }

    async fn put_back(&self, _: TaskId, _: Timestamp) -> Result<(), StoreError> {
        nothing()
    }

    async fn give_up(&self, _: TaskId, _: u16, _: &str, _: Timestamp) -> Result<(), StoreError> {
        nothing()
    }

    async fn sweep_operations(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        nothing()
    }
}

#[async_trait]
impl Usage for Hasty {
    async fn add_usage(&self, _: Vec<Used>) -> Result<(), StoreError> {
        nothing()
    }

    async fn usage_since(&self, _: Date) -> Result<Vec<Used>, StoreError> {
        nothing()
    }

    async fn sweep_usage(&self, _: Date, _: u32) -> Result<u64, StoreError> {
        nothing()
    }
}

#[async_trait]
impl Handlers for Hasty {
    async fn call(&self, _: HandlerCall<'_>) -> Result<Map<String, Value>, HandlerError> {
        Err(HandlerError::Failed("nobody asks for this".to_owned()))
    }
}

impl Clock for Hasty {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

impl Ids for Hasty {
    fn next(&self, _: Timestamp) -> Uuid {
        Uuid::nil()
    }
}

/// A task of the shop, taken so often.
pub(super) fn claimed(action: &str, created_at: Timestamp, attempts: u32) -> Claimed {
    let now = Timestamp::UNIX_EPOCH;
    let task = Task {
        id: TaskId(Uuid::nil()),
        resource: "orders".to_owned(),
        row: Uuid::nil(),
        action: action.to_owned(),
        input: Value::Null,
        client: "till".to_owned(),
        subject: None,
        version: "1".to_owned(),
        key: None,
        created_at,
        due_at: now,
        until: now,
    };
    Claimed { task, state: OperationState::Pending, attempts, updated_at: now }
}

pub(super) fn speaker() -> Speaker {
    speaker_of(shop::api())
}

/// A service over this store.
pub(super) fn service(api: Api, ports: Ports) -> Arc<Service> {
    let parts = Parts {
        ports,
        clock: Arc::new(Hasty),
        ids: Arc::new(Hasty),
        handlers: Arc::new(Hasty),
        cursors: CursorKey::new([7; 32]),
        challenge: Challenge { realm: "shop".to_owned(), resource_metadata: None },
        largest_body: 1_000,
        patience: Duration::from_secs(1),
        versions: Arc::new(Versions::new("shop", "/api", Vec::new(), Arc::new(Duration::default))),
    };
    Service::new(Arc::new(api), parts).unwrap()
}

pub(super) fn speaker_of(api: Api) -> Speaker {
    let caller = Caller {
        client: "till".to_owned(),
        subject: None,
        scopes: vec!["read:orders".to_owned()],
        version_pin: None,
        expires_at: Some(i64::try_from(Duration::from_secs(60).as_secs()).unwrap()),
        ..Caller::default()
    };
    let service = service(api, Ports::of(Arc::new(Hasty)));
    let edition = service.editions[0].clone();
    Speaker { service, caller: Arc::new(caller), prefix: "/api".into(), edition }
}

fn keyed(word: &str) -> Keyed {
    let key = Key { client: "till".to_owned(), subject: None, word: word.to_owned() };
    let now = Timestamp::UNIX_EPOCH;
    Keyed { key, fingerprint: [0; 32], now, until: now }
}

#[tokio::test]
async fn what_was_done_under_a_key_is_told_while_nothing_can_be_written() {
    let speaker = speaker();
    let served = speaker.edition.stored("orders").unwrap().clone();
    let asked = |word: &str, amount: i64| {
        let body = json!({ "amount": amount }).as_object().cloned().unwrap();
        super::Creation { body, under: None, id: None, keyed: Some(keyed(word)) }
    };

    for amount in [5, -5] {
        let made = speaker.create(&served, asked("known", amount)).await.unwrap();

        assert!(matches!(made, super::Made::Before(answer) if answer.body == b"as before"), "{amount}");
    }
    assert_eq!(speaker.create(&served, asked("new", 5)).await.unwrap_err().kind().status, 503);
    assert_eq!(speaker.create(&served, asked("new", -5)).await.unwrap_err().kind().status, 422);
}

#[tokio::test]
async fn a_large_row_is_not_brought_to_the_store_for_what_was_done_already() {
    let speaker = speaker();
    let served = speaker.edition.stored("orders").unwrap().clone();
    let asked = |word: &str| {
        let body = json!({ "amount": 5, "note": "x".repeat(100_000) }).as_object().cloned().unwrap();
        super::Creation { body, under: None, id: None, keyed: Some(keyed(word)) }
    };

    let made = speaker.create(&served, asked("known")).await.unwrap();

    assert!(matches!(made, super::Made::Before(answer) if answer.body == b"as before"));
    assert_eq!(speaker.create(&served, asked("new")).await.unwrap_err().kind().status, 500);
}

#[tokio::test]
async fn a_total_is_never_less_than_what_is_shown() {
    let speaker = speaker();
    let served = speaker.edition.stored("orders").unwrap().clone();
    let exact = Prefer { count: Some(CountPreference::Exact), ..Prefer::default() };

    for (query, prefer, least) in [
        ("offset=40&limit=20", Prefer::default(), 61),
        ("page=3&size=20", Prefer::default(), 61),
        ("limit=20", exact, 21),
    ] {
        let listed = speaker.list(&served, None, &format!("/api/orders?{query}"), &prefer).await.unwrap();

        let body: Value = serde_json::from_slice(&listed.body).unwrap();
        assert_eq!(body["meta"]["total"], json!(least), "{query}");
        assert_eq!(body["meta"]["total_is_capped"], json!(true), "{query}");
    }
}

/// Three versions, with every kind of change between them.
const THREE: &str = "
api: { name: bakery }
versions:
  1: { released: 2024-01-01 }
  2:
    released: 2025-01-01
    changes:
      - { rename: orders.total, to: amount }
      - { rename: orders.placed, to: placed_at }
  3:
    released: 2026-01-01
    changes:
      - { retype: orders.amount, from: { type: string }, codec: { decimal: 2 } }
      - { enum: orders.status, values: { canceled: cancelled } }
      - { move: orders.street, to: address.street }
      - { add: orders.gift, value: false }
resources:
  orders:
    fields:
      amount: { type: integer }
      status: { enum: [open, cancelled], default: open }
      placed_at: { type: string }
      note: { type: string }
      lines: { type: array, items: { type: object } }
      address: { type: object, properties: { street: { type: string }, city: { type: string } } }
      gift: { type: boolean }
";

fn shown(number: u128) -> Shown {
    let line = json!({ "article": "A-100", "count": 3, "price": 1250, "text": "Bread, sliced, 500 g" });
    let document = json!({
        "amount": 1234, "status": "cancelled", "placed_at": "2026-11-15T08:00:00Z", "note": "leave it at the \"door\"",
        "lines": [line, line, line], "address": { "street": "Elm 1", "city": "Bern" }, "gift": true,
    });
    Shown { id: Uuid::from_u128(number), task: None, document: document.to_string() }
}

fn row_of(speaker: &Speaker, version: u32, row: &Shown) -> String {
    let edition = speaker.service.edition(version).unwrap().clone();
    let speaker = Speaker { edition, ..speaker.clone() };
    let served = speaker.edition.stored("orders").unwrap();
    Row::new(&speaker, served).text(row)
}

#[test]
fn a_document_that_nobody_can_read_spoils_no_answer() {
    let speaker = speaker();
    let fields = &speaker.edition.stored("orders").unwrap().face.fields;
    let names: Vec<String> = fields.iter().map(|field| format!("\"{}\":", field.name)).collect();
    let documents = ["1", "nope", "[1}", "01"].map(|value| format!("{{{}{value}}}", names.join("1,")));

    let rows = documents.map(|document| Shown { document, ..shown(1) });
    let written = rows.map(|row| row_of(&speaker, speaker.version(), &row));

    for (place, text) in written.iter().enumerate() {
        let row: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(row["amount"], if place == 0 { json!(1) } else { Value::Null });
    }
}

#[test]
fn a_row_is_written_as_the_lens_shows_it() {
    let speaker = speaker_of(crate::declaration::read(THREE).unwrap().api);
    let row = shown(1);
    let addresses = [
        json!({ "street": "Elm 1", "city": "Bern" }),
        json!({ "street": "Elm \"1\"" }),
        json!({ "street": null, "an \"extra\" one": [1, { "a": "\\" }], "city": "é" }),
        json!({}),
        Value::Null,
    ];

    for (version, address) in [1, 2, 3].into_iter().flat_map(|version| addresses.iter().map(move |one| (version, one)))
    {
        let mut document: Map<String, Value> = serde_json::from_str(&row.document).unwrap();
        document.insert("address".to_owned(), address.clone());
        let row = Shown { document: Value::Object(document.clone()).to_string(), ..row.clone() };
        let mut written: Map<String, Value> = serde_json::from_str(&row_of(&speaker, version, &row)).unwrap();
        let served = speaker.service.edition(version).unwrap().stored("orders").unwrap().clone();

        written.retain(|name, _| name != "id" && name != "links");
        assert_eq!(written, served.seen(&document), "version {version}");
    }
    let missing = row_of(&speaker, 1, &Shown { document: "{}".to_owned(), ..row });
    let missing: Value = serde_json::from_str(&missing).unwrap();
    assert_eq!(
        (&missing["total"], &missing["street"], &missing["address"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
}

/// `cargo test -p valetkey-resources --release -- --ignored --nocapture costs`
#[test]
#[ignore = "measures; only a release build tells something"]
fn a_page_of_an_older_version_costs_less_than_twice_the_newest() {
    let speaker = speaker_of(crate::declaration::read(THREE).unwrap().api);
    let rows: Vec<Shown> = (0..100).map(shown).collect();
    let measure = |version: u32| {
        let page = || rows.iter().map(|row| row_of(&speaker, version, row).len()).sum::<usize>();
        let round = || {
            let begin = std::time::Instant::now();
            std::hint::black_box(page());
            begin.elapsed()
        };
        (0..200).map(|_| round()).min().unwrap()
    };

    let [first, second, newest] = [1, 2, 3].map(measure);

    println!("100 rows: version 1 {first:?}, version 2 {second:?}, version 3 {newest:?}");
    assert!(first < newest * 2 && second < newest * 2);
}
