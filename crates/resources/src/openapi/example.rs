//! Examples that validate: made from the schema of each field.

use serde_json::{Map, Value, json};

use crate::model::{Field, Resource};

const ID: &str = "01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e";
const MOMENT: &str = "2026-11-15T08:00:00Z";

/// A whole row.
pub(super) fn row(of: &Resource) -> Value {
    let mut members = Map::new();
    members.insert("id".to_owned(), json!(ID));
    members.extend(of.fields.iter().map(|field| (field.name.clone(), of_field(field))));
    members.insert("links".to_owned(), json!({ "self": format!("/api/{}/{ID}", of.name) }));
    Value::Object(members)
}

/// A body that makes one.
pub(super) fn body(of: &Resource) -> Value {
    let sent = of.fields.iter().filter(|field| !field.read_only && field.stamp.is_none());
    // No row has the id of an example: what points at one is left out where that is allowed.
    let sent = sent.filter(|field| field.required || field.references.is_none());
    Value::Object(sent.map(|field| (field.name.clone(), of_field(field))).collect())
}

fn of_field(field: &Field) -> Value {
    match &field.default {
        Some(default) => default.clone(),
        None => example(&field.schema),
    }
}

/// A value that a schema allows, as far as one can be told from its keywords.
pub fn example(schema: &Value) -> Value {
    let given = schema.get("examples").and_then(|examples| examples.get(0)).or_else(|| schema.get("example"));
    let fixed = given.or_else(|| schema.get("default")).or_else(|| schema.get("const"));
    if let Some(value) = fixed.or_else(|| schema.get("enum").and_then(|values| values.get(0))) {
        return value.clone();
    }
    let kind = schema.get("type").and_then(|kind| kind.as_str().or_else(|| kind.get(0)?.as_str()));
    match kind {
        Some("integer") => json!(schema.get("minimum").and_then(Value::as_i64).map_or(1, |least| least.max(1))),
        Some("number") => json!(schema.get("minimum").and_then(Value::as_f64).map_or(1.5, |least| least.max(1.5))),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => {
            let properties = schema.get("properties").and_then(Value::as_object);
            Value::Object(properties.into_iter().flatten().map(|(name, of)| (name.clone(), example(of))).collect())
        }
        Some("null") => Value::Null,
        _ => text(schema),
    }
}

fn text(schema: &Value) -> Value {
    match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => json!(MOMENT),
        Some("date") => json!("2026-11-15"),
        Some("time") => json!("08:00:00Z"),
        Some("duration") => json!("PT5M"),
        Some("email" | "idn-email") => json!("ada@example.com"),
        Some("uuid") => json!(ID),
        Some("uri" | "iri" | "uri-reference" | "iri-reference") => json!("https://example.com/"),
        Some("hostname" | "idn-hostname") => json!("example.com"),
        Some("ipv4") => json!("192.0.2.1"),
        Some("ipv6") => json!("2001:db8::1"),
        _ => {
            let least = schema.get("minLength").and_then(Value::as_u64).and_then(|least| usize::try_from(least).ok());
            let most = schema.get("maxLength").and_then(Value::as_u64).and_then(|most| usize::try_from(most).ok());
            let mut text = String::from("text");
            while text.len() < least.unwrap_or(0).min(1_000) {
                text.push('x');
            }
            text.truncate(most.unwrap_or(usize::MAX));
            json!(text)
        }
    }
}
