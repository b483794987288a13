//! What lists can be filtered by: for each field the values that the server compares with, which are not those that a
//! body may hold. A filter by a negative amount finds nothing, and is none the worse.

use serde_json::{Value, json};
use valetkey_rest::query::MAX_VALUES;

use super::values::{LARGEST, TEXT};
use crate::model::{Codec, ColumnKind, Field, Resource};

/// The filters of a list of this resource.
pub(super) fn of(of: &Resource) -> Vec<Value> {
    let mut all = several("id", "`id`", &value(ColumnKind::Id, None));
    for field in of.keys().filter(|field| field.filter) {
        let Some(kind) = ColumnKind::of(field) else { continue };
        let one = value(kind, Some(field));
        let told = format!("`{}`", field.name);
        // Text says `null` when it means this word.
        let or_nothing = if field.is_nullable() && kind != ColumnKind::Text {
            json!({ "anyOf": [one, { "const": "null", "description": "Has none." }] })
        } else {
            one.clone()
        };
        all.extend(several(&field.name, &told, &or_nothing));
        if !matches!(kind, ColumnKind::Boolean | ColumnKind::Id) {
            for (operator, meaning) in
                [("gt", "greater than"), ("gte", "at least"), ("lt", "less than"), ("lte", "at most")]
            {
                all.push(json!({
                    "name": format!("{}[{operator}]", field.name), "in": "query",
                    "description": format!("Only those whose {told} is {meaning} this."),
                    "schema": one,
                }));
            }
        }
    }
    all
}

/// The filters that take several values.
fn several(name: &str, told: &str, one: &Value) -> Vec<Value> {
    let repeated = |name: &str, description: String| {
        json!({
            "name": name, "in": "query", "style": "form", "explode": true,
            "description": description,
            "schema": { "type": "array", "items": one, "maxItems": MAX_VALUES },
        })
    };
    let mut listed = one.clone();
    if one.get("pattern").is_some_and(|pattern| pattern == TEXT) {
        // A comma would begin the next value.
        listed["pattern"] = json!("^[^,\\u0000]+$");
    }
    vec![
        repeated(name, format!("Only those with this {told}; several mean any of them.")),
        repeated(&format!("{name}[ne]"), format!("Only those with another {told}; several mean none of them.")),
        json!({
            "name": format!("{name}[in]"), "in": "query", "style": "form", "explode": false,
            "description": format!("Only those with one of these {told}."),
            "schema": { "type": "array", "items": listed, "minItems": 1, "maxItems": MAX_VALUES },
        }),
    ]
}

/// What a column is compared with.
fn value(kind: ColumnKind, field: Option<&Field>) -> Value {
    if let Some((codec, newer)) = field.and_then(|field| field.rewritten.as_ref())
        && let Some(schema) = field.and_then(|field| rewritten(kind, field, codec, newer))
    {
        return schema;
    }
    match kind {
        ColumnKind::Integer => json!({ "type": "integer", "minimum": -LARGEST, "maximum": LARGEST }),
        ColumnKind::Number => json!({ "type": "number" }),
        ColumnKind::Boolean => json!({ "type": "boolean" }),
        ColumnKind::Moment => json!({ "type": "string", "anyOf": [{ "format": "date-time" }, { "format": "date" }] }),
        ColumnKind::Id => json!({ "type": "string", "format": "uuid" }),
        ColumnKind::Text => match field.and_then(|field| field.schema.get("enum")) {
            Some(options) => json!({ "type": "string", "enum": options }),
            None => json!({ "type": "string", "pattern": TEXT }),
        },
    }
}

/// What a column is compared with whose values newer versions write otherwise: only what they can write. None: anything of
/// its type.
fn rewritten(kind: ColumnKind, field: &Field, codec: &Codec, newer: &str) -> Option<Value> {
    let text = |pattern: &str| json!({ "type": "string", "pattern": pattern });
    if let Codec::Map(pairs) = codec {
        return Some(json!({ "enum": pairs.iter().map(|(older, _)| older).collect::<Vec<_>>() }));
    }
    // Seconds that a clock can show.
    let moments =
        |each: i64| json!({ "type": "integer", "minimum": -377_705_023_201 * each, "maximum": 253_402_207_200 * each });
    match (kind, codec) {
        // As bodies have it, which `api check` holds against the codec.
        (ColumnKind::Text, _) if let Some(pattern) = field.schema.get("pattern") => Some(text(pattern.as_str()?)),
        (ColumnKind::Text, Codec::Decimal(0)) => Some(text("^-?[0-9]{1,15}$")),
        (ColumnKind::Text, Codec::Decimal(digits)) => {
            Some(text(&format!("^-?[0-9]{{1,{}}}([.][0-9]{{1,{digits}}})?$", 15 - (*digits).min(14))))
        }
        (ColumnKind::Text, Codec::Text) => Some(match newer {
            "boolean" => json!({ "type": "string", "enum": ["true", "false"] }),
            "integer" => text("^(0|-?[1-9][0-9]{0,14})$"),
            _ => text("^-?(0|[1-9][0-9]{0,14})([.][0-9]{1,10})?$"),
        }),
        (ColumnKind::Text, Codec::Epoch | Codec::EpochMillis) => {
            Some(json!({ "type": "string", "format": "date-time" }))
        }
        (ColumnKind::Integer, Codec::Epoch) => Some(moments(1)),
        (ColumnKind::Integer, Codec::EpochMillis) => Some(moments(1_000)),
        (ColumnKind::Number, Codec::Decimal(digits)) => {
            let least = || json!(format!("1e-{digits}").parse::<f64>().unwrap_or(1.0));
            let step = field.schema.get("multipleOf").cloned().unwrap_or_else(least);
            Some(json!({ "type": "number", "multipleOf": step }))
        }
        _ => None,
    }
}
