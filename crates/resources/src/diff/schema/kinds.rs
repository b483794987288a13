//! Types, formats and null.

use std::collections::BTreeSet;

use serde_json::Value;

use super::flat::Flat;
use super::{Difference, Effect};
use crate::diff::rule;

/// Compares them. True: the values are of another kind altogether, so that nothing else can be compared.
pub(super) fn compare(before: &Flat<'_>, after: &Flat<'_>, is_text: bool, found: &mut Vec<Difference>) -> bool {
    let effect = effect(before, after, is_text);
    if let Some(effect) = effect {
        let told = format!("{} → {}", named(before), named(after));
        found.push(match effect {
            Effect::Narrowed => Difference::new(&rule::TYPE_CHANGED, &rule::ANSWER_NARROWED, told),
            Effect::Widened => Difference::new(&rule::VALIDATION_LOOSENED, &rule::TYPE_CHANGED, told),
            Effect::Changed => Difference::new(&rule::TYPE_CHANGED, &rule::TYPE_CHANGED, told),
        });
    }
    // What has no type may be null as it is.
    if !before.types.is_empty() && !after.types.is_empty() && before.is_nullable != after.is_nullable {
        found.push(if after.is_nullable {
            Difference::new(&rule::NULL_ACCEPTED, &rule::FIELD_NULLABLE, "may be null".to_owned())
        } else {
            Difference::new(&rule::NULL_REFUSED, &rule::FIELD_NEVER_NULL, "is never null any more".to_owned())
        });
    }
    let is_shared = before.types.iter().any(|kind| after.types.contains(kind)) || is_number(before) && is_number(after);
    effect.is_some() && !is_shared && !before.types.is_empty() && !after.types.is_empty()
}

fn is_number(schema: &Flat<'_>) -> bool {
    !schema.types.is_empty() && schema.types.iter().all(|kind| kind == "integer" || kind == "number")
}

fn effect(before: &Flat<'_>, after: &Flat<'_>, is_text: bool) -> Option<Effect> {
    let formats = (format(before), format(after));
    if before.types == after.types {
        return formats_effect(formats.0, formats.1);
    }
    let (mut is_wider, mut is_narrower) = (covers(after, before), covers(before, after));
    if is_text && !(is_wider || is_narrower) {
        (is_wider, is_narrower) = (reads(after, before), reads(before, after));
    }
    match (is_wider, is_narrower) {
        (true, true) => formats_effect(formats.0, formats.1),
        // int64 is a format of integers; that a number has none is no other kind of number.
        (true, false) if formats.1.is_none() || formats.1 == formats.0 => Some(Effect::Widened),
        (false, true) if formats.0.is_none() || formats.0 == formats.1 => Some(Effect::Narrowed),
        _ => Some(Effect::Changed),
    }
}

/// Is every value of the inner types one of the outer?
fn covers(outer: &Flat<'_>, inner: &Flat<'_>) -> bool {
    outer.types.is_empty() || !inner.types.is_empty() && inner.types.iter().all(|kind| holds(&outer.types, kind))
}

/// The same in a URL, where everything is a text, and a list may have one value.
fn reads(outer: &Flat<'_>, inner: &Flat<'_>) -> bool {
    let is_text = outer.types.contains("string") && format(outer).is_none();
    is_plain(&inner.types) && (is_text || items(outer).is_some_and(|types| inner.types.is_subset(&types)))
}

fn holds(types: &BTreeSet<String>, kind: &str) -> bool {
    types.contains(kind) || kind == "integer" && types.contains("number")
}

fn is_plain(types: &BTreeSet<String>) -> bool {
    !types.is_empty() && types.iter().all(|kind| matches!(kind.as_str(), "string" | "integer" | "number" | "boolean"))
}

/// The types of what a list holds that may have one value of any kind.
fn items(schema: &Flat<'_>) -> Option<BTreeSet<String>> {
    let is_list = schema.types.len() == 1 && schema.types.contains("array");
    let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
    let items = schema.get("items").and_then(Value::as_object).filter(|_| is_list && least <= 1)?;
    let kind = items.get("type").filter(|_| items.len() == 1)?;
    let several = kind.as_array().into_iter().flatten().chain(kind.is_string().then_some(kind));
    Some(several.filter_map(Value::as_str).map(str::to_owned).collect())
}

fn format<'f>(schema: &'f Flat<'_>) -> Option<&'f str> {
    schema.get("format").and_then(Value::as_str)
}

fn formats_effect(before: Option<&str>, after: Option<&str>) -> Option<Effect> {
    let within = |inner, outer| {
        matches!(
            (inner, outer),
            ("int32", "int64") | ("float", "double") | ("date", "date-time") | ("email", "idn-email")
        )
    };
    match (before, after) {
        (None, Some(_)) => Some(Effect::Narrowed),
        (Some(_), None) => Some(Effect::Widened),
        (Some(before), Some(after)) if before != after => Some(match (within(before, after), within(after, before)) {
            (true, _) => Effect::Widened,
            (_, true) => Effect::Narrowed,
            _ => Effect::Changed,
        }),
        _ => None,
    }
}

fn named(schema: &Flat<'_>) -> String {
    let mut types = match schema.types.len() {
        0 => "any type".to_owned(),
        _ => schema.types.iter().map(String::as_str).collect::<Vec<_>>().join(" or "),
    };
    if let Some(format) = format(schema) {
        types.push_str(&format!(" ({format})"));
    }
    types
}
