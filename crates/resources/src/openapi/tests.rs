//! The description agrees with the declaration, with itself and with the standard.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::{Surroundings, document};
use crate::shop;

fn described() -> Value {
    let at = Surroundings {
        base_url: "https://shop.example/api".to_owned(),
        issuer: "https://shop.example".to_owned(),
        version: 1,
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
