//! JSON Schemas written one way: without words for people, and sorted where order means nothing.

use serde_json::{Map, Value};

/// The same schema, so that equal ones are written alike.
pub(super) fn normal(schema: &Value) -> Value {
    let Value::Object(keywords) = schema else { return schema.clone() };
    let mut sorted: Vec<(&String, Value)> = Vec::new();
    for (keyword, value) in keywords {
        let value = match keyword.as_str() {
            "title" | "description" | "examples" | "example" | "$comment" | "deprecated" => continue,
            "enum" | "required" | "type" => ordered(value),
            "properties" | "patternProperties" | "$defs" | "dependentSchemas" => each(value),
            "default" | "const" => value.clone(),
            "allOf" | "anyOf" | "oneOf" | "prefixItems" => match value {
                Value::Array(parts) => parts.iter().map(normal).collect(),
                _ => value.clone(),
            },
            _ => normal(value),
        };
        sorted.push((keyword, value));
    }
    sorted.sort_by_key(|(keyword, _)| *keyword);
    Value::Object(sorted.into_iter().map(|(keyword, value)| (keyword.clone(), value)).collect())
}

/// Schemas by name: the names are nobody's keywords.
fn each(value: &Value) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    let members: Map<String, Value> = members.iter().map(|(name, schema)| (name.clone(), normal(schema))).collect();
    Value::Object(members)
}

fn ordered(value: &Value) -> Value {
    let Value::Array(values) = value else { return value.clone() };
    let mut values = values.clone();
    values.sort_by_key(Value::to_string);
    Value::Array(values)
}
