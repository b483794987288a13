//! Documents: each rule has a pair that falls under it and one that does not.

pub(in crate::diff) mod arbitrary;
pub(in crate::diff) mod rules;

use serde_json::{Value, json};

use super::{compare, read};
use crate::diff::Finding;

/// A document with one operation, to which parts are added by pointer.
fn document(parts: &[(&str, Value)]) -> Value {
    let mut document = json!({
        "openapi": "3.1.0",
        "info": { "title": "t", "version": "1" },
        "paths": { "/users/{id}": { "post": {
            "operationId": "act",
            "parameters": [],
            "requestBody": { "content": { "application/json": { "schema": {
                "type": "object", "properties": { "name": { "type": "string" } } } } } },
            "responses": { "200": { "description": "ok", "headers": {}, "content": { "application/json": { "schema": {
                "type": "object", "properties": { "name": { "type": "string" } } } } } } },
        } } },
        "components": { "securitySchemes": {}, "schemas": {} },
    });
    for (pointer, value) in parts {
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let name = &name.replace("~1", "/");
        let parent = document.pointer_mut(&parent.replace("@", OPERATION)).unwrap();
        match value {
            Value::Null => {
                parent.as_object_mut().unwrap().remove(name);
            }
            value => {
                parent[name] = value.clone();
            }
        }
    }
    document
}

const OPERATION: &str = "/paths/~1users~1{id}/post";

fn names(found: &[Finding]) -> Vec<&'static str> {
    found.iter().map(|finding| finding.rule.name).collect()
}

#[test]
fn a_document_differs_from_itself_in_nothing() {
    let one = document(&[]);

    assert_eq!(compare(&one, &one, None), []);
}

#[test]
fn the_names_of_parameters_in_a_path_do_not_matter() {
    let old = json!({ "paths": { "/users/{id}": { "get": { "parameters": [
        { "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }] } } } });
    let new = json!({ "paths": { "/users/{user_id}": { "get": { "parameters": [
        { "name": "user_id", "in": "path", "required": true, "schema": { "type": "integer" } }] } } } });

    let found = compare(&old, &new, None);

    assert_eq!(names(&found), ["type-changed"]);
    assert_eq!(found[0].place, "GET /users/{id}");
}

#[test]
fn parameters_of_the_path_hold_for_its_operations() {
    let page = json!({ "name": "page", "in": "query", "schema": { "type": "integer" } });
    let inside = json!({ "paths": { "/a": { "get": { "parameters": [page] } } } });
    let outside = json!({ "paths": { "/a": { "get": {}, "parameters": [{ "$ref": "#/components/parameters/Page" }] } },
        "components": { "parameters": { "Page": page } } });

    assert_eq!(compare(&inside, &outside, None), []);
}

#[test]
fn yaml_and_json_are_the_same_document() {
    let yaml = "openapi: 3.0.3\npaths:\n  /a:\n    get: &get\n      responses:\n        200: {description: ok}\n    \
                post:\n      <<: *get\n      deprecated: true\n";
    let json = r#"{"openapi":"3.0.3","paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}},
        "post":{"deprecated":true,"responses":{"200":{"description":"ok"}}}}}}"#;

    assert_eq!(read(yaml).unwrap(), read(json).unwrap());
}

#[test]
fn what_cannot_be_read_is_said_with_its_line() {
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n\
                d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]\n";

    assert_eq!(read("{\n  \"a\": 1,\n").unwrap_err().line, 3);
    assert_eq!(read("").unwrap_err().why, "there is nothing in it");
    assert_eq!(read(bomb).unwrap_err().why, "aliases repeat too much");
    assert!(read(&"[".repeat(10_000)).is_err());
    assert!(read(&"{\"a\":".repeat(10_000)).is_err());
    assert!(read("a: *b").is_err());
}

#[test]
fn a_change_in_a_shared_schema_is_told_where_it_is_used() {
    let with = |kind: &str| {
        let body = json!({ "content": { "application/json": { "schema": { "$ref": "#/components/schemas/User" } } } });
        json!({ "paths": {
            "/a": { "get": { "responses": { "200": body } } },
            "/b": { "post": { "requestBody": body } },
        }, "components": { "schemas": { "User": { "properties": { "age": { "type": kind } } } } } })
    };

    let found = compare(&with("integer"), &with("number"), None);

    let told: Vec<(&str, &str)> = found.iter().map(|one| (one.rule.name, one.place.as_str())).collect();
    assert_eq!(told, [("type-changed", "GET /a"), ("validation-loosened", "POST /b")]);
    assert_eq!(found[0].told, "In the answer 200, `age`: integer → number.");
}

#[test]
fn a_charset_makes_no_other_media_type() {
    let content = "@/responses/200/content";
    let old = document(&[(content, json!({ "application/json": {} }))]);
    let new = document(&[(content, json!({ "Application/JSON; charset=utf-8": {} }))]);
    let other = document(&[(content, json!({ "application/json; version=2": {} }))]);

    assert_eq!(compare(&old, &new, None), []);
    assert_eq!(names(&compare(&old, &other, None)), ["media-type-removed", "media-type-added"]);
}

#[test]
fn clients_of_a_webhook_read_what_is_sent() {
    let hook = |schema: Value| {
        let body = json!({ "content": { "application/json": { "schema": schema } } });
        json!({ "webhooks": { "made": { "post": { "requestBody": body } } } })
    };
    let narrow = hook(json!({ "type": "string", "maxLength": 3 }));
    let wide = hook(json!({ "type": "string" }));

    assert_eq!(names(&compare(&narrow, &wide, None)), ["answer-widened"]);
    assert_eq!(names(&compare(&wide, &narrow, None)), ["answer-narrowed"]);
}

#[test]
fn what_is_too_much_to_tell_is_said_to_be() {
    let large = |kind: &str| {
        let members = (0..1_100).map(|place| (format!("p{place}"), json!({ "type": kind })));
        let mut members: serde_json::Map<String, Value> = members.collect();
        members.insert("more".to_owned(), json!({ "$ref": "#/components/schemas/More" }));
        document(&[
            ("/components/schemas/More", json!({ "type": kind })),
            ("@/requestBody/content/application~1json/schema", json!({ "type": "object", "properties": members })),
        ])
    };

    let found = compare(&large("string"), &large("integer"), None);

    assert_eq!(found.len(), 1_001);
    assert_eq!(found.last().map(|last| last.rule.name), Some("not-compared"));
}
