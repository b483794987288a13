//! New versions are shipped over data that is there: clients of the first one notice nothing.

use serde_json::{Value, json};

use super::super::{Caller, register, self_link, sent, status_of};
use super::{bakery, day};
use crate::answer::header;
use crate::house::{Engine, House};

/// The bakery on its first day.
fn first() -> String {
    format!(
        r#"
api: {{ name: bakery }}
scopes: {{ "all:bread": Everything }}
versions:
  1: {{ released: {} }}
resources:
  clients:
    scopes: {{ read: "all:bread", write: "all:bread" }}
    fields:
      name: {{ type: string, required: true, unique: true }}
  purchases:
    parent: clients
    scopes: {{ read: "all:bread", write: "all:bread" }}
    fields:
      client_id: {{ references: clients, filter: true }}
      total: {{ type: string, pattern: '^[0-9]{{1,9}}[.][0-9]{{2}}$', required: true, filter: true, sort: true }}
      status: {{ enum: [open, packed, canceled], default: open, readOnly: true, filter: true }}
      address: {{ type: object, properties: {{ city: {{ type: string }} }} }}
      street: {{ type: string }}
      fax: {{ type: string }}
    state: status
    actions:
      void: {{ from: open, to: canceled }}
"#,
        day(-400)
    )
}

/// What a client does that was written for version 1, and what it sees.
async fn use_it(caller: &Caller, name: &str) -> Vec<Value> {
    let client = sent(caller.post("/api/v1/clients", &json!({ "name": name })), 201).await;
    let body = json!({ "total": "12.34", "client_id": client["id"], "street": "Elm 1", "address": { "city": "Bern" }, "fax": "7" });
    let made = caller.post("/api/v1/purchases", &body).send().await.unwrap();
    assert!([200, 201].contains(&made.status().as_u16()));
    let made: Value = made.json().await.unwrap();
    let path = self_link(&made);
    let patched = sent(caller.patch(&path, &json!({ "total": "0.99", "street": null })), 200).await;
    let voided = sent(caller.post(&format!("{path}/void"), &json!({})), 200).await;
    let found = caller
        .read(&format!(
            "/api/v1/clients/{}/purchases?status=canceled&total[lt]=1.00&sort=-total",
            client["id"].as_str().unwrap()
        ))
        .await;
    let mut seen = vec![made, patched, voided, found["data"][0].clone()];
    for row in &mut seen {
        let row = row.as_object_mut().unwrap();
        row.retain(|name, _| !["id", "client_id", "links"].contains(&name.as_str()));
    }
    seen
}

#[tokio::test]
async fn clients_of_the_first_version_work_on_after_two_more_were_shipped() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        let file = house.folder().join("api.yaml");
        std::fs::write(&file, first()).unwrap();
        house.start().await;
        let till = register(&house, "till", "all:bread");
        let caller = Caller::with(&house, house.token(&till).await);
        let before = use_it(&caller, "Ada").await;
        let old =
            sent(caller.post("/api/v1/purchases", &json!({ "total": "5.00", "street": "Oak 2", "fax": "8" })), 201)
                .await;
        let tag = header(&status_of(caller.get(&self_link(&old)), 200).await, "etag");
        house.stop().await;

        std::fs::write(&file, bakery(&format!("released: {}", day(-400)), "")).unwrap();
        house.start().await;
        let caller = Caller::with(&house, house.token(&till).await);

        assert_eq!(use_it(&caller, "Eve").await, before, "a new row looks as it did");
        let then = status_of(caller.get(&self_link(&old)), 200).await;
        assert_ne!(header(&then, "etag"), tag, "it was rewritten");
        let then: Value = then.json().await.unwrap();
        assert_eq!(then, old, "and looks as it did");
        let newest = caller.read(&format!("/api/orders/{}", old["id"].as_str().unwrap())).await;
        assert_eq!(
            (&newest["amount"], &newest["gift"], &newest["address"]),
            (&json!(500), &json!(false), &json!({ "street": "Oak 2" }))
        );
        assert_eq!(caller.column("/api/orders?status=cancelled&sort=amount", "amount").await, [99, 99]);
        assert_eq!(caller.column("/api/orders?amount[gte]=100&sort=amount", "amount").await, [500]);
        let twice = caller.post("/api/customers", &json!({ "name": "Ada" }));
        status_of(twice, 409).await;
        house.stop().await;
        house.start().await;
        let caller = Caller::with(&house, house.token(&till).await);
        assert_eq!(caller.read(&self_link(&old)).await, old, "rows are rewritten once");
    }
}

#[tokio::test]
async fn a_value_that_no_newer_version_can_have_stops_the_start_and_changes_nothing() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        let file = house.folder().join("api.yaml");
        let loose = first().replace(", pattern: '^[0-9]{1,9}[.][0-9]{2}$'", "");
        std::fs::write(&file, &loose).unwrap();
        house.start().await;
        let till = register(&house, "till", "all:bread");
        let caller = Caller::with(&house, house.token(&till).await);
        let made = sent(caller.post("/api/v1/purchases", &json!({ "total": "a lot" })), 201).await;
        house.stop().await;

        std::fs::write(&file, bakery(&format!("released: {}", day(-400)), "")).unwrap();
        let refused = house.run(&["serve", "--listen", "127.0.0.1:0"]);
        let words = String::from_utf8_lossy(&refused.stderr).into_owned();
        std::fs::write(&file, &loose).unwrap();
        house.start().await;

        assert!(!refused.status.success());
        assert!(words.contains("orders.amount"), "{words}");
        let caller = Caller::with(&house, house.token(&till).await);
        assert_eq!(caller.read(&self_link(&made)).await, made);
    }
}

#[tokio::test]
async fn a_declaration_that_does_not_know_the_stored_version_is_refused() {
    let resource = |price: &str| {
        format!(
            "resources:\n  things: {{ scopes: {{ read: \"all:x\", write: \"all:x\" }}, fields: {{ price: {{ {price} }} }} }}\n"
        )
    };
    let head = "api: { name: prices }\nscopes: { \"all:x\": Everything }\nversions:\n";
    let one = format!("{head}  1: {{ released: 2025-01-01 }}\n{}", resource("type: number"));
    let change = "{ retype: things.price, from: { type: number, multipleOf: 0.01 }, codec: { decimal: 2 } }";
    let second = format!("  2: {{ released: 2026-01-01, changes: [{change}] }}\n");
    let two = format!("{head}  1: {{ released: 2025-01-01 }}\n{second}{}", resource("type: integer"));
    let later = format!("{head}  3: {{ released: 2026-02-01 }}\n{}", resource("type: integer"));
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        let file = house.folder().join("api.yaml");
        std::fs::write(&file, &one).unwrap();
        house.start().await;
        let caller = Caller::client_with(&house, "till", "all:x").await;
        caller.make("/api/things", json!({ "price": 12.5 })).await;
        house.stop().await;

        for (declaration, is_refused) in [(&later, true), (&two, false), (&one, true), (&later, true), (&two, false)] {
            std::fs::write(&file, declaration).unwrap();
            let said = house.run(&["api", "apply", "--accept", "things", "--accept", "things.price"]);

            let words = String::from_utf8_lossy(&said.stderr);
            assert_eq!(!said.status.success(), is_refused, "{words}");
            assert_eq!(words.contains("has them, and that is not declared"), is_refused, "{words}");
        }
        house.start().await;
        let caller = Caller::client_with(&house, "other", "all:x").await;
        assert_eq!(caller.column("/api/v2/things", "price").await, [1250]);
        assert_eq!(caller.column("/api/v1/things", "price").await, [12.5]);
    }
}

#[tokio::test]
async fn a_resource_can_take_the_name_that_another_had() {
    let resource = |name: &str| {
        format!(
            "  {name}: {{ scopes: {{ read: \"all:x\", write: \"all:x\" }}, fields: {{ text: {{ type: string, unique: true }} }} }}\n"
        )
    };
    let head = "api: { name: names }\nscopes: { \"all:x\": Everything }\nversions:\n  1: { released: 2025-01-01 }\n";
    let one = format!("{head}resources:\n{}{}", resource("users"), resource("people"));
    let changes =
        "  2: { released: 2026-01-01, changes: [{ rename: users, to: accounts }, { rename: people, to: users }] }\n";
    let two = format!("{head}{changes}resources:\n{}{}", resource("accounts"), resource("users"));
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(mut house) = House::unstarted(engine, &[("VALETKEY_API", "api.yaml")]).await else { continue };
        let file = house.folder().join("api.yaml");
        std::fs::write(&file, &one).unwrap();
        house.start().await;
        let till = register(&house, "till", "all:x");
        let caller = Caller::with(&house, house.token(&till).await);
        caller.make("/api/users", json!({ "text": "u" })).await;
        caller.make("/api/people", json!({ "text": "p" })).await;
        house.stop().await;

        std::fs::write(&file, &two).unwrap();
        house.start().await;
        let caller = Caller::with(&house, house.token(&till).await);

        assert_eq!(caller.column("/api/accounts", "text").await, ["u"]);
        assert_eq!(caller.column("/api/users", "text").await, ["p"]);
        assert_eq!(caller.column("/api/v1/users", "text").await, ["u"]);
        assert_eq!(caller.column("/api/v1/people", "text").await, ["p"]);
        status_of(caller.post("/api/users", &json!({ "text": "p" })), 409).await;
    }
}
