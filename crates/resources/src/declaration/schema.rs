//! Is this JSON Schema 2020-12, and does it keep to what is checked here? Knows nothing of resources.

mod circle;
pub(super) mod keywords;
#[cfg(test)]
mod tests;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::{Value, json};

use super::field::inner;
use super::report::Report;
use super::spot::{Spot, listed};
use super::yaml::{Tree, short};
use crate::suggest::nearest;
use keywords::{FORMATS, Keyword, OWN, REFUSED, STANDARD, Shape, TYPES};

/// The address of the version that is spoken here.
const VERSION: &str = "https://json-schema.org/draft/2020-12/schema";

/// Tells what is wrong with a schema and with all that stand in it.
pub(super) fn check(spot: &Spot<'_>, report: &mut Report) {
    match &spot.node.tree {
        Tree::Bool(_) | Tree::Unreadable => {}
        Tree::Map(_) => {
            for keyword in spot.entries(report) {
                check_keyword(&keyword, report);
            }
        }
        _ => spot.wrong_kind("a schema such as `{ type: string }`", report),
    }
}

/// Tells what is wrong with one keyword of a schema.
pub(super) fn check_keyword(spot: &Spot<'_>, report: &mut Report) {
    let name = spot.name();
    if let Some(keyword) = keywords::find(name) {
        check_shape(spot, keyword, report);
    } else if name == "$schema" {
        if spot.text(report).is_some_and(|version| version.trim_end_matches('#') != VERSION) {
            spot.wrong(format!("Schemas here are of the version 2020-12. Write `{VERSION}`, or nothing."), report);
        }
    } else if let Some((_, remedy)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
        spot.wrong_key(format!("`{name}` has no effect here. {remedy}"), None, report);
    } else if inner::KEYWORDS.contains(&name) && spot.is_in_member() {
        _ = spot.flag(report);
    } else if OWN.iter().any(|own| own.name == name) {
        let message = format!("`{name}` belongs to a field itself. It has no effect inside one, nor in an input.");
        spot.wrong_key(message, None, report);
    } else if !name.starts_with("x-") {
        unknown(spot, "JSON Schema", STANDARD.iter().map(|keyword| keyword.name), report);
    }
}

/// JSON Schema ignores what it does not know. A slip is no such thing: it would drop a rule in silence.
pub(super) fn unknown<'w>(spot: &Spot<'_>, of: &str, known: impl Iterator<Item = &'w str>, report: &mut Report) {
    let name = spot.name();
    match nearest(name, known) {
        Some(meant) => spot.wrong_key(format!("`{}` is no keyword of {of}.", short(name)), Some(meant), report),
        None => {
            let message = format!(
                "`{}` is no keyword of {of} and has no effect. Call it `x-…` if it is meant for others.",
                short(name)
            );
            spot.doubtful(message, None, report);
        }
    }
}

fn check_shape(spot: &Spot<'_>, keyword: &Keyword, report: &mut Report) {
    let number = if let Tree::Number(number) = &spot.node.tree { number.as_f64() } else { None };
    match keyword.shape {
        Shape::Any => {}
        Shape::Text => {
            let text = spot.text(report);
            if let Some(text) = text.filter(|text| keyword.name == "format" && !FORMATS.contains(text)) {
                let message = format!("The format `{}` is not known, and is not checked.", short(text));
                spot.doubtful(message, nearest(text, FORMATS), report);
            }
        }
        Shape::Flag => _ = spot.flag(report),
        Shape::Whole if number.is_none_or(|number| number < 0.0 || number.fract() != 0.0) => {
            spot.wrong_kind("a whole number, 0 or more", report);
        }
        Shape::Number if number.is_none() => spot.wrong_kind("a number", report),
        Shape::Positive if number.is_none_or(|number| number <= 0.0) => spot.wrong_kind("a number above 0", report),
        Shape::Whole | Shape::Number | Shape::Positive => {}
        Shape::Pattern => {
            if let Some(pattern) = spot.text(report) {
                check_pattern(spot, pattern, report);
            }
        }
        Shape::Types => {
            for word in spot.one_or_more(report) {
                word.word("type", &TYPES, report);
            }
        }
        Shape::Values => _ = spot.items(report),
        Shape::Names => check_names(spot, report),
        Shape::NameLists => spot.entries(report).iter().for_each(|names| check_names(names, report)),
        Shape::Schema => check(spot, report),
        Shape::SchemaList => {
            let schemas = spot.items(report);
            if schemas.is_empty() && matches!(spot.node.tree, Tree::List(_)) {
                spot.wrong(format!("`{}` needs at least one schema.", keyword.name), report);
            }
            schemas.iter().for_each(|schema| check(schema, report));
        }
        Shape::SchemaMap => spot.entries(report).iter().for_each(|schema| check(schema, report)),
        Shape::PatternMap => {
            for schema in spot.entries(report) {
                check_pattern(&schema, schema.name(), report);
                check(&schema, report);
            }
        }
        Shape::Pointer => {
            let pointer = spot.text(report);
            if pointer.is_some_and(|pointer| pointer != "#" && !pointer.starts_with("#/")) {
                spot.wrong("Only parts of the same schema can be referred to. Write `#/$defs/name`.", report);
            }
        }
    }
}

fn check_names(spot: &Spot<'_>, report: &mut Report) {
    if matches!(spot.node.tree, Tree::Bool(_)) {
        let message = "Inside an object, `required` is a list in the object: `required: [street, city]`.";
        return spot.wrong(message, report);
    }
    let mut seen = Vec::new();
    for item in spot.items(report) {
        let Some(name) = item.text(report) else { continue };
        if seen.contains(&name) {
            item.wrong(format!("`{}` is listed twice.", short(name)), report);
        }
        seen.push(name);
    }
}

fn check_pattern(spot: &Spot<'_>, pattern: &str, report: &mut Report) {
    if let Err(error) = compile(&json!({ "pattern": pattern })) {
        let message = format!(
            "`{}` cannot be used as a regular expression: {error} Patterns are matched in linear time: they have no \
             look-around and no back-references.",
            short(pattern)
        );
        spot.wrong(message, report);
    }
}

/// Makes a validator that asks nobody else and runs in linear time, or a sentence that says why there is none.
pub(super) fn compile(schema: &Value) -> Result<Validator, String> {
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex())
        .should_validate_formats(true)
        .build(schema)
        .map_err(|error| sentence(&error.to_string()))
}

/// Makes the validator of a schema that stands here and was checked before. What is still wrong is told.
pub(super) fn prepare(spot: &Spot<'_>, schema: &Value, report: &mut Report) -> Option<Validator> {
    if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
        let place = error.instance_path().as_str().trim_start_matches('/').replace('/', ".");
        spot.wrong_key(
            format!("This is not JSON Schema 2020-12, at `{place}`: {}", sentence(&error.to_string())),
            None,
            report,
        );
        return None;
    }
    if let Some(finding) = circle::find(schema) {
        let (pointer, why) = match finding {
            circle::Finding::Nowhere(pointer) => (pointer, "points at nothing in this schema"),
            circle::Finding::Circle(pointer) => (pointer, "leads back to itself, without a value in between"),
            circle::Finding::Wide(pointer) => (pointer, "stands for more than 10,000 schemas for one value"),
        };
        spot.wrong_key(format!("`$ref: {}` {why}.", short(&pointer)), None, report);
        return None;
    }
    compile(schema).map_err(|error| spot.wrong_key(format!("This schema cannot be used: {error}"), None, report)).ok()
}

/// Why a value does not fit, in one sentence.
pub(super) fn misfit(validator: &Validator, value: &Value) -> Option<String> {
    validator.validate(value).err().map(|error| sentence(&error.to_string()))
}

/// The first line of what a library says, as a sentence of bounded length.
fn sentence(words: &str) -> String {
    let line = words.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let mut text: String = line.chars().take(160).collect();
    if !text.ends_with(['.', '!', '…']) {
        text.push('.');
    }
    text
}

/// The types that a schema names.
pub(super) fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(word)) => vec![word],
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The same schema with the type that its enumeration implies.
pub(super) fn with_type(mut schema: Value) -> Value {
    let implied = schema.get("enum").and_then(Value::as_array).and_then(|values| type_of_all(values));
    if let (Some(kind), Some(keywords)) = (implied, schema.as_object_mut()) {
        keywords.entry("type").or_insert_with(|| kind.into());
    }
    schema
}

/// The type that all values of an enumeration have, if it is one.
pub(super) fn type_of_all(values: &[Value]) -> Option<&'static str> {
    let word = |value: &Value| match value {
        Value::String(_) => Some("string"),
        Value::Number(number) if !number.is_f64() => Some("integer"),
        Value::Number(_) => Some("number"),
        Value::Bool(_) => Some("boolean"),
        _ => None,
    };
    let first = word(values.first()?)?;
    values.iter().all(|value| word(value) == Some(first)).then_some(first)
}

/// The words of a list, for a sentence.
pub(super) fn listed_types(schema: &Value) -> String {
    listed(&types(schema))
}
