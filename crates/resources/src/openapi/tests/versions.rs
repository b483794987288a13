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
fn what_newer_versions_write_otherwise_is_put_in_order_only_with_what_they_can_write() {
    let shop = described(&crate::shop::api(), 1, Lifecycle::Deprecated);
    for name in ["total", "total[ne]", "total[in]"] {
        assert!(describes(&shop, "/orders", name, &json!(["12.34", "a lot"])), "{name}: nothing is equal to that");
    }
    for name in ["total[gt]", "total[gte]", "total[lt]", "total[lte]"] {
        assert!(describes(&shop, "/orders", name, &json!("12.34")), "{name}");
        for bad in ["a lot", "1.234", ""] {
            assert!(!describes(&shop, "/orders", name, &json!(bad)), "{name} {bad}");
        }
    }

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
        ("made", json!(1_794_700_800), json!(999_999_999_999_999_i64)),
        ("kind", json!(1), json!(2)),
        ("cost", json!(12.25), json!(12.255)),
    ] {
        let name = format!("{name}[lte]");
        assert!(describes(&first, "/things", &name, &good), "{name} {good}");
        assert!(!describes(&first, "/things", &name, &bad), "{name} {bad}");
    }
    let parameters = first["paths"]["/things"]["get"]["parameters"].as_array().unwrap();
    assert!(!parameters.iter().any(|one| one["name"] == "flag[lte]"), "true is not more than false any more");
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

#[test]
fn what_makes_and_what_acts_is_described_with_the_status_of_its_version() {
    let api = declared(
        r#"
api: { name: parts }
versions:
  1: { released: 2025-01-01 }
  2: { released: 2026-01-01, changes: [{ status: parts.create, from: 200 }, { status: parts.act, from: 204 }] }
resources:
  parts:
    put_creates: true
    require: { if_match: [replace] }
    fields:
      note: { type: string, search: true }
      status: { enum: [new, sent], default: new, readOnly: true }
    state: status
    actions:
      send: { from: new, to: sent, handler: { url: "https://parts.example/send" } }
      lend: { from: new, to: sent, async: true }
"#,
    );
    let successes = |version: u32, path: &str, method: &str| {
        let document = described(&api, version, Lifecycle::Active);
        let answers = document["paths"][path][method]["responses"].as_object().unwrap().clone();
        answers.into_iter().map(|(status, _)| status).filter(|status| status.starts_with('2')).collect::<Vec<_>>()
    };
    assert_eq!(successes(1, "/parts/{id}", "put"), ["200"]);
    assert_eq!(successes(2, "/parts/{id}", "put"), ["200", "201"]);
    assert_eq!(successes(1, "/parts/{id}/lend", "post"), successes(2, "/parts/{id}/lend", "post"));
    assert_eq!(successes(1, "/parts/{id}/send", "post"), ["202", "204"]);

    let document = described(&api, 2, Lifecycle::Active);
    let put = &document["paths"]["/parts/{id}"]["put"];
    let named: Vec<_> = put["parameters"].as_array().unwrap().iter().map(|one| one["$ref"].as_str().unwrap()).collect();
    assert_eq!(named, ["#/components/parameters/IfMatch", "#/components/parameters/IfNoneMatchToMake"]);
    assert!(document["paths"]["/parts/{id}/send"]["post"]["responses"].get("504").is_some());
    assert!(document["paths"]["/parts/{id}/lend"]["post"]["responses"].get("504").is_none());
    assert!(document["paths"]["/parts/{id}"]["get"]["responses"].get("412").is_some());
    let sort = document["paths"]["/parts"]["get"]["parameters"].as_array().unwrap().iter();
    let sort = sort.filter(|one| one["name"] == "sort").collect::<Vec<_>>();
    assert!(sort[0]["description"].as_str().unwrap().contains("-relevance"));
}
