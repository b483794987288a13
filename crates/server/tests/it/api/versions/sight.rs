//! What each version sees of the same rows, and what it can do to them.

use serde_json::{Value, json};

use super::super::{Caller, errors, pairs, self_link, sent, status_of};
use super::in_a_bakery;
use crate::answer::{header, problem};
use crate::house::{Engine, House};

fn without(mut row: Value) -> Value {
    let members = row.as_object_mut().unwrap();
    members.remove("id");
    members.remove("links");
    row
}

#[tokio::test]
async fn a_row_is_made_by_the_oldest_and_seen_by_all() {
    in_a_bakery(async |_, caller| {
        let customer = caller.make("/api/customers", json!({ "name": "Ada" })).await;
        let id = customer["id"].as_str().unwrap();
        let body = json!({ "total": "12.34", "street": "Elm 1", "address": { "city": "Bern" }, "client_id": id, "fax": "1" });

        let made = sent(caller.post("/api/v1/purchases", &body), 200).await;

        let own = made["id"].as_str().unwrap();
        let first = json!({ "client_id": id, "total": "12.34", "status": "open", "address": { "city": "Bern" }, "street": "Elm 1", "fax": "1" });
        let third = json!({ "customer_id": id, "amount": 1234, "status": "open", "address": { "city": "Bern", "street": "Elm 1" }, "gift": false, "motto": null });
        assert_eq!(without(made.clone()), first);
        assert_eq!(without(caller.read(&format!("/api/orders/{own}")).await), third);
        let second = caller.read(&format!("/api/v2/orders/{own}")).await;
        assert_eq!(second["amount"], "12.34");
        assert_eq!(made["links"], json!({
            "self": format!("/api/v1/purchases/{own}"),
            "client": format!("/api/v1/clients/{id}"),
            "void": format!("/api/v1/purchases/{own}/void"),
        }));
        let nested = caller.read(&format!("/api/v1/clients/{id}/purchases?include=client&fields=total")).await;
        assert_eq!(nested["data"][0]["client"]["name"], "Ada");
        assert_eq!(nested["data"][0]["total"], "12.34");
    })
    .await;
}

#[tokio::test]
async fn what_an_old_client_does_not_know_stays() {
    in_a_bakery(async |_, caller| {
        let made = caller
            .make(
                "/api/orders",
                json!({ "amount": 500, "gift": true, "address": { "street": "Elm 1", "city": "Bern" } }),
            )
            .await;
        let path = format!("/api/v1/purchases/{}", made["id"].as_str().unwrap());

        let replaced =
            sent(caller.put(&path, &json!({ "total": "7.00", "street": "Oak 2", "address": { "city": "Bern" } })), 200)
                .await;
        let seen = caller.read(&self_link(&made)).await;

        assert_eq!(replaced["total"], "7.00");
        assert_eq!(seen["gift"], true, "version 1 does not know it, so it must not take it away");
        assert_eq!(seen["amount"], 700);
        assert_eq!(seen["address"], json!({ "street": "Oak 2", "city": "Bern" }));
    })
    .await;
}

#[tokio::test]
async fn patches_are_written_in_the_words_of_their_version() {
    in_a_bakery(async |_, caller| {
        let made = caller.make("/api/orders", json!({ "amount": 500, "gift": true })).await;
        let path = format!("/api/v1/purchases/{}", made["id"].as_str().unwrap());
        let steps = |steps: Value| {
            let patch =
                caller.request(reqwest::Method::PATCH, &path).header("content-type", "application/json-patch+json");
            patch.body(steps.to_string())
        };

        let patched = sent(
            steps(json!([
                { "op": "test", "path": "/total", "value": "5.00" },
                { "op": "replace", "path": "/total", "value": "6.50" },
                { "op": "add", "path": "/street", "value": "Elm 1" },
            ])),
            200,
        )
        .await;
        let merged = sent(caller.patch(&path, &json!({ "street": null })), 200).await;
        let conflict = status_of(steps(json!([{ "op": "test", "path": "/amount", "value": 650 }])), 409).await;

        assert_eq!((&patched["total"], &patched["street"]), (&json!("6.50"), &json!("Elm 1")));
        assert_eq!(merged["street"], Value::Null);
        assert_eq!(caller.read(&self_link(&made)).await["amount"], 650);
        problem(conflict).await;
    })
    .await;
}

#[tokio::test]
async fn faults_are_told_in_the_words_of_their_version() {
    in_a_bakery(async |_, caller| {
        caller.make("/api/customers", json!({ "name": "Ada" })).await;
        let bad =
            json!({ "total": "1", "amount": 3, "street": 5, "client_id": "01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e" });

        let refused = problem(status_of(caller.post("/api/v1/purchases", &bad), 422).await).await;
        let dangling = json!({ "total": "1.00", "client_id": "01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e" });
        let dangling = problem(status_of(caller.post("/api/v1/purchases", &dangling), 422).await).await;
        let twice = problem(status_of(caller.post("/api/v1/clients", &json!({ "name": "Ada" })), 409).await).await;
        let missing = problem(status_of(caller.post("/api/v1/purchases", &json!({})), 400).await).await;

        assert_eq!(
            errors(&refused),
            pairs(&[("amount", "UNKNOWN"), ("street", "INVALID_TYPE"), ("total", "INVALID_FORMAT")])
        );
        assert_eq!(errors(&dangling), pairs(&[("client_id", "NOT_FOUND")]));
        assert_eq!(errors(&twice), pairs(&[("name", "NOT_UNIQUE")]));
        assert_eq!(errors(&missing), pairs(&[("total", "REQUIRED")]));
    })
    .await;
}

#[tokio::test]
async fn lists_are_filtered_and_sorted_in_the_words_of_their_version() {
    in_a_bakery(async |_, caller| {
        for amount in [100, 250, 400] {
            caller.make("/api/orders", json!({ "amount": amount, "gift": false })).await;
        }
        let cancelled = caller.make("/api/orders", json!({ "amount": 999, "gift": false })).await;
        status_of(caller.post(&format!("{}/cancel", self_link(&cancelled)), &json!({})), 200).await;

        let column = async |query: &str| caller.column(&format!("/api/v1/purchases?{query}"), "total").await;

        assert_eq!(column("total[gte]=2.50&sort=-total").await, ["9.99", "4.00", "2.50"]);
        assert_eq!(column("total[in]=1.00,4.00&sort=total").await, ["1.00", "4.00"]);
        assert_eq!(column("status=canceled").await, ["9.99"]);
        assert_eq!(column("status[lt]=open").await, ["9.99"]);
        // Once `total` was a text, and no text was wrong: nothing was equal to this one, and nothing is.
        assert!(column("total=abc").await.is_empty());
        assert_eq!(column("total[ne]=abc&total[ne]=1.00&sort=total").await, ["2.50", "4.00", "9.99"]);
        assert_eq!(column("total[in]=abc,1.00").await, ["1.00"]);
        for query in
            ["amount=100", "sort=amount", "total[gte]=abc", "status=cancelled", "fields=amount", "include=customer"]
        {
            problem(status_of(caller.get(&format!("/api/v1/purchases?{query}")), 400).await).await;
        }
        let page = caller.read("/api/v1/purchases?sort=total&limit=1").await;
        let next = page["links"]["next"].as_str().unwrap();
        assert_eq!(caller.column(next, "total").await, ["2.50"]);
        let foreign = next.replace("/v1/purchases", "/v2/orders").replace("sort=total", "sort=amount");
        problem(status_of(caller.get(&foreign), 400).await).await;
    })
    .await;
}

#[tokio::test]
async fn actions_have_the_name_and_the_words_of_their_version() {
    in_a_bakery(async |_, caller| {
        let made = sent(caller.post("/api/v1/purchases", &json!({ "total": "1.00" })), 200).await;
        let path = self_link(&made);

        status_of(caller.post(&format!("{path}/cancel"), &json!({})), 404).await;
        status_of(caller.post(&format!("{path}/pack"), &json!({})), 404).await;
        let voided = sent(caller.post(&format!("{path}/void"), &json!({})), 200).await;
        let again = problem(status_of(caller.post(&format!("{path}/void"), &json!({})), 409).await).await;
        let gone = status_of(caller.delete(&path), 200).await;

        assert_eq!(voided["status"], "canceled");
        assert_eq!(again["detail"], "This purchase is canceled. `void` is possible only while it is open.");
        assert_eq!(gone.text().await.unwrap(), "{}");
    })
    .await;
}

#[tokio::test]
async fn tags_and_keys_belong_to_their_version() {
    in_a_bakery(async |_, caller| {
        let post = |path: &str, body: Value| caller.post(path, &body).header("idempotency-key", "once");

        let made = status_of(post("/api/v1/purchases", json!({ "total": "1.00" })), 200).await;
        let path = header(&made, "location");
        let tag = header(&made, "etag");
        let again = status_of(post("/api/v1/purchases", json!({ "total": "1.00" })), 200).await;
        let newer = path.replace("/v1/purchases", "/v3/orders");

        assert_eq!(header(&again, "idempotent-replayed"), "true");
        problem(status_of(post("/api/v2/orders", json!({ "amount": "1.00" })), 422).await).await;
        assert_eq!(tag, "\"1-v1\"");
        status_of(caller.get(&path).header("if-none-match", &tag), 304).await;
        status_of(caller.get(&newer).header("if-none-match", &tag), 200).await;
        problem(status_of(caller.patch(&newer, &json!({ "amount": 3 })).header("if-match", &tag), 412).await).await;
        status_of(caller.patch(&path, &json!({ "total": "3.00" })).header("if-match", &tag), 200).await;
    })
    .await;
}

/// What moved, and what only the server sets, in a place where older clients could write.
const MOVED: &str = r#"
api: { name: moved }
scopes: { "all:x": Everything }
versions:
  1: { released: 2025-01-01 }
  2:
    released: 2026-01-01
    changes:
      - { move: things.meta.status, to: status }
      - { move: things.meta.level, to: level }
      - { add: things.address }
      - { move: things.street, to: address.street }
      - { retype: things.made, from: { type: integer }, codec: epoch, lossy: true }
resources:
  things:
    scopes: { read: "all:x", write: "all:x" }
    fields:
      meta: { type: object, properties: { color: { type: string } } }
      status: { enum: [open, paid], default: open, readOnly: true }
      level: { type: integer, default: 3 }
      address: { type: object, properties: { street: { type: string }, city: { type: string } } }
      made: { set: created_at }
    state: status
    actions:
      pay: { from: open, to: paid }
"#;

#[tokio::test]
async fn what_the_server_sets_cannot_be_set_through_an_older_version() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        std::fs::write(house.folder().join("api.yaml"), MOVED).unwrap();
        house.start().await;
        let caller = Caller::client_with(&house, "till", "all:x").await;

        let bought = caller.post("/api/v1/things", &json!({ "meta": { "status": "paid" } }));
        let refused = problem(status_of(bought, 422).await).await;
        let made = caller.make("/api/v1/things", json!({ "meta": { "color": "red" }, "street": "Elm 1" })).await;
        let path = self_link(&made);
        let newer = path.replace("/v1/", "/v2/");

        assert_eq!(errors(&refused), pairs(&[("meta.status", "READ_ONLY")]));
        assert!(made["made"].is_i64(), "{made}");
        assert_eq!(made["meta"], json!({ "color": "red", "status": "open", "level": 3 }));
        problem(status_of(caller.patch(&path, &json!({ "meta": { "status": "paid" } })), 422).await).await;
        status_of(caller.patch(&newer, &json!({ "address": { "city": "Bern" } })), 200).await;
        status_of(caller.patch(&path, &json!({ "street": "Oak 2" })), 200).await;
        let seen = caller.read(&newer).await;
        assert_eq!(seen["address"], json!({ "street": "Oak 2", "city": "Bern" }));
        assert_eq!((&seen["status"], &seen["level"]), (&json!("open"), &json!(3)));
        let paid = sent(caller.post(&format!("{path}/pay"), &json!({})), 200).await;
        assert_eq!(paid["meta"]["status"], "paid");
        problem(status_of(caller.post(&format!("{path}/pay"), &json!({})), 409).await).await;
    }
}

#[tokio::test]
async fn words_are_found_only_in_what_a_version_shows() {
    in_a_bakery(async |_, caller| {
        let old = sent(caller.post("/api/v1/purchases", &json!({ "total": "1.00", "fax": "Rye, Ärger" })), 200).await;
        let new = caller.make("/api/v3/orders", json!({ "amount": 1, "gift": true, "motto": "rye ärger" })).await;
        let (old, new) = (old["id"].clone(), new["id"].clone());

        for (path, found) in [
            ("/api/v1/purchases?q=rye", vec![&old]),
            ("/api/v1/purchases?q=rye%20%C3%A4rger", vec![&old]),
            ("/api/v2/orders?q=%C3%A4rger", vec![&old]),
            ("/api/v3/orders?q=rye", vec![&new]),
            ("/api/v3/orders?q=rye&sort=-relevance&limit=10&offset=0", vec![&new]),
        ] {
            let ids = caller.column(path, "id").await;
            assert_eq!(ids.iter().collect::<Vec<_>>(), found, "{path}");
        }
        let counted = sent(caller.get("/api/v1/purchases?q=rye&page=1&size=1"), 200).await;
        assert_eq!(counted["meta"]["total"], 1, "{counted}");
    })
    .await;
}

#[tokio::test]
async fn limits_are_told_as_the_version_writes_values() {
    in_a_bakery(async |_, caller| {
        let many = caller.post("/api/v1/purchases", &json!({ "total": "999999999.00" }));
        let refused = problem(status_of(many, 422).await).await;

        assert_eq!(errors(&refused), pairs(&[("total", "OUT_OF_RANGE")]));
        assert_eq!(refused["errors"][0]["detail"], "It must be at most \"99999999.99\".");
    })
    .await;
}

#[tokio::test]
async fn a_member_of_its_own_is_not_taken_for_what_a_newer_version_has_there() {
    in_a_bakery(async |_, caller| {
        let extra = json!({ "total": "1.00", "street": "Elm", "address": { "city": "Bern", "street": "mine" } });
        let refused = problem(status_of(caller.post("/api/v1/purchases", &extra), 422).await).await;

        assert_eq!(errors(&refused), pairs(&[("address.street", "UNKNOWN")]));
    })
    .await;
}

/// Words that stand in another order since, and words that are no order any more.
const REWORDED: &str = r#"
api: { name: reworded }
scopes: { "all:x": Everything }
versions:
  1: { released: 2025-01-01 }
  2:
    released: 2026-01-01
    changes:
      - { enum: things.grade, values: { a: worst, b: middle, c: best } }
      - { retype: things.weight, from: { type: integer, enum: [1, 2, 3] }, codec: { map: [[1, small], [2, medium], [3, large]] } }
      - { retype: things.done, from: { type: boolean }, codec: { map: [[true, yes], [false, no]] } }
      - { retype: things.seen, from: { type: string, format: date-time }, codec: epoch, lossy: true }
resources:
  things:
    scopes: { read: "all:x", write: "all:x" }
    fields:
      grade: { enum: [worst, middle, best], filter: true }
      weight: { enum: [small, medium, large], filter: true }
      done: { enum: [yes, no], filter: true }
      seen: { type: integer, filter: true }
"#;

#[tokio::test]
async fn comparisons_follow_the_order_that_a_version_shows() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        std::fs::write(house.folder().join("api.yaml"), REWORDED).unwrap();
        house.start().await;
        let caller = Caller::client_with(&house, "till", "all:x").await;
        for (grade, weight) in [("a", 1), ("b", 2), ("c", 3)] {
            let seen = format!("2026-0{weight}-01T00:00:00Z");
            caller
                .make("/api/v1/things", json!({ "grade": grade, "weight": weight, "done": true, "seen": seen }))
                .await;
        }

        for (query, weights) in [
            ("grade[gt]=a", vec![2, 3]),
            ("grade[lte]=b", vec![1, 2]),
            ("weight[gte]=2", vec![2, 3]),
            ("weight[lt]=2", vec![1]),
            ("weight[lt]=1", vec![]),
            ("seen[gte]=2026-02-01", vec![2, 3]),
            ("seen=2026-02-01", vec![2]),
        ] {
            let found = caller.column(&format!("/api/v1/things?{query}&sort=id"), "weight").await;
            assert_eq!(found, weights, "{query}");
        }
        problem(status_of(caller.get("/api/v1/things?done[gte]=true"), 400).await).await;
        problem(status_of(caller.get("/api/v1/things?grade[gt]=worst"), 400).await).await;
    }
}
