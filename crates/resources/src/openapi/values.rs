//! What holds for every value of every field, written into its schema. The server refuses what no store could hold and
//! what some clients cannot read; a description that does not say so promises too much. Knows no field.

use serde_json::{Map, Value, json};

use super::reference;

/// Text without U+0000: PostgreSQL cannot hold it.
pub(super) const TEXT: &str = "^[^\\u0000]*$";
/// The largest number that every reader of JSON reads alike (RFC 8259 §6).
pub(super) const LARGEST: i64 = 9_007_199_254_740_991;

/// The schema of what may stand where a declaration says nothing.
pub(super) fn anything() -> Value {
    let again = reference("schemas", "Anything");
    json!({
        "description": "Any JSON, but no text with U+0000 and no number beyond ±(2^53 − 1).",
        "anyOf": [
            { "type": ["boolean", "null"] },
            { "type": "number", "minimum": -LARGEST, "maximum": LARGEST },
            { "type": "string", "pattern": TEXT },
            { "type": "array", "items": again },
            { "type": "object", "propertyNames": { "pattern": TEXT }, "additionalProperties": again },
        ],
    })
}

/// A declared schema, with what holds besides. What it says is kept.
pub(super) fn complete(mut schema: Value) -> Value {
    let Value::Object(members) = &mut schema else { return schema };
    let says = |names: &[&str]| names.iter().any(|name| members.contains_key(*name));
    if says(&["enum", "const", "$ref"]) {
        return schema;
    }
    match members.get("type").and_then(Value::as_str) {
        Some("string") if says(&["format", "pattern"]) => {}
        Some("string") => _ = members.insert("pattern".to_owned(), json!(TEXT)),
        Some("integer" | "number") => bound(members),
        Some("object") => complete_object(members),
        Some("array") => complete_array(members),
        Some("boolean" | "null") => {}
        // What is evaluated here is no longer unevaluated there.
        _ if says(&["unevaluatedProperties", "unevaluatedItems"]) => {}
        _ => members.extend(reference("schemas", "Anything").as_object().cloned().unwrap_or_default()),
    }
    schema
}

fn bound(members: &mut Map<String, Value>) {
    for (name, exclusive, most) in [("minimum", "exclusiveMinimum", -LARGEST), ("maximum", "exclusiveMaximum", LARGEST)]
    {
        if !members.contains_key(exclusive) {
            members.entry(name).or_insert_with(|| json!(most));
        }
    }
}

fn complete_object(members: &mut Map<String, Value>) {
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        for property in properties.values_mut() {
            *property = complete(property.take());
        }
    }
    let is_closed = members.get("additionalProperties") == Some(&Value::Bool(false));
    if is_closed || ["unevaluatedProperties", "patternProperties"].iter().any(|name| members.contains_key(*name)) {
        return;
    }
    members.entry("propertyNames").or_insert_with(|| json!({ "pattern": TEXT }));
    complete_member(members, "additionalProperties");
}

fn complete_array(members: &mut Map<String, Value>) {
    if !["prefixItems", "unevaluatedItems"].iter().any(|name| members.contains_key(*name)) {
        complete_member(members, "items");
    }
}

/// The schema of the members that have none of their own.
fn complete_member(members: &mut Map<String, Value>, name: &str) {
    let others = match members.remove(name) {
        None | Some(Value::Bool(true)) => reference("schemas", "Anything"),
        Some(declared) => complete(declared),
    };
    members.insert(name.to_owned(), others);
}
