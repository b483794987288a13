//! Keywords that bound values: lengths, ranges, patterns, and everything that can only be equal or not.

use serde_json::{Value, json};

use super::flat::Flat;
use super::values::shown;
use super::{Difference, Effect};

/// At least so much, and what it means to say nothing.
const LEAST: [(&str, Option<f64>); 7] = [
    ("minimum", None),
    ("exclusiveMinimum", None),
    ("minLength", Some(0.0)),
    ("minItems", Some(0.0)),
    ("minProperties", Some(0.0)),
    ("minContains", Some(1.0)),
    ("multipleOf", None),
];
/// At most so much.
const MOST: [&str; 6] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"];
/// Present or not, and if both are, the same or not. What they hold is too much to tell apart.
const WHOLE: [&str; 14] = [
    "patternProperties",
    "propertyNames",
    "dependentRequired",
    "dependentSchemas",
    "prefixItems",
    "contains",
    "unevaluatedItems",
    "not",
    "if",
    "then",
    "else",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];

pub(super) fn compare(before: &Flat<'_>, after: &Flat<'_>, found: &mut Vec<Difference>) {
    let mut tell = |keyword: &str, effect: Option<Effect>, old: Option<&Value>, new: Option<&Value>| {
        if let Some(effect) = effect {
            let word =
                |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), |value| format!("`{}`", shown(value)));
            found.push(Difference::of_bound(effect, format!("`{keyword}` {} → {}", word(old), word(new))));
        }
    };
    let (old_range, new_range) = (ranges(before), ranges(after));
    for (keyword, unsaid) in LEAST {
        let (old, new) = (bound(before, &old_range, keyword), bound(after, &new_range, keyword));
        let effect = if keyword == "multipleOf" { multiples(old, new) } else { least(old.or(unsaid), new.or(unsaid)) };
        tell(keyword, effect, number(old).as_ref(), number(new).as_ref());
    }
    for keyword in MOST {
        let (old, new) = (bound(before, &old_range, keyword), bound(after, &new_range, keyword));
        let effect = least(old.map(|most| -most), new.map(|most| -most));
        tell(keyword, effect, number(old).as_ref(), number(new).as_ref());
    }
    let pair = (before.is_set("uniqueItems"), after.is_set("uniqueItems"));
    tell("uniqueItems", switched(pair.0, pair.1), Some(&json!(pair.0)), Some(&json!(pair.1)));
    let (old, new) = (before.get("pattern"), after.get("pattern"));
    tell("pattern", pattern(old, new), old, new);
    for keyword in WHOLE {
        let (old, new) = (before.get(keyword), after.get(keyword));
        let effect = if old == new { None } else { presence(old.is_some(), new.is_some()) };
        tell(keyword, effect, old, new);
    }
}

/// `exclusiveMinimum: true` of OpenAPI 3.0 makes another bound of `minimum`.
fn ranges(schema: &Flat<'_>) -> [bool; 2] {
    [schema.is_set("exclusiveMinimum"), schema.is_set("exclusiveMaximum")]
}

fn bound(schema: &Flat<'_>, excluded: &[bool; 2], keyword: &str) -> Option<f64> {
    let source = match (keyword, excluded) {
        ("minimum", [true, _]) | ("maximum", [_, true]) => return None,
        ("exclusiveMinimum", [true, _]) => "minimum",
        ("exclusiveMaximum", [_, true]) => "maximum",
        _ => keyword,
    };
    schema.get(source).and_then(Value::as_f64)
}

fn number(bound: Option<f64>) -> Option<Value> {
    #[allow(clippy::cast_possible_truncation, reason = "it is whole and below 2^53")]
    let whole = bound.filter(|bound| bound.fract() == 0.0 && bound.abs() < 9e15).map(|bound| json!(bound as i64));
    whole.or_else(|| bound.map(|bound| json!(bound)))
}

/// More is narrower.
fn least(old: Option<f64>, new: Option<f64>) -> Option<Effect> {
    match (old, new) {
        (None, Some(_)) => Some(Effect::Narrowed),
        (Some(_), None) => Some(Effect::Widened),
        (Some(old), Some(new)) if new > old => Some(Effect::Narrowed),
        (Some(old), Some(new)) if new < old => Some(Effect::Widened),
        _ => None,
    }
}

fn multiples(old: Option<f64>, new: Option<f64>) -> Option<Effect> {
    match (old, new) {
        (Some(old), Some(new)) if old != new => Some(if new % old == 0.0 {
            Effect::Narrowed
        } else if old % new == 0.0 {
            Effect::Widened
        } else {
            Effect::Changed
        }),
        (Some(_), Some(_)) => None,
        _ => least(old, new),
    }
}

fn pattern(old: Option<&Value>, new: Option<&Value>) -> Option<Effect> {
    let is_any = |pattern: Option<&Value>| {
        pattern.and_then(Value::as_str).is_none_or(|pattern| matches!(pattern, "" | ".*" | "^.*$"))
    };
    match (old, new) {
        _ if old == new => None,
        (Some(_), Some(_)) if !is_any(old) && !is_any(new) => Some(Effect::Changed),
        _ => presence(!is_any(old), !is_any(new)),
    }
}

fn presence(old: bool, new: bool) -> Option<Effect> {
    if old && new { Some(Effect::Changed) } else { switched(old, new) }
}

fn switched(old: bool, new: bool) -> Option<Effect> {
    match (old, new) {
        (false, true) => Some(Effect::Narrowed),
        (true, false) => Some(Effect::Widened),
        _ => None,
    }
}
