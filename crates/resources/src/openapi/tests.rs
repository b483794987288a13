//! The description agrees with the declaration, with itself and with the standard.

mod versions;

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{Surroundings, document};
use crate::shop;

fn described() -> Value {
    let at = Surroundings {
        base_url: "https://shop.example/api".to_owned(),
        issuer: "https://shop.example".to_owned(),
        version: 1,
        state: valetkey_rest::version::Lifecycle::Active,
    };
    document(&shop::api(), &at)
}

/// Every value in a document, with its place.
fn each<'a>(place: String, value: &'a Value, visit: &mut dyn FnMut(&str, &'a Value)) {
    visit(&place, value);
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                each(format!("{place}/{}", name.replace('~', "~0").replace('/', "~1")), member, visit);
            }
        }
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                each(format!("{place}/{number}"), item, visit);
            }
        }
        _ => {}
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = described();
    let mut count = 0;

    each(String::new(), &document, &mut |place, value| {
        if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{place}: {reference}");
            count += 1;
        }
    });

    assert!(count > 100, "{count}");
}

#[test]
fn every_example_is_valid_by_its_own_schema() {
    let document = described();
    let mut count = 0;

    each(String::new(), &document, &mut |place, value| {
        let Some(examples) = value.get("examples").and_then(Value::as_array) else { return };
        let mut root = json!({ "$ref": format!("#{place}") });
        root["components"] = document["components"].clone();
        root["paths"] = document["paths"].clone();
        let validator = jsonschema::options().should_validate_formats(true).build(&root).unwrap();
        for example in examples {
            let errors: Vec<String> = validator.iter_errors(example).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{place}: {errors:?} in {example}");
            count += 1;
        }
    });

    assert!(count > 10, "{count}");
}

#[test]
fn an_example_has_everything_that_is_required_also_what_points_elsewhere() {
    let text = "\
api: { name: small }
scopes: { use:things: Use things }
resources:
  things:
    scopes: { read: use:things, write: use:things }
    fields: { name: { type: string } }
  parts:
    scopes: { read: use:things, write: use:things }
    fields: { thing_id: { references: things, required: true }, spare_id: { references: things } }
";
    let api = crate::declaration::read(text).unwrap().api;

    let example = super::example::body(api.resource("parts").unwrap());

    let names: Vec<&String> = example.as_object().unwrap().keys().collect();
    assert_eq!(names, ["thing_id"]);
}

#[test]
fn every_operation_has_a_name_of_its_own_a_scope_and_each_refusal() {
    let document = described();
    let mut names = HashSet::new();

    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap().iter().filter(|(name, _)| *name != "parameters") {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name.to_owned()), "{name} twice");
            let scopes = operation["security"][0]["oauth2"].as_array();
            assert!(path.starts_with("/operations") || scopes.unwrap().len() == 1, "{method} {path}");
            for status in ["400", "401", "403", "429", "503"] {
                assert!(operation["responses"].get(status).is_some(), "{method} {path} {status}");
            }
        }
    }

    for expected in ["listOrders", "createUserOrder", "payOrder", "refundPayment", "updateUser", "getOperation"] {
        assert!(names.contains(expected), "{expected} is missing: {names:?}");
    }
}

#[test]
fn links_between_operations_name_operations() {
    let document = described();
    let mut names = HashSet::new();
    each(String::new(), &document["paths"], &mut |_, value| {
        names.extend(value.get("responses").and_then(|_| value["operationId"].as_str()).map(str::to_owned));
    });

    let mut count = 0;
    each(String::new(), &document["paths"], &mut |place, value| {
        if let Some(name) = value.get("operationId").and_then(Value::as_str) {
            assert!(names.contains(name), "{place}: {name}");
            count += usize::from(value.get("responses").is_none());
        }
    });

    assert!(count > 10, "{count}");
}

#[test]
fn a_patch_is_described_in_each_of_its_media_types() {
    let document = described();

    let content = &document["paths"]["/orders/{id}"]["patch"]["requestBody"]["content"];

    let mut types: Vec<&String> = content.as_object().unwrap().keys().collect();
    types.sort();
    assert_eq!(types, ["application/json", "application/json-patch+json", "application/merge-patch+json"]);
}

#[test]
fn a_reader_of_the_standard_reads_it() {
    let text = described().to_string();

    let spec = oas3::from_json(&text).unwrap();

    assert_eq!(spec.openapi, "3.1.0");
    assert_eq!(spec.operations().count(), 30);
}

#[test]
fn what_the_server_refuses_in_every_value_is_refused_by_the_schemas_too() {
    let document = described();
    let valid = |schema: &str, body: Value| {
        let mut root = json!({ "$ref": format!("#/components/schemas/{schema}") });
        root["components"] = document["components"].clone();
        jsonschema::options().should_validate_formats(true).build(&root).unwrap().is_valid(&body)
    };
    let user = |address: Value| json!({ "name": "ada", "email": "ada@example.org", "address": address });

    assert!(valid("UserCreate", user(json!({ "city": "x", "floor": [1, { "door": null, "is_open": true }] }))));
    for address in [
        json!({ "city": "\0" }),
        json!({ "\0": 1 }),
        json!({ "floor": "\0" }),
        json!({ "floor": [{ "\0": 1 }] }),
        json!({ "floor": 9_007_199_254_740_992_u64 }),
    ] {
        assert!(!valid("UserCreate", user(address.clone())), "{address}");
        assert!(!valid("UserPatch", json!({ "address": address })), "{address}");
    }
    assert!(!valid("UserPatch", json!({ "tags": ["\0"] })));
    // In a merge patch, null takes a member away.
    assert!(valid("UserPatch", json!({ "address": { "city": null } })));
    assert!(!valid("UserCreate", user(json!({ "city": null }))));
    assert!(valid("OrderCreate", json!({ "amount": 9_007_199_254_740_991_u64 })));
    assert!(!valid("OrderCreate", json!({ "amount": 9_007_199_254_740_992_u64 })));
}

#[test]
fn filters_are_described_with_the_values_that_the_server_compares_with() {
    let document = described();
    let parameters = document["paths"]["/orders"]["get"]["parameters"].as_array().unwrap();
    let valid = |name: &str, value: Value| {
        let parameter = parameters.iter().find(|parameter| parameter["name"] == name).unwrap();
        jsonschema::options().should_validate_formats(true).build(&parameter["schema"]).unwrap().is_valid(&value)
    };

    assert!(valid("amount", json!([-1])));
    assert!(valid("user_id[ne]", json!(["null", "01a1de64-caa5-7000-960a-30f54568a5a5"])));
    assert!(valid("created_at[lt]", json!("2026-11-15")));
    assert!(valid("currency[in]", json!(["EUR", "EUR"])));
    assert!(valid("fields", json!(["id", "id"])));
    assert!(valid("sort", json!(["amount", "-created_at"])));
    assert!(!valid("created_at", json!(["null"])));
    assert!(!valid("currency[in]", json!([])));
    assert!(!valid("sort", json!(["amount", "-amount"])));
}
