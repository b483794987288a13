//! What another declaration asks for: preconditions, keys, PUT that creates, what goes along with what.

use futures_util::future::join_all;
use serde_json::json;

use super::{Caller, self_link, sent, status_of};
use crate::answer::{header, problem};
use crate::house::{Engine, House};

const LIBRARY: &str = r#"
api: { name: library, title: Library }
scopes: { "all:books": Everything }
resources:
  shelves:
    singular: shelf
    scopes: { read: "all:books", write: "all:books" }
    put_creates: true
    fields:
      name: { type: string, required: true, unique: true }
  books:
    parent: shelves
    scopes: { read: "all:books", write: "all:books" }
    operations: [list, read, create, update, delete]
    require: { if_match: [update, delete], idempotency_key: [create] }
    fields:
      shelf_id: { references: { resource: shelves, on_delete: clear } }
      title: { type: string, required: true, search: true, sort: true, filter: true }
      pages: { type: integer, sort: true, filter: true }
      price: { type: number, sort: true, filter: true }
      lent: { type: boolean, default: false, filter: true }
      changed_at: { set: updated_at }
      keeper: { set: owner }
  notes:
    parent: books
    scopes: { read: "all:books", write: "all:books" }
    fields:
      book_id: { references: { resource: books, on_delete: delete } }
      text: { type: string }
"#;

/// Runs on both engines, in a house with this declaration.
async fn in_a_library(check: impl AsyncFn(&House, Caller)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        std::fs::write(house.folder().join("api.yaml"), LIBRARY).unwrap();
        house.start().await;
        let caller = Caller::client_with(&house, "till", "all:books").await;
        check(&house, caller).await;
    }
}

async fn book(caller: &Caller, key: &str, body: serde_json::Value) -> String {
    self_link(&sent(caller.post("/api/books", &body).header("idempotency-key", key), 201).await)
}

#[tokio::test]
async fn what_a_declaration_requires_is_demanded() {
    in_a_library(async |_, caller| {
        let without = problem(status_of(caller.post("/api/books", &json!({ "title": "Emma" })), 400).await).await;
        let path = book(&caller, "k", json!({ "title": "Emma" })).await;
        let etag = header(&status_of(caller.get(&path), 200).await, "etag");

        assert!(without["type"].as_str().unwrap().ends_with("/problems/idempotency-key-required"), "{without}");
        problem(status_of(caller.patch(&path, &json!({ "pages": 1 })), 428).await).await;
        problem(status_of(caller.delete(&path), 428).await).await;
        status_of(caller.delete("/api/books/01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e"), 404).await;
        let refused = status_of(caller.put(&path, &json!({ "title": "x" })), 405).await;
        assert_eq!(header(&refused, "allow"), "GET, HEAD, PATCH, DELETE, OPTIONS");
        status_of(caller.patch(&path, &json!({ "pages": 1 })).header("if-match", &etag), 200).await;
    })
    .await;
}

#[tokio::test]
async fn put_makes_a_row_where_the_declaration_says_so() {
    in_a_library(async |_, caller| {
        let path = "/api/shelves/01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e";

        let made = status_of(caller.put(path, &json!({ "name": "A" })), 201).await;
        let again = sent(caller.put(path, &json!({ "name": "B" })), 200).await;

        assert_eq!(header(&made, "location"), path);
        assert_eq!(again["name"], "B");
        status_of(caller.put(path, &json!({ "name": "C" })).header("if-match", "\"1-v1\""), 412).await;
        let nowhere = "/api/shelves/01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0f";
        for any in ["\"1-v1\"", "*"] {
            let refused = status_of(caller.put(nowhere, &json!({ "name": "C" })).header("if-match", any), 412).await;
            assert!(problem(refused).await["detail"].as_str().unwrap().contains("no such resource"));
        }
        status_of(caller.put(nowhere, &json!({ "name": "B" })), 409).await;
    })
    .await;
}

#[tokio::test]
async fn the_tag_of_a_row_that_is_gone_never_comes_again() {
    in_a_library(async |_, caller| {
        let path = "/api/shelves/01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e";
        let first = header(&status_of(caller.put(path, &json!({ "name": "A" })), 201).await, "etag");
        status_of(caller.delete(path), 204).await;

        let second = header(&status_of(caller.put(path, &json!({ "name": "B" })), 201).await, "etag");

        assert_ne!(first, second);
        assert_eq!(header(&status_of(caller.get(path), 200).await, "etag"), second);
        status_of(caller.get(path).header("if-none-match", &first), 200).await;
        status_of(caller.put(path, &json!({ "name": "C" })).header("if-match", &first), 412).await;
        status_of(caller.put(path, &json!({ "name": "C" })).header("if-match", &second), 200).await;
    })
    .await;
}

#[tokio::test]
async fn what_points_at_a_deleted_row_is_cleared_or_goes_along() {
    in_a_library(async |_, caller| {
        let shelf = self_link(&caller.make("/api/shelves", json!({ "name": "A" })).await);
        let id = shelf.rsplit('/').next().unwrap();
        let path = book(&caller, "k", json!({ "title": "Emma", "shelf_id": id })).await;
        let note = self_link(&caller.make(&format!("{path}/notes"), json!({ "text": "good" })).await);

        status_of(caller.delete(&shelf), 204).await;
        let cleared = status_of(caller.get(&path), 200).await;
        let etag = header(&cleared, "etag");
        let cleared: serde_json::Value = cleared.json().await.unwrap();
        status_of(caller.delete(&path).header("if-match", &etag), 204).await;

        assert_eq!(cleared["shelf_id"], json!(null));
        assert_eq!(etag, "\"2-v1\"");
        status_of(caller.get(&note), 404).await;
    })
    .await;
}

#[tokio::test]
async fn nothing_comes_first_upwards_and_last_downwards() {
    in_a_library(async |_, caller| {
        for (key, pages, price) in
            [("a", json!(3), json!(1.5)), ("b", json!(null), json!(0.1)), ("c", json!(1), json!(null))]
        {
            book(&caller, key, json!({ "title": key, "pages": pages, "price": price })).await;
        }
        let titles = async |query: &str| caller.column(&format!("/api/books?{query}"), "title").await;

        assert_eq!(titles("sort=pages").await, ["b", "c", "a"]);
        assert_eq!(titles("sort=-pages").await, ["a", "c", "b"]);
        assert_eq!(titles("sort=price").await, ["c", "b", "a"]);
        assert_eq!(titles("pages=null").await, ["b"]);
        assert_eq!(titles("pages[ne]=3&sort=title").await, ["b", "c"]);
        assert_eq!(titles("price[gt]=0.1").await, ["a"]);
        assert_eq!(titles("lent=false&sort=title").await, ["a", "b", "c"]);
        let mut walked = Vec::new();
        let mut next = Some("/api/books?sort=-pages,price&limit=1".to_owned());
        while let Some(path) = next {
            let page = caller.read(&path).await;
            walked.push(page["data"][0]["title"].clone());
            next = page["links"]["next"].as_str().map(str::to_owned);
        }
        assert_eq!(walked, ["a", "c", "b"]);
    })
    .await;
}

#[tokio::test]
async fn stamps_are_set_and_follow_changes() {
    in_a_library(async |_, caller| {
        let path = book(&caller, "k", json!({ "title": "Emma" })).await;
        let first = caller.read(&path).await;

        let changed = sent(caller.patch(&path, &json!({ "pages": 9 })).header("if-match", "*"), 200).await;
        let same = sent(caller.patch(&path, &json!({ "pages": 9 })).header("if-match", "*"), 200).await;

        assert_eq!(first["keeper"], json!(null));
        assert!(changed["changed_at"].as_str() > first["changed_at"].as_str(), "{changed}");
        assert_eq!(same, changed);
    })
    .await;
}

#[tokio::test]
async fn a_declaration_that_adds_is_applied_at_start_and_one_that_loses_is_refused_with_a_plan() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        let write = |house: &House, text: &str| std::fs::write(house.folder().join("api.yaml"), text).unwrap();
        write(&house, LIBRARY);
        house.start().await;
        let client = crate::api::register(&house, "till", "all:books");
        let caller = Caller::with(&house, house.token(&client).await);
        let path = book(&caller, "k", json!({ "title": "Emma", "pages": 9 })).await;

        house.stop().await;
        write(
            &house,
            &LIBRARY
                .replace(
                    "text: { type: string }",
                    "text: { type: string, filter: true }\n      stars: { type: integer, default: 3, filter: true }",
                )
                .replace("      lent:", "      language: { enum: [en, de], default: en, filter: true }\n      lent:"),
        );
        let planned = house.json(&["api", "apply", "--dry-run"]);
        house.start().await;
        let caller = Caller::with(&house, house.token(&client).await);

        assert!(planned["additions"].to_string().contains("books.language"), "{planned}");
        assert_eq!(planned["losses"], json!([]));
        assert_eq!(caller.read(&path).await["language"], "en");
        assert_eq!(caller.column("/api/books?language=en", "title").await, ["Emma"]);

        house.stop().await;
        write(&house, &LIBRARY.replace("      pages: { type: integer, sort: true, filter: true }\n", ""));
        let (code, words) = house.fail(&["serve", "--listen", "127.0.0.1:0"]);
        assert_eq!(code, 1);
        assert!(words.contains("books.pages") && words.contains("Nothing was changed"), "{words}");
        assert!(!words.contains("Error"), "{words}");
        house.json(&["api", "apply", "--accept", "books.pages", "--accept", "books.language"]);
        house.start().await;
        let caller = Caller::with(&house, house.token(&client).await);
        assert!(caller.read(&path).await.get("pages").is_none());
        house.json(&["api", "reindex"]);
        assert_eq!(caller.column("/api/books?q=emma", "title").await, ["Emma"]);
    }
}

#[tokio::test]
async fn of_many_who_put_what_is_not_there_one_makes_it() {
    in_a_library(async |_, caller| {
        let path = |last: &str| format!("/api/shelves/01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0{last}");
        let statuses = async |path: &str, unless: &str| {
            let put = || caller.put(path, &json!({ "name": path })).header("if-none-match", unless).send();
            let mut all: Vec<_> = join_all((0..16).map(|_| put()))
                .await
                .into_iter()
                .map(|answer| answer.unwrap().status().as_u16())
                .collect();
            all.sort_unstable();
            all
        };

        assert_eq!(statuses(&path("1"), "\"another\"").await, [vec![200; 15], vec![201]].concat());
        assert_eq!(statuses(&path("2"), "*").await, [vec![201], vec![412; 15]].concat());
    })
    .await;
}

/// Parts of orders that only their owners see.
const PARTS: &str = r#"
api: { name: parts }
scopes: { "read:orders": Reading, "write:orders": Writing }
versions:
  1: { released: 2025-01-01 }
  2: { released: 2026-01-01, changes: [{ status: parts.act, from: 204 }, { rename: purchases, to: orders }] }
resources:
  orders:
    own: true
    scopes: { read: "read:orders", write: "write:orders" }
    fields: { name: { type: string } }
  parts:
    parent: orders
    scopes: { read: "read:orders", write: "write:orders" }
    fields:
      order_id: { references: orders }
      size: { type: integer }
      status: { enum: [new, sent], default: new, readOnly: true }
    state: status
    actions: { send: { from: new, to: sent }, lend: { from: new, to: sent, async: true } }
"#;

async fn among_parts(check: impl AsyncFn(&House)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        std::fs::write(house.folder().join("api.yaml"), PARTS).unwrap();
        house.start().await;
        check(&house).await;
    }
}

#[tokio::test]
async fn nothing_is_done_below_what_the_caller_does_not_see() {
    among_parts(async |house| {
        let (ada, bob) = (Caller::user(house, "ada").await, Caller::user(house, "bob").await);
        let order = self_link(&ada.make("/api/orders", json!({ "name": "A" })).await);
        let part = ada.make(&format!("{order}/parts"), json!({ "size": 1 })).await;
        let path = format!("{order}/parts/{}", part["id"].as_str().unwrap());

        status_of(bob.patch(&path, &json!({ "size": 2 })), 404).await;
        status_of(bob.put(&path, &json!({ "size": 2 })), 404).await;
        status_of(bob.post(&format!("{path}/send"), &json!({})), 404).await;
        status_of(bob.delete(&path), 404).await;

        assert_eq!(ada.read(&path).await, part);
        let older = |path: &str| path.replace("/api/orders", "/api/v1/purchases");
        for (caller, link) in [(&ada, json!(older(&order))), (&bob, json!(null))] {
            let seen = caller.read(&format!("/api/v1/parts/{}", part["id"].as_str().unwrap())).await;
            assert_eq!(seen["links"].get("order").cloned().unwrap_or_default(), link);
        }
        assert_eq!(sent(ada.patch(&path, &json!({ "size": 2 })), 200).await["size"], 2);
    })
    .await;
}

#[tokio::test]
async fn a_version_without_bodies_for_actions_tells_of_repeats_and_tasks() {
    among_parts(async |house| {
        let ada = Caller::user(house, "ada").await;
        let order = self_link(&ada.make("/api/v1/purchases", json!({ "name": "A" })).await);
        let part = async || self_link(&ada.make(&format!("{order}/parts"), json!({ "size": 1 })).await);
        let act = |path: &str, key: &str| ada.post(path, &json!({})).header("idempotency-key", key);

        let send = format!("{}/send", part().await);
        let first = status_of(act(&send, "a"), 204).await;
        let again = status_of(act(&send, "a"), 204).await;
        let lend = format!("{}/lend", part().await);
        let task = status_of(act(&lend, "b"), 202).await;
        let same = status_of(act(&lend, "b"), 200).await;

        assert!(first.headers().get("idempotent-replayed").is_none());
        assert_eq!(header(&again, "idempotent-replayed"), "true");
        assert_eq!(header(&same, "location"), header(&task, "location"));
    })
    .await;
}
