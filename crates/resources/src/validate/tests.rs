//! Bodies become documents, or every fault in them is told.

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use valetkey_rest::Problem;

use super::{Ground, Rules, Stamps};
use crate::model::{Field, Resource};
use crate::shop;

const ID: Uuid = Uuid::from_u128(7);

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other}"),
    }
}

fn compose(resource: &str, sent: Value, ground: Ground<'_>) -> Result<Value, Problem> {
    let api = shop::api();
    let of = api.resource(resource).unwrap();
    let stamps = Stamps { now: Timestamp::UNIX_EPOCH, owner: Some("ada") };
    Rules::of(of).unwrap().compose(of, object(sent), ground, stamps).map(Value::Object)
}

fn told(problem: &Problem) -> (u16, Vec<String>) {
    let fields = problem.fields().iter();
    let told = fields.map(|field| format!("{} {:?}", field.pointer.as_deref().unwrap_or_default(), field.code));
    (problem.status_code().as_u16(), told.collect())
}

#[test]
fn a_new_row_gets_defaults_stamps_and_nulls() {
    let order = compose("orders", json!({ "amount": 5 }), Ground::New).unwrap();

    let expected = json!({
        "user_id": null, "amount": 5, "currency": "EUR", "status": "pending", "note": null,
        "created_at": "1970-01-01T00:00:00Z",
    });
    assert_eq!(order, expected);
}

#[test]
fn faults_of_nested_values_have_their_place() {
    let sent =
        json!({ "name": "A", "email": "a@example.org", "tags": ["x", 7], "address": { "city": 1, "a/b": "\u{0}" } });

    let refused = compose("users", sent, Ground::New).unwrap_err();

    let expected =
        ["/address/a~1b InvalidFormat", "/address/city InvalidType", "/tags/1 InvalidType"].map(str::to_owned).to_vec();
    assert_eq!(told(&refused), (422, expected));
    assert_eq!(refused.fields()[0].field, "address.a/b");
}

#[test]
fn one_missing_field_makes_it_a_400() {
    let refused = compose("users", json!({ "name": 7, "links": {} }), Ground::New).unwrap_err();

    let (status, fields) = told(&refused);
    assert_eq!(status, 400);
    assert_eq!(fields, ["/links ReadOnly", "/name InvalidType", "/email Required"]);
}

#[test]
fn a_body_with_thousands_of_faults_is_told_of_some() {
    let sent: Map<String, Value> = (0..5_000).map(|number| (format!("x{number}"), json!(1))).collect();

    let refused = compose("users", Value::Object(sent), Ground::New).unwrap_err();

    assert_eq!(refused.fields().len(), 50);
    assert!(refused.detail_text().unwrap().contains("4952 more"), "{refused}");
}

#[test]
fn of_a_field_with_very_many_faults_the_first_is_told() {
    let user = |tags: usize| json!({ "name": "A", "email": "a@example.org", "tags": vec![7; tags] });

    let many = compose("users", user(20_000), Ground::New).unwrap_err();
    let few = compose("users", user(19_000), Ground::New).unwrap_err();

    assert_eq!(told(&many), (422, vec!["/tags/0 InvalidType".to_owned()]));
    assert_eq!(told(&few).1.len(), 50);
}

#[test]
fn what_is_read_only_may_be_sent_back_as_it_was_and_not_otherwise() {
    let before = object(compose("orders", json!({ "amount": 5 }), Ground::New).unwrap());
    let ground = Ground::Replaced { id: ID, before: &before };
    let mut back = before.clone();
    back.insert("id".to_owned(), json!(ID.hyphenated().to_string()));
    back.insert("links".to_owned(), json!({ "self": "/api/orders/x" }));

    let same = compose("orders", Value::Object(back.clone()), ground).unwrap();
    back.insert("status".to_owned(), json!("paid"));
    let changed = compose("orders", Value::Object(back), ground).unwrap_err();

    assert_eq!(same, Value::Object(before.clone()));
    assert_eq!(told(&changed), (422, vec!["/status ReadOnly".to_owned()]));
}

#[test]
fn what_a_patch_removes_falls_back_or_is_missed() {
    let before =
        object(compose("orders", json!({ "amount": 5, "currency": "USD", "note": "n" }), Ground::New).unwrap());
    let ground = Ground::Patched { id: ID, before: &before };
    let without = |gone: &[&str]| {
        let mut patched = before.clone();
        patched.insert("id".to_owned(), json!(ID.hyphenated().to_string()));
        patched.retain(|name, _| !gone.contains(&name.as_str()));
        Value::Object(patched)
    };

    let fallen_back = compose("orders", without(&["currency", "note"]), ground).unwrap();
    let missed = compose("orders", without(&["amount", "status", "id"]), ground).unwrap_err();

    assert_eq!((&fallen_back["currency"], &fallen_back["note"]), (&json!("EUR"), &json!(null)));
    assert_eq!(told(&missed), (400, vec!["/id ReadOnly".into(), "/amount Required".into(), "/status ReadOnly".into()]));
}

#[test]
fn numbers_beyond_two_to_the_53_are_out_of_range_wherever_they_stand() {
    for number in ["9007199254740992", "-9007199254740993", "12345678901234567890123", "1e300"] {
        let sent: Value = serde_json::from_str(&format!(r#"{{"amount":1,"note":{{"deep":[{number}]}}}}"#)).unwrap();

        let refused = compose("orders", sent, Ground::New).unwrap_err();

        assert_eq!(told(&refused).1, ["/note/deep/0 OutOfRange", "/note InvalidType"], "{number}");
    }
}

#[test]
fn what_a_caller_left_as_it_was_is_not_judged_again() {
    let mut before = object(compose("orders", json!({ "amount": 5, "note": "n" }), Ground::New).unwrap());
    // As a row is seen in a version whose schema it does not fit.
    before.insert("amount".to_owned(), json!(-5));
    let ground = Ground::Patched { id: ID, before: &before };
    let patched = |name: &str, value: Value| {
        let mut patched = before.clone();
        patched.insert("id".to_owned(), json!(ID.hyphenated().to_string()));
        patched.insert(name.to_owned(), value);
        Value::Object(patched)
    };

    let noted = compose("orders", patched("note", json!("other")), ground).unwrap();
    let refused = compose("orders", patched("amount", json!(-6)), ground).unwrap_err();

    assert_eq!((&noted["note"], &noted["amount"]), (&json!("other"), &json!(-5)));
    assert_eq!(told(&refused), (422, vec!["/amount OutOfRange".to_owned()]));
}

#[test]
fn a_tree_of_choices_is_refused_without_trying_each_way_through_it() {
    let node = json!({ "$ref": "#/$defs/node", "$defs": { "node": { "oneOf": [
        { "type": "object", "required": ["and"], "properties": { "left": { "$ref": "#/$defs/node" } } },
        { "type": "object", "required": ["or"], "properties": { "left": { "$ref": "#/$defs/node" } } },
        { "type": "string" },
    ] } } });
    let of = Resource::new("trees", "tree", vec![Field::new("node", node)]);
    let rules = Rules::of(&of).unwrap();
    let faults = |depth: usize| {
        let tree = (0..depth).fold(json!(7), |inner, _| json!({ "and": 1, "left": inner }));
        let stamps = Stamps { now: Timestamp::UNIX_EPOCH, owner: None };
        let refused = rules.compose(&of, object(json!({ "node": tree })), Ground::New, stamps).unwrap_err();
        refused.fields().iter().map(|field| field.detail.clone().unwrap_or_default()).collect::<Vec<_>>()
    };

    assert_ne!(faults(2), ["It fits none of the forms that are declared for it."], "a small one is told in detail");
    assert_eq!(faults(60), ["It fits none of the forms that are declared for it."]);
}
