//! What all operations share: problems, links, monitors, security.

use serde_json::{Map, Value, json};

use super::{Surroundings, body, headers, parameters, reference, responses, values};
use crate::model::Api;

/// The components.
pub(super) fn components(api: &Api, at: &Surroundings) -> Value {
    let mut schemas = shared();
    for resource in &api.resources {
        schemas.extend(body::schemas(resource));
    }
    json!({
        "schemas": schemas,
        "parameters": parameters::shared(),
        "headers": headers::headers(),
        "responses": responses::components(),
        "securitySchemes": security(api, at),
    })
}

fn security(api: &Api, at: &Surroundings) -> Value {
    let scopes: Map<String, Value> =
        api.scopes.iter().map(|scope| (scope.name.clone(), json!(scope.description))).collect();
    let issuer = &at.issuer;
    json!({
        "bearer": { "type": "http", "scheme": "bearer", "description": "An access token of the authorization server, or an API key of a service; a key may stand in `X-API-Key` instead, but not beside a token." },
        "oauth2": {
            "type": "oauth2",
            "flows": {
                "authorizationCode": {
                    "authorizationUrl": format!("{issuer}/authorize"),
                    "tokenUrl": format!("{issuer}/token"),
                    "refreshUrl": format!("{issuer}/token"),
                    "scopes": scopes,
                },
                "clientCredentials": { "tokenUrl": format!("{issuer}/token"), "scopes": scopes },
            },
        },
        "openIdConnect": {
            "type": "openIdConnect",
            "openIdConnectUrl": format!("{issuer}/.well-known/openid-configuration"),
        },
    })
}

fn shared() -> Map<String, Value> {
    let path = json!({ "type": "string", "format": "uri-reference" });
    let maybe_path = json!({ "type": ["string", "null"], "format": "uri-reference" });
    let schemas = json!({
        "Problem": {
            "type": "object",
            "description": "What went wrong (RFC 9457).",
            "required": ["type", "title", "status"],
            "properties": {
                "type": { "type": "string", "format": "uri", "description": "The kind of problem; a page explains it." },
                "title": { "type": "string" },
                "status": { "type": "integer" },
                "detail": { "type": "string", "description": "What to know about this occurrence." },
                "instance": { "type": "string", "description": "Names this occurrence, also in the log of the server." },
                "errors": { "type": "array", "items": reference("schemas", "FieldError") },
            },
            "examples": [{
                "type": format!("{}/problems/unprocessable", "https://api.example"),
                "title": "Unprocessable content",
                "status": 422,
                "detail": "The body does not pass validation; `errors` names each field that is wrong.",
                "instance": "urn:uuid:01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e",
                "errors": [{ "field": "amount", "code": "OUT_OF_RANGE", "pointer": "/amount" }],
            }],
        },
        "FieldError": {
            "type": "object",
            "required": ["field", "code"],
            "properties": {
                "field": { "type": "string" },
                "code": { "type": "string", "examples": ["REQUIRED", "INVALID_FORMAT"] },
                "pointer": { "type": "string", "description": "Where in the body (RFC 6901)." },
                "detail": { "type": "string" },
            },
        },
        "Links": {
            "type": "object",
            "description": "What this caller can do next, by name.",
            "required": ["self"],
            "properties": { "self": path },
            "additionalProperties": path,
            "readOnly": true,
        },
        "ListMeta": {
            "type": "object",
            "required": ["total", "page", "per_page"],
            "properties": {
                "total": { "type": ["integer", "null"], "description": "Null with cursors, unless `Prefer: count=…` asks." },
                "total_is_capped": { "type": "boolean", "description": "There are at least `total`." },
                "page": { "type": ["integer", "null"] },
                "per_page": { "type": "integer" },
            },
        },
        "ListLinks": {
            "type": "object",
            "required": ["self", "next", "prev"],
            "properties": { "self": path, "next": maybe_path, "prev": maybe_path },
        },
        "Anything": values::anything(),
        "JsonPatch": json_patch(),
        "Operation": {
            "type": "object",
            "required": ["id", "status", "action", "resource", "created_at", "links"],
            "properties": {
                "id": { "type": "string", "format": "uuid" },
                "status": { "enum": ["pending", "running", "succeeded", "failed"] },
                "action": { "type": "string" },
                "resource": path,
                "created_at": { "type": "string", "format": "date-time" },
                "updated_at": { "type": "string", "format": "date-time" },
                "finished_at": { "type": ["string", "null"], "format": "date-time" },
                "problem": { "type": ["object", "null"], "properties": {
                    "status": { "type": "integer" }, "detail": { "type": "string" } } },
                "links": reference("schemas", "Links"),
            },
        },
    });
    match schemas {
        Value::Object(schemas) => schemas,
        _ => Map::new(),
    }
}

fn json_patch() -> Value {
    let pointer = json!({ "type": "string", "format": "json-pointer" });
    // The whole row can be compared and copied from; it is replaced by PUT.
    let member = json!({ "type": "string", "format": "json-pointer", "minLength": 1 });
    let step = |ops: &[&str], path: &Value, other: Option<(&str, Value)>| {
        let mut required = vec!["op", "path"];
        let mut properties = json!({ "op": { "enum": ops }, "path": path });
        if let Some((name, schema)) = other {
            required.push(name);
            properties[name] = schema;
        }
        json!({ "type": "object", "required": required, "properties": properties })
    };
    json!({
        "type": "array",
        "description": "Steps that are done all or not at all (RFC 6902).",
        "maxItems": 1000,
        "items": { "oneOf": [
            step(&["add", "replace"], &member, Some(("value", json!({})))),
            step(&["test"], &pointer, Some(("value", json!({})))),
            step(&["move", "copy"], &pointer, Some(("from", pointer.clone()))),
            step(&["remove"], &member, None),
        ] },
        "examples": [[{ "op": "test", "path": "/id", "value": "01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e" }]],
    })
}
