//! The items for `changes:` of a new version, as YAML on one line: what would spare clients of the older one a change.
//! They are proposals; a person decides.

use serde_json::{Map, Value, json};

use crate::diff::rule::{self, Rule};
use crate::diff::surface::FieldSurface;
use crate::openapi::example;
use crate::suggest;

/// `- { rename: orders.creation_date, to: created_at }`
pub(super) fn rename(from: &str, to: &str) -> String {
    item(&[("rename", json!(from)), ("to", json!(to))])
}

/// `- { move: users.street, to: address.street }`
pub(super) fn moved(from: &str, to: &str) -> String {
    item(&[("move", json!(from)), ("to", json!(to))])
}

/// `- { remove: orders.operations.delete }`. Older versions are served from what is declared: it stays there.
pub(super) fn remove(place: &str) -> String {
    format!("{}  # and leave its declaration where it is", item(&[("remove", json!(place))]))
}

/// `- { status: orders.create, from: 200 }`
pub(super) fn status(place: &str, from: u16) -> String {
    item(&[("status", json!(place)), ("from", json!(from))])
}

/// `- { remove: orders.discount, from: { type: integer }, lossy: true }`
pub(super) fn removed(place: &str, field: &FieldSurface) -> String {
    item(&[("remove", json!(place)), ("from", field.schema.clone()), ("lossy", json!(true))])
}

/// `- { add: orders.note, value: text }`
///
/// None where no value can be made up that fits: a pattern cannot be inverted.
pub(super) fn added(place: &str, schema: &Value) -> Option<String> {
    let value = example(schema);
    let fits =
        jsonschema::options().should_validate_formats(true).build(schema).is_ok_and(|rule| rule.is_valid(&value));
    fits.then(|| item(&[("add", json!(place)), ("value", value)]))
}

/// What absorbs a change of the schema itself.
pub(super) fn of_schema(rule: &Rule, place: &str, old: &FieldSurface, new: &FieldSurface) -> Option<String> {
    if *rule == rule::TYPE_CHANGED {
        let (codec, is_lossy) = codec(place, &old.schema, &new.schema)?;
        let mut parts = vec![("retype", json!(place)), ("from", old.schema.clone()), ("codec", codec)];
        parts.extend(is_lossy.then_some(("lossy", json!(true))));
        return Some(item(&parts));
    }
    if *rule == rule::ENUM_VALUE_REMOVED {
        return reworded(place, &old.schema, &new.schema);
    }
    None
}

/// How one type could be made from the other, and whether something is lost on the way.
fn codec(place: &str, old: &Value, new: &Value) -> Option<(Value, bool)> {
    let kind = |schema: &Value| schema.get("type").and_then(Value::as_str).map(str::to_owned);
    let is_moment = |schema: &Value| schema.get("format").is_some_and(|format| format == "date-time");
    let (before, after) = (kind(old)?, kind(new)?);
    let is_money = ["amount", "total", "price", "sum", "cost", "fee", "balance"];
    let is_money = is_money.iter().any(|word| place.rsplit('.').next().is_some_and(|name| name.contains(word)));
    Some(match (before.as_str(), after.as_str()) {
        ("integer", "string") if is_moment(new) => (json!("epoch"), false),
        ("string", "integer") if is_moment(old) => (json!("epoch"), false),
        ("number", "integer") => (json!({ "decimal": 2 }), false),
        ("string", "integer") if is_money => (json!({ "decimal": 2 }), false),
        ("string", "integer" | "number" | "boolean") => (json!("text"), false),
        // Not every text is a number that an older client could read, nor has every list one item.
        ("integer" | "number" | "boolean", "string") => (json!("text"), true),
        (one, "array") if new.get("items").and_then(kind_of) == Some(one) => (json!("list"), true),
        ("array", one) if old.get("items").and_then(kind_of) == Some(one) => (json!("list"), true),
        _ => return None,
    })
}

fn kind_of(schema: &Value) -> Option<&str> {
    schema.get("type").and_then(Value::as_str)
}

/// Which new word stands for which old one: the only one that came, or the nearest. Else something is lost.
fn reworded(place: &str, old: &Value, new: &Value) -> Option<String> {
    let (before, after) = (old.get("enum")?.as_array()?, new.get("enum")?.as_array()?);
    let gone: Vec<&str> = before.iter().filter(|value| !after.contains(value)).filter_map(Value::as_str).collect();
    let come: Vec<&str> = after.iter().filter(|value| !before.contains(value)).filter_map(Value::as_str).collect();
    let mut values = Map::new();
    let mut is_lossy = false;
    for word in gone {
        let near = suggest::nearest(word, come.iter().copied());
        let only = if let [only] = come.as_slice() { Some(*only) } else { None };
        let other = near.or(only).or_else(|| {
            is_lossy = true;
            after.iter().find_map(Value::as_str)
        })?;
        // Two old words for one new one: whoever sends the second reads the first.
        is_lossy |= values.values().any(|taken| taken == other);
        if before.iter().any(|known| known == other) {
            // What was always called so still is; unsaid, older clients would see the other word for it.
            values.insert(other.to_owned(), json!(other));
        }
        values.insert(word.to_owned(), json!(other));
    }
    let mut parts = vec![("enum", json!(place)), ("values", Value::Object(values))];
    parts.extend(is_lossy.then_some(("lossy", json!(true))));
    Some(item(&parts))
}

fn item(parts: &[(&str, Value)]) -> String {
    let parts: Vec<String> = parts.iter().map(|(key, value)| format!("{key}: {}", flow(value))).collect();
    format!("- {{ {} }}", parts.join(", "))
}

/// A value in the flow style of YAML.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::Array(values) => format!("[{}]", values.iter().map(flow).collect::<Vec<_>>().join(", ")),
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| {
                let key = if is_plain(key) { key.clone() } else { json!(key).to_string() };
                format!("{key}: {}", flow(value))
            });
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        // JSON is YAML.
        other => other.to_string(),
    }
}

/// Is it read back as this text, without quotes?
fn is_plain(text: &str) -> bool {
    let is_word = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-./".contains(letter));
    is_word && crate::declaration::plain_scalar(text).is_some_and(|read| read.is_string())
}
