//! The schemas of one resource: how it is told, made, replaced, patched and listed.

use serde_json::{Map, Value, json};

use super::{capital, example, reference, type_name, values};
use crate::model::{Field, Resource};

/// The schemas of a resource, by name.
pub(super) fn schemas(of: &Resource) -> Vec<(String, Value)> {
    let name = type_name(&of.singular);
    let mut schemas = vec![
        (name.clone(), told(of)),
        (format!("{name}Create"), sent(of, false, None)),
        (format!("{name}Patch"), sent(of, true, None)),
        (format!("{name}List"), list(of, &name)),
    ];
    if let Some(parent) = &of.parent {
        // The path says it already.
        schemas.push((format!("{name}CreateBelow"), sent(of, false, Some(&parent.field))));
        schemas.push((format!("{name}PatchBelow"), sent(of, true, Some(&parent.field))));
    }
    schemas
}

/// A row, as it is answered. Relations that were asked for with `include` come beside its fields.
fn told(of: &Resource) -> Value {
    let mut properties = Map::new();
    properties.insert("id".to_owned(), json!({ "type": "string", "format": "uuid", "readOnly": true }));
    for field in &of.fields {
        properties.insert(field.name.clone(), schema(field, field.is_nullable()));
    }
    for field in &of.fields {
        if let Some(to) = &field.references {
            let target = json!({ "oneOf": [{ "type": "object" }, { "type": "null" }],
                "description": format!("The {} itself, with `include={}`.", to.name, to.name), "readOnly": true });
            properties.insert(to.name.clone(), target);
        }
    }
    properties.insert("links".to_owned(), reference("schemas", "Links"));
    json!({
        "type": "object",
        "title": capital(&of.singular),
        "description": of.description,
        "properties": properties,
        "examples": [example::row(of)],
    })
}

/// What a client sends: everything but what the server sets.
fn sent(of: &Resource, is_patch: bool, but: Option<&str>) -> Value {
    let is_sent = |field: &&Field| !field.read_only && field.stamp.is_none() && Some(field.name.as_str()) != but;
    let writable = || of.fields.iter().filter(is_sent);
    let mut properties = Map::new();
    for field in writable() {
        let name = field.name.clone();
        // Null in a merge patch takes a value away; what is required stays.
        let nullable = field.is_nullable() || (is_patch && !field.required);
        let mut field = schema(field, nullable);
        if is_patch {
            relax(&mut field);
        }
        properties.insert(name, field);
    }
    let mut body = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "examples": [example::body(of)],
    });
    let required: Vec<&str> = writable().filter(|field| field.required).map(|field| field.name.as_str()).collect();
    if !is_patch && !required.is_empty() {
        body["required"] = json!(required);
    }
    body
}

fn list(of: &Resource, name: &str) -> Value {
    json!({
        "type": "object",
        "required": ["data", "meta", "links"],
        "properties": {
            "data": { "type": "array", "items": reference("schemas", name) },
            "meta": reference("schemas", "ListMeta"),
            "links": reference("schemas", "ListLinks"),
        },
        "examples": [{
            "data": [example::row(of)],
            "meta": { "total": null, "page": null, "per_page": 20 },
            "links": { "self": format!("/api/{}", of.name), "next": null, "prev": null },
        }],
    })
}

/// The schema of a field as it stands in a body.
pub(super) fn schema(field: &Field, nullable: bool) -> Value {
    let mut schema = values::complete(field.schema.clone());
    if let Value::Object(members) = &mut schema {
        if field.read_only || field.stamp.is_some() {
            members.insert("readOnly".to_owned(), Value::Bool(true));
        }
        if let Some(default) = &field.default {
            members.insert("default".to_owned(), default.clone());
        }
    }
    if nullable { json!({ "anyOf": [schema, { "type": "null" }] }) } else { schema }
}

/// A merge patch goes into objects: what is left out there stays, and null takes a member away (RFC 7396).
fn relax(schema: &mut Value) {
    if let Some(choices) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        choices.iter_mut().for_each(relax);
    }
    if schema.get("type").is_none_or(|kind| kind != "object") {
        return;
    }
    let Value::Object(members) = schema else { return };
    members.retain(|name, _| !["required", "minProperties", "dependentRequired"].contains(&name.as_str()));
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        for property in properties.values_mut() {
            relax(property);
            *property = json!({ "anyOf": [property.take(), { "type": "null" }] });
        }
    }
}
