//! The JSON Schema of a field: what was written, without keywords of our own, with what they imply. Values that stand in
//! the declaration must fit it.

use serde_json::{Map, Value};

use super::inner;
use crate::declaration::report::Report;
use crate::declaration::schema::{self, keywords};
use crate::declaration::spot::Spot;
use crate::declaration::yaml::{Entry, Tree, short};
use crate::model::{Field, Stamp};

/// Keywords that stand in the model beside the schema.
const LIFTED: [&str; 2] = ["readOnly", "default"];

/// Is this a keyword that neither JSON Schema nor a field has?
pub(super) fn is_foreign(name: &str) -> bool {
    !name.starts_with("x-") && !name.starts_with('$') && !keywords::is_known(name)
}

/// The schema as the model has it.
pub(super) fn build(spot: &Spot<'_>, field: &Field, report: &mut Report) -> Value {
    let Tree::Map(entries) = &spot.node.tree else { return Value::Bool(true) };
    let ours = |entry: &Entry| match entry.key.as_str() {
        "required" => !matches!(entry.value.tree, Tree::List(_)),
        name => LIFTED.contains(&name) || keywords::OWN.iter().any(|own| own.name == name),
    };
    let mut schema: Map<String, Value> =
        entries.iter().filter(|entry| !ours(entry)).map(|entry| (entry.key.clone(), entry.value.to_json())).collect();
    if field.references.is_some() {
        imply(spot, &mut schema, "references", &[("type", "string"), ("format", "uuid")], report);
    }
    match field.stamp {
        Some(Stamp::CreatedAt | Stamp::UpdatedAt) => {
            imply(spot, &mut schema, "set", &[("type", "string"), ("format", "date-time")], report);
        }
        Some(Stamp::Owner) => imply(spot, &mut schema, "set", &[("type", "string")], report),
        None => {}
    }
    let mut schema = schema::with_type(Value::Object(schema));
    inner::strip(&mut schema);
    schema
}

/// Writes down what a keyword implies. What was written otherwise is told.
fn imply(
    spot: &Spot<'_>,
    schema: &mut Map<String, Value>,
    because: &str,
    implied: &[(&str, &str)],
    report: &mut Report,
) {
    for (keyword, value) in implied {
        let written = schema.insert((*keyword).to_owned(), (*value).into());
        if written.is_some_and(|written| written != **value) {
            let message = format!("`{because}` makes this `{keyword}: {value}`. Write that, or nothing.");
            spot.find(&[keyword]).wrong(message, report);
        }
    }
}

/// Tells which of the values in the declaration do not fit. What the server sets is read-only, said or not.
pub(super) fn check_values(spot: &Spot<'_>, field: &mut Field, report: &mut Report) {
    if field.stamp.is_some() {
        if spot.get("readOnly").is_some() && !field.read_only {
            spot.find(&["readOnly"]).wrong("The server sets this field, so it is read-only. Remove this.", report);
        }
        field.read_only = true;
    }
    // First: what follows runs validators, and references that lead in a circle would never let them end.
    let Some(validator) = schema::prepare(spot, &field.schema, report) else { return };
    check_enum(spot, field, report);
    check_ranges(spot, &field.schema, report);
    if let Some(default) = &field.default {
        let place = spot.find(&["default"]);
        if default.is_null() {
            place.wrong("Without a default a field is null as it is. Remove this.", report);
        } else if let Some(why) = schema::misfit(&validator, default) {
            place.wrong(format!("The default does not fit the field: {why}"), report);
        }
    }
    for example in spot.get("examples").map(|examples| examples.items(report)).unwrap_or_default() {
        if let Some(why) = schema::misfit(&validator, &example.node.to_json()) {
            example.wrong(format!("The example does not fit the field: {why}"), report);
        }
    }
}

/// What has to be at least more than it may be at most, nothing is.
fn check_ranges(spot: &Spot<'_>, schema: &Value, report: &mut Report) {
    for (least, most) in [("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")] {
        let number = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
        if number(least).zip(number(most)).is_some_and(|(least, most)| least > most) {
            let message = format!("This is less than `{least}`, so no value is possible.");
            spot.find(&[most]).wrong(message, report);
        }
    }
}

fn check_enum(spot: &Spot<'_>, field: &Field, report: &mut Report) {
    let Some(place) = spot.get("enum") else { return };
    let mut others = field.schema.clone();
    others.as_object_mut().map(|schema| schema.remove("enum"));
    let items = place.items(report);
    if items.is_empty() {
        place.wrong("The list is empty, so no value is possible. Add the values.", report);
    }
    let Ok(validator) = schema::compile(&others) else { return };
    let mut seen: Vec<Value> = Vec::new();
    for item in items {
        let value = item.node.to_json();
        if let Some(why) = schema::misfit(&validator, &value) {
            item.wrong(format!("This value does not fit the field: {why}"), report);
        } else if seen.contains(&value) {
            item.wrong(format!("`{}` is listed twice.", short(value.as_str().unwrap_or(&value.to_string()))), report);
        }
        seen.push(value);
    }
}
