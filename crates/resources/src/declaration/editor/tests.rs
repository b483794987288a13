//! The committed schema is the generated one, takes the shop and refuses what is wrong.

use super::*;
use crate::declaration::report::Report;
use crate::declaration::yaml;
use crate::shop;

fn accepts(text: &str) -> bool {
    let value = yaml::parse(text, &mut Report::default()).unwrap().to_json();
    jsonschema::validator_for(&editor_schema()).unwrap().is_valid(&value)
}

#[test]
fn the_committed_schema_is_the_generated_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/shop/api.schema.json");

    let committed: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();

    assert!(
        committed == editor_schema(),
        "examples/shop/api.schema.json is out of date; write it with `valetkey api schema`"
    );
}

#[test]
fn the_schema_is_one_and_accepts_the_shop() {
    assert!(jsonschema::meta::is_valid(&editor_schema()));
    assert!(accepts(shop::DECLARATION));
}

#[test]
fn the_schema_refuses_shapes_that_are_wrong() {
    let good = "api: { name: a }\nscopes: { r: Read }\nresources: { things: { fields: { a: { type: string } } } }";
    assert!(accepts(good));

    for (from, to) in [
        ("resources:", "resorces:"),
        ("name: a", "name: A"),
        ("name: a", "title: a"),
        ("things:", "Things:"),
        ("fields:", "field:"),
        ("a: {", "id: {"),
        ("type: string", "type: strng"),
        ("type: string", "fliter: true"),
        ("type: string", "required: yes"),
        ("type: string", "minLength: -1"),
        ("type: string", "set: now"),
        ("type: string", "references: { on_delete: explode, resource: things }"),
        ("r: Read", "r: { sensitive: true }"),
        ("fields:", "operations: [fetch], fields:"),
        ("fields:", "actions: { go: { then: x } }, fields:"),
        ("fields:", "actions: { go: { handler: ftp://x } }, fields:"),
        ("fields:", "require: { if_match: [create] }, fields:"),
    ] {
        let wrong = good.replacen(from, to, 1);
        assert_ne!(wrong, good);
        assert!(!accepts(&wrong), "{wrong}");
    }
}

#[test]
fn every_key_of_a_resource_is_in_the_schema() {
    let schema = editor_schema();
    let properties = schema["definitions"]["resource"]["properties"].as_object().unwrap();

    let known: std::collections::BTreeSet<&str> = crate::declaration::resource::KEYS.into_iter().collect();
    assert_eq!(properties.keys().map(String::as_str).collect::<std::collections::BTreeSet<_>>(), known);
}
