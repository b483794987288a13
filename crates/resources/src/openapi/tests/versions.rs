//! The description of an older version says what that version takes, and nothing of what is gone.

use serde_json::{Value, json};
use valetkey_rest::version::Lifecycle;

use super::{Surroundings, document};
use crate::lens;
use crate::model::Api;

/// A version of this API, in this state.
fn described(api: &Api, version: u32, state: Lifecycle) -> Value {
    let faces = lens::faces(api).unwrap();
    let face = faces.iter().find(|face| face.version.number == version).unwrap();
    let base_url = "https://shop.example/api/v1".to_owned();
    document(&face.api, &Surroundings { base_url, issuer: "https://shop.example".to_owned(), version, state })
}

fn declared(text: &str) -> Api {
    crate::declaration::read(text).unwrap_or_else(|faults| panic!("{faults:?}")).api
}

/// Would a client that reads the description send this filter?
fn describes(document: &Value, path: &str, name: &str, value: &Value) -> bool {
    let parameters = document["paths"][path]["get"]["parameters"].as_array().unwrap();
    let parameter = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
    jsonschema::options().should_validate_formats(true).build(&parameter["schema"]).unwrap().is_valid(value)
}

#[test]
fn filters_by_what_newer_versions_write_otherwise_take_only_what_they_can_write() {
    let shop = described(&crate::shop::api(), 1, Lifecycle::Deprecated);
    for name in ["total", "total[ne]", "total[in]"] {
        assert!(describes(&shop, "/orders", name, &json!(["12.34", "7"])), "{name}");
        assert!(!describes(&shop, "/orders", name, &json!(["a lot"])), "{name}");
        assert!(!describes(&shop, "/orders", name, &json!(["1.234"])), "{name}");
    }
    assert!(!describes(&shop, "/orders", "total[gte]", &json!("")));

    let plain = declared(
        "
api: { name: plain }
scopes: { use:all: Everything }
versions:
  1: { released: 2025-01-01 }
  2:
    released: 2026-01-01
    changes:
      - { retype: things.price, from: { type: string }, codec: { decimal: 2 }, lossy: true }
      - { retype: things.size, from: { type: string }, codec: text, lossy: true }
      - { retype: things.flag, from: { type: string }, codec: text, lossy: true }
      - { retype: things.made, from: { type: integer }, codec: epoch, lossy: true }
      - { retype: things.kind, from: { enum: [0, 1] }, codec: { map: [[0, small], [1, large]] } }
      - { retype: things.cost, from: { type: number }, codec: { decimal: 2 }, lossy: true }
resources:
  things:
    scopes: { read: use:all, write: use:all }
    fields:
      price: { type: integer, filter: true }
      size: { type: integer, filter: true }
      flag: { type: boolean, filter: true }
      made: { type: string, format: date-time, filter: true }
      kind: { enum: [small, large], filter: true }
      cost: { type: integer, filter: true }
",
    );
    let first = described(&plain, 1, Lifecycle::Active);
    for (name, good, bad) in [
        ("price", json!("-12.3"), json!("12.345")),
        ("size", json!("-7"), json!("07")),
        ("flag", json!("true"), json!("yes")),
        ("made", json!(1_794_700_800), json!(999_999_999_999_999_i64)),
        ("kind", json!(1), json!(2)),
        ("cost", json!(12.25), json!(12.255)),
    ] {
        assert!(describes(&first, "/things", name, &json!([good])), "{name} {good}");
        assert!(!describes(&first, "/things", name, &json!([bad])), "{name} {bad}");
    }
}

#[test]
fn an_address_at_which_everything_is_gone_is_not_described() {
    let mut api = crate::shop::api();
    api.versions[1].gone = vec![
        crate::model::Gone { resource: "users".into(), operation: Some(crate::model::Operation::Delete), action: None },
        crate::model::Gone {
            resource: "orders".into(),
            operation: Some(crate::model::Operation::Act),
            action: Some("cancel".into()),
        },
        crate::model::Gone { resource: "payments".into(), operation: None, action: None },
    ];

    let before = described(&api, 1, Lifecycle::Deprecated);
    let after = described(&api, 1, Lifecycle::Sunset);

    let has = |document: &Value, path: &str| document["paths"].get(path).is_some();
    for path in ["/orders/{id}/cancel", "/users/{user_id}/orders/{id}/cancel", "/payments", "/payments/{id}"] {
        assert!(has(&before, path), "{path}");
        assert!(!has(&after, path), "{path}");
    }
    assert!(has(&after, "/orders/{id}/pay") && has(&after, "/users/{id}"));
    assert!(after["paths"]["/users/{id}"].get("delete").is_none());
}
