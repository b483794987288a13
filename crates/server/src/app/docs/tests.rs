//! The page says what the declaration says: fields with their marks, operations with everything they take.

use std::sync::Arc;

use serde_json::{Value, json};
use valetkey_pages::api_docs::{ApiDocsPage, DocsOperation, DocsParameter, DocsPlace};
use valetkey_resources::service::Edition;
use valetkey_resources::shop;

use super::{kind, view};
use crate::app::api;

fn newest() -> Edition {
    let api = shop::api();
    let version = api.versions.last().unwrap().clone();
    Edition { version, api: Arc::new(api), served: Vec::new() }
}

fn shown() -> ApiDocsPage {
    view(&newest(), "/api", "https://shop.example", Arc::default(), false)
}

fn operation(page: &ApiDocsPage, id: &str) -> DocsOperation {
    let groups = page.resources.iter().flat_map(|resource| &resource.groups);
    groups.flat_map(|group| &group.operations).find(|operation| operation.id == id).unwrap().clone()
}

fn parameter(page: &ApiDocsPage, id: &str, name: &str) -> DocsParameter {
    operation(page, id).parameters.into_iter().find(|parameter| parameter.name == name).unwrap()
}

#[test]
fn every_operation_of_the_document_is_shown_once() {
    let page = shown();
    let document = api::openapi(&shop::api(), 1, "https://shop.example", "/api");

    let items = document["paths"].as_object().unwrap().values().filter_map(Value::as_object).flatten();
    let mut described: Vec<_> = items.filter_map(|(_, of)| of.get("operationId")?.as_str()).collect();
    let groups = page.resources.iter().flat_map(|resource| &resource.groups);
    let mut shown: Vec<_> = groups.flat_map(|group| &group.operations).map(|found| found.id.as_str()).collect();

    described.sort_unstable();
    shown.sort_unstable();
    assert_eq!(shown, described);
}

#[test]
fn a_nested_address_stands_in_a_group_of_its_own() {
    let page = shown();

    let orders = page.resources.iter().find(|resource| resource.name == "orders").unwrap();

    assert!(orders.is_owned);
    assert_eq!(orders.groups[0].under, None);
    assert_eq!(orders.groups[1].under.as_deref(), Some("/api/users/{user_id}"));
    let first: Vec<_> = orders.groups[0].operations.iter().map(|found| found.id.as_str()).collect();
    let expected = "listOrders createOrder getOrder replaceOrder updateOrder deleteOrder payOrder cancelOrder";
    assert_eq!(first.join(" "), expected);
}

#[test]
fn fields_have_the_marks_of_the_declaration() {
    let page = shown();
    let orders = page.resources.iter().find(|resource| resource.name == "orders").unwrap();
    let field = |name: &str| orders.fields.iter().find(|field| field.name == name).unwrap();

    assert!(field("id").read_only);
    assert_eq!(field("amount").kind, "integer, at least 0");
    assert!(field("amount").required && field("amount").filter && field("amount").sort);
    assert_eq!(
        (field("currency").kind.as_str(), field("currency").default.as_deref()),
        ("EUR | USD | GBP", Some("\"EUR\""))
    );
    assert!(field("status").read_only && field("created_at").read_only && field("note").search);
    assert_eq!(field("user_id").references.as_deref(), Some("users"));
}

#[test]
fn operators_belong_to_their_field_and_paging_is_told_by_its_members() {
    let page = shown();

    let amount = parameter(&page, "listOrders", "amount");
    let names: Vec<_> = operation(&page, "listOrders").parameters.into_iter().map(|found| found.name).collect();

    assert_eq!(amount.operators, ["ne", "in", "gt", "gte", "lt", "lte"]);
    assert_eq!(parameter(&page, "listOrders", "currency").choices, ["EUR", "USD", "GBP"]);
    assert!(parameter(&page, "listOrders", "sort").choices.is_empty());
    for member in ["cursor", "limit", "offset", "page", "size", "q", "include", "fields"] {
        assert_eq!(names.iter().filter(|name| *name == member).count(), 1, "{member} in {names:?}");
    }
    assert!(names.iter().all(|name| !name.contains('[')), "{names:?}");
}

#[test]
fn a_part_of_the_path_knows_whose_id_it_is() {
    let page = shown();

    let above = parameter(&page, "payUserOrder", "user_id");
    let id = parameter(&page, "payUserOrder", "id");

    assert_eq!((above.place, above.id_of.as_deref()), (DocsPlace::Path, Some("users")));
    assert_eq!(id.id_of.as_deref(), Some("orders"));
    assert_eq!(parameter(&page, "getOperation", "id").id_of.as_deref(), Some("operations"));
}

#[test]
fn a_patch_is_shown_in_both_media_types() {
    let bodies = operation(&shown(), "updateOrder").bodies;

    let types: Vec<_> = bodies.iter().map(|body| body.media_type.as_str()).collect();
    assert_eq!(types, ["application/merge-patch+json", "application/json-patch+json"]);
    let patch: Value = serde_json::from_str(&bodies[1].example).unwrap();
    assert_eq!(patch, json!([{ "op": "replace", "path": "/amount", "value": 1 }]));
    assert!(operation(&shown(), "listOrders").bodies.is_empty());
}

#[test]
fn a_schema_is_told_in_a_few_words() {
    for (schema, words) in [
        (json!({ "type": "string", "format": "email" }), "string (email)"),
        (json!({ "type": "string", "minLength": 1, "maxLength": 200 }), "string, 1 to 200 characters"),
        (json!({ "type": "array", "items": { "type": "string" } }), "array of string"),
        (json!({ "type": ["integer", "null"], "maximum": 9 }), "integer, at most 9"),
        (json!({ "enum": [1, "a", null] }), "1 | a | null"),
        (json!({}), "any JSON"),
        (json!({ "type": "string", "pattern": "^[^\\u0000]*$" }), "string"),
    ] {
        assert_eq!(kind::of(&schema), words);
    }
}
