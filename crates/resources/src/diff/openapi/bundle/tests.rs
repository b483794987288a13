//! Documents of several files, and what is said where one is missing.

use serde_json::{Value, json};

use super::{Dangling, bundle};
use crate::diff::openapi::compare;

fn load(name: &str) -> Result<Value, String> {
    match name {
        "parts/user.yaml" => Ok(json!({
            "User": { "type": "object", "properties": {
                "name": { "$ref": "#/Name" }, "boss": { "$ref": "#/User" }, "home": { "$ref": "../address.yaml" } } },
            "Name": { "type": "string", "maxLength": 9 },
        })),
        "address.yaml" => Ok(json!({ "type": "object", "properties": { "city": { "type": "string" } } })),
        _ => Err("there is no such file".to_owned()),
    }
}

fn document(schema: &Value) -> Value {
    json!({ "openapi": "3.1.0", "info": {}, "paths": { "/users": { "post": {
        "requestBody": { "content": { "application/json": { "schema": schema } } }, "responses": {} } } } })
}

fn bundled(schema: &Value) -> Result<Value, Dangling> {
    let mut document = document(schema);
    bundle(&mut document, &mut load).map(|()| document)
}

#[test]
fn what_stands_in_other_files_is_compared_as_if_it_stood_here() {
    let apart = bundled(&json!({ "$ref": "./parts/user.yaml#/User" })).unwrap();
    let user = |city: &str| {
        document(&json!({ "type": "object", "properties": {
            "name": { "type": "string", "maxLength": 9 },
            "boss": { "$ref": "#/paths/~1users/post/requestBody/content/application~1json/schema" },
            "home": { "type": "object", "properties": { "city": { "type": city } } } } }))
    };

    assert_eq!(compare(&apart, &user("string"), None), []);
    let found = compare(&apart, &user("integer"), None);
    assert!(found.iter().any(|one| one.rule.name == "type-changed" && one.told.contains("home.city")), "{found:?}");
}

#[test]
fn a_file_that_is_not_there_is_named_with_where_it_is_asked_for() {
    let told = |schema: Value| bundled(&schema).unwrap_err().to_string();

    let missing = told(json!({ "$ref": "other.yaml#/A" }));
    assert_eq!(missing, "`$ref: other.yaml#/A` cannot be followed: there is no such file");
    let fetched = told(json!({ "$ref": "https://api.example/user.json" }));
    assert!(fetched.contains("nothing is fetched from the network"), "{fetched}");
}

#[test]
fn what_only_looks_like_a_reference_is_none() {
    let plain = json!({ "type": "object", "properties": { "$ref": { "type": "string" } },
        "example": { "$ref": "other.yaml" }, "default": { "$ref": "https://api.example" } });

    assert_eq!(bundled(&plain).unwrap(), document(&plain));
}
