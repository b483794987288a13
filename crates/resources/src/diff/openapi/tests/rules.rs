//! Rule by rule: what falls under it, and what only looks so.

use serde_json::{Value, json};

use super::{compare, document, names};

const REQUEST: &str = "@/requestBody/content/application~1json/schema/properties/name";
const ANSWER: &str = "@/responses/200/content/application~1json/schema/properties/name";

/// The rule, what there was, what falls under it, what does not.
type Case = (&'static str, Vec<(&'static str, Value)>, Vec<(&'static str, Value)>, Vec<(&'static str, Value)>);

fn query(extra: Value) -> Value {
    let mut parameter = json!({ "name": "q", "in": "query", "schema": { "type": "string" } });
    parameter.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    json!([parameter])
}

fn cases() -> Vec<Case> {
    let text = || json!({ "type": "string" });
    let flow = |scopes: Value| json!({ "o": { "type": "oauth2", "flows": { "clientCredentials": { "tokenUrl": "/t", "scopes": scopes } } } });
    vec![
        (
            "field-removed",
            vec![],
            vec![(ANSWER, Value::Null)],
            vec![(REQUEST, json!({ "type": "string", "title": "t" }))],
        ),
        ("type-changed", vec![], vec![(REQUEST, json!({ "type": "integer" }))], vec![(REQUEST, json!({}))]),
        (
            "required-field-added",
            vec![],
            vec![(
                "@/requestBody/content/application~1json/schema",
                json!({ "type": "object", "required": ["age"], "properties": { "name": text(), "age": text() } }),
            )],
            vec![(
                "@/responses/200/content/application~1json/schema",
                json!({ "type": "object", "required": ["age"], "properties": { "name": text(), "age": text() } }),
            )],
        ),
        (
            "field-became-required",
            vec![],
            vec![("@/requestBody/content/application~1json/schema/required", json!(["name"]))],
            vec![("@/responses/200/content/application~1json/schema/required", json!(["name"]))],
        ),
        (
            "field-optional",
            vec![("@/responses/200/content/application~1json/schema/required", json!(["name"]))],
            vec![],
            vec![("@/responses/200/content/application~1json/schema/required", json!(["name", "other"]))],
        ),
        (
            "enum-value-removed",
            vec![(REQUEST, json!({ "enum": ["a", "b"] }))],
            vec![(REQUEST, json!({ "enum": ["a"] }))],
            vec![(REQUEST, json!({ "enum": ["b", "a", "c"] }))],
        ),
        ("endpoint-removed", vec![], vec![("/paths/~1users~1{id}", Value::Null)], vec![("@/tags", json!(["x"]))]),
        ("status-changed", vec![], vec![("@/responses", json!({ "201": {} }))], vec![("@/responses/404", json!({}))]),
        (
            "authentication-changed",
            vec![],
            vec![("/security", json!([{ "key": [] }]))],
            vec![("/security", json!([{ "key": [] }, {}]))],
        ),
        (
            "scope-needed",
            vec![("/security", json!([{ "o": ["read"] }]))],
            vec![("/security", json!([{ "o": ["read", "write"] }]))],
            vec![("/security", json!([{ "o": [] }]))],
        ),
        (
            "scope-removed",
            vec![("/components/securitySchemes", flow(json!({ "a": "", "b": "" })))],
            vec![("/components/securitySchemes", flow(json!({ "a": "" })))],
            vec![("/components/securitySchemes", flow(json!({ "a": "other words", "b": "" })))],
        ),
        (
            "validation-tightened",
            vec![],
            vec![(REQUEST, json!({ "type": "string", "maxLength": 3 }))],
            vec![(ANSWER, json!({ "type": "string", "maxLength": 3 }))],
        ),
        (
            "answer-widened",
            vec![(ANSWER, json!({ "type": "string", "maxLength": 3 }))],
            vec![(ANSWER, json!({ "type": "string", "maxLength": 4 }))],
            vec![(ANSWER, json!({ "type": "string", "maxLength": 2 }))],
        ),
        (
            "null-refused",
            vec![(REQUEST, json!({ "type": ["string", "null"] }))],
            vec![],
            vec![(REQUEST, json!({ "type": "string", "nullable": true }))],
        ),
        (
            "field-nullable",
            vec![],
            vec![(ANSWER, json!({ "type": ["string", "null"] }))],
            vec![(REQUEST, json!({ "type": ["string", "null"] }))],
        ),
        (
            "default-changed",
            vec![("@/parameters", query(json!({ "schema": { "type": "string", "default": "a" } })))],
            vec![("@/parameters", query(json!({ "schema": { "type": "string", "default": "b" } })))],
            vec![("@/parameters", query(json!({})))],
        ),
        (
            "field-read-only",
            vec![],
            vec![(REQUEST, json!({ "type": "string", "readOnly": true }))],
            vec![(ANSWER, json!({ "type": "string", "readOnly": true }))],
        ),
        (
            "parameter-removed",
            vec![("@/parameters", query(json!({})))],
            vec![],
            vec![("@/parameters", query(json!({ "description": "d" })))],
        ),
        (
            "required-parameter-added",
            vec![],
            vec![("@/parameters", query(json!({ "required": true })))],
            vec![("@/parameters", query(json!({})))],
        ),
        (
            "parameter-became-required",
            vec![("@/parameters", query(json!({})))],
            vec![("@/parameters", query(json!({ "required": true })))],
            vec![("@/parameters", query(json!({ "required": false })))],
        ),
        (
            "parameter-restyled",
            vec![("@/parameters", query(json!({ "schema": { "type": "array" } })))],
            vec![("@/parameters", query(json!({ "schema": { "type": "array" }, "explode": false })))],
            vec![("@/parameters", query(json!({ "schema": { "type": "array" }, "style": "form" })))],
        ),
        (
            "body-required",
            vec![],
            vec![("@/requestBody/required", json!(true))],
            vec![("@/requestBody/required", json!(false))],
        ),
        ("body-removed", vec![], vec![("@/requestBody", Value::Null)], vec![("@/requestBody/description", json!("d"))]),
        (
            "media-type-removed",
            vec![("@/responses/200/content/text~1plain", json!({}))],
            vec![],
            vec![("@/responses/200/content/text~1plain", json!({})), ("@/responses/200/content/text~1csv", json!({}))],
        ),
        (
            "response-header-removed",
            vec![("@/responses/200/headers", json!({ "ETag": {} }))],
            vec![],
            vec![("@/responses/200/headers", json!({ "etag": {} }))],
        ),
        (
            "sunset-advanced",
            vec![("@/deprecated", json!(true)), ("@/x-sunset", json!("2030-06-01"))],
            vec![("@/deprecated", json!(true)), ("@/x-sunset", json!("2030-05-01"))],
            vec![("@/deprecated", json!(true)), ("@/x-sunset", json!("2030-07-01"))],
        ),
        (
            "webhook-removed",
            vec![("/webhooks", json!({ "made": {} }))],
            vec![],
            vec![("/webhooks", json!({ "made": {} }))],
        ),
        ("webhook-added", vec![], vec![("/webhooks", json!({ "made": {} }))], vec![]),
        ("optional-field-added", vec![(ANSWER, Value::Null)], vec![], vec![(ANSWER, Value::Null)]),
        ("endpoint-added", vec![], vec![("/paths/~1new", json!({ "get": {} }))], vec![("/paths/~1new", json!({}))]),
        (
            "optional-parameter-added",
            vec![],
            vec![("@/parameters", query(json!({})))],
            vec![("@/parameters", query(json!({ "required": true })))],
        ),
        (
            "response-header-added",
            vec![],
            vec![("@/responses/200/headers", json!({ "ETag": {} }))],
            vec![("@/responses/200/description", json!("d"))],
        ),
        (
            "enum-value-added",
            vec![(ANSWER, json!({ "enum": ["a"] }))],
            vec![(ANSWER, json!({ "enum": ["a", "b"] }))],
            vec![(ANSWER, json!({ "enum": ["a"], "type": "string" }))],
        ),
        (
            "validation-loosened",
            vec![(REQUEST, json!({ "type": "string", "minLength": 3 }))],
            vec![(REQUEST, json!({ "type": "string", "minLength": 2 }))],
            vec![(REQUEST, json!({ "type": "string", "minLength": 4 }))],
        ),
        (
            "answer-narrowed",
            vec![],
            vec![(ANSWER, json!({ "type": "string", "minLength": 2 }))],
            vec![(REQUEST, json!({ "type": "string", "minLength": 2 }))],
        ),
        (
            "null-accepted",
            vec![],
            vec![(REQUEST, json!({ "type": ["string", "null"] }))],
            vec![(ANSWER, json!({ "type": ["string", "null"] }))],
        ),
        (
            "field-never-null",
            vec![(ANSWER, json!({ "type": ["string", "null"] }))],
            vec![],
            vec![(REQUEST, text())].into_iter().chain([(ANSWER, json!({ "type": ["null", "string"] }))]).collect(),
        ),
        (
            "field-became-optional",
            vec![("@/requestBody/content/application~1json/schema/required", json!(["name"]))],
            vec![],
            vec![("@/requestBody/content/application~1json/schema/required", json!(["name"]))],
        ),
        (
            "field-always-present",
            vec![],
            vec![("@/responses/200/content/application~1json/schema/required", json!(["name"]))],
            vec![("@/responses/200/content/application~1json/schema/required", json!([]))],
        ),
        (
            "field-writable",
            vec![(REQUEST, json!({ "type": "string", "readOnly": true }))],
            vec![],
            vec![(REQUEST, json!({ "type": "string", "readOnly": true, "minLength": 1 }))],
        ),
        (
            "scope-dropped",
            vec![("/security", json!([{ "o": ["read"] }]))],
            vec![("/security", json!([{ "o": [] }]))],
            vec![("/security", json!([{ "o": ["read", "write"] }]))],
        ),
        (
            "scope-added",
            vec![("/components/securitySchemes", flow(json!({ "a": "" })))],
            vec![("/components/securitySchemes", flow(json!({ "a": "", "b": "" })))],
            vec![("/components/securitySchemes", flow(json!({ "a": "b" })))],
        ),
        (
            "authentication-added",
            vec![("/security", json!([{ "key": [] }]))],
            vec![("/security", json!([{ "key": [] }, { "other": [] }]))],
            vec![("/security", json!([{ "key": [], "other": [] }]))]
                .into_iter()
                .chain([("/security", json!([{ "key": ["x"] }]))])
                .collect(),
        ),
        (
            "authentication-moved",
            vec![("/components/securitySchemes", flow(json!({})))],
            vec![(
                "/components/securitySchemes",
                json!({ "o": { "type": "oauth2", "flows": { "clientCredentials": { "tokenUrl": "/u", "scopes": {} } } } }),
            )],
            vec![("/components/securitySchemes", flow(json!({ "a": "" })))],
        ),
        ("status-added", vec![], vec![("@/responses/202", json!({}))], vec![("@/responses/404", json!({}))]),
        (
            "media-type-added",
            vec![],
            vec![("@/requestBody/content/text~1plain", json!({}))],
            vec![("@/requestBody/content/application~1json/example", json!({}))],
        ),
        (
            "parameter-became-optional",
            vec![("@/parameters", query(json!({ "required": true })))],
            vec![("@/parameters", query(json!({})))],
            vec![("@/parameters", query(json!({ "required": true, "description": "d" })))],
        ),
        (
            "body-optional",
            vec![("@/requestBody/required", json!(true))],
            vec![],
            vec![("@/requestBody/required", json!(true))],
        ),
        (
            "default-stated",
            vec![],
            vec![(REQUEST, json!({ "type": "string", "default": "a" }))],
            vec![(ANSWER, json!({ "type": "string", "default": "a" }))],
        ),
        ("endpoint-deprecated", vec![], vec![("@/deprecated", json!(true))], vec![("@/deprecated", json!(false))]),
        ("endpoint-retained", vec![("@/deprecated", json!(true))], vec![], vec![("@/deprecated", json!(true))]),
        (
            "endpoint-expired",
            vec![("@/deprecated", json!(true)), ("@/x-sunset", json!("2026-01-01"))],
            vec![("/paths", json!({}))],
            vec![],
        ),
        ("error-status-changed", vec![], vec![("@/responses/404", json!({}))], vec![("@/responses/204", json!({}))]),
        ("operation-id-changed", vec![], vec![("@/operationId", json!("b"))], vec![("@/operationId", Value::Null)]),
    ]
}

#[test]
fn every_rule_finds_what_it_is_for_and_nothing_that_only_looks_so() {
    let today = "2026-11-15".parse().ok();
    for (rule, old, falls, does_not) in cases() {
        let before = document(&old);
        // Parts that are not named again are as in the bare document, so that leaving one out takes it back.
        let found = compare(&before, &document(&falls), today);
        assert!(names(&found).contains(&rule), "{rule} is not found: {found:?}");

        let found = compare(&before, &document(&does_not), today);
        assert!(!names(&found).contains(&rule), "{rule} is found: {found:?}");
    }
}

/// The rules that have a case here.
pub(in crate::diff) fn covered() -> Vec<&'static str> {
    cases().into_iter().map(|case| case.0).collect()
}
