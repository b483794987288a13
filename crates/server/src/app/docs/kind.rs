//! A JSON Schema in a few words. What the words leave out, the OpenAPI document has.

use serde_json::Value;

/// What values look like: `integer, at least 0`.
pub(super) fn of(schema: &Value) -> String {
    if let Some(values) = choices(schema) {
        return values.join(" | ");
    }
    if let Some(value) = schema.get("const") {
        return plain(value);
    }
    let mut words = vec![base(schema)];
    words.extend(range(schema, "minimum", "maximum", ""));
    words.extend(range(schema, "minLength", "maxLength", " characters"));
    words.extend(range(schema, "minItems", "maxItems", " items"));
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        // No text of any field can hold U+0000; that is said once, in the document, and not of every field here.
        if !pattern.contains("u0000") {
            words.push(format!("like {pattern}"));
        }
    }
    words.join(", ")
}

/// The only values that a schema allows, if it lists them.
pub(super) fn choices(schema: &Value) -> Option<Vec<String>> {
    schema.get("enum").and_then(Value::as_array).map(|values| values.iter().map(plain).collect())
}

/// Text as it is, and everything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn base(schema: &Value) -> String {
    let name = match schema.get("type") {
        Some(Value::String(name)) => name.clone(),
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect::<Vec<_>>().join(" or ")
        }
        _ => "any JSON".to_owned(),
    };
    match schema.get("format").and_then(Value::as_str) {
        Some(format) => format!("{name} ({format})"),
        None if name == "array" => match schema.get("items") {
            Some(items) => format!("array of {}", of(items)),
            None => name,
        },
        None => name,
    }
}

fn range(schema: &Value, least: &str, most: &str, unit: &str) -> Option<String> {
    match (schema.get(least), schema.get(most)) {
        (Some(least), Some(most)) => Some(format!("{least} to {most}{unit}")),
        (Some(least), None) => Some(format!("at least {least}{unit}")),
        (None, Some(most)) => Some(format!("at most {most}{unit}")),
        (None, None) => None,
    }
}
