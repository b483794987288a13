//! Enumerations and defaults.

use serde_json::Value;

use super::flat::Flat;
use super::{Difference, Effect};
use crate::diff::rule;

/// More values than these are not listed in a sentence.
const LISTED: usize = 20;

pub(super) fn compare(before: &Flat<'_>, after: &Flat<'_>, is_other: bool, found: &mut Vec<Difference>) {
    enumerations(before, after, is_other, found);
    extensible(before, after, found);
    let told = |value: Option<&Value>| value.map_or_else(|| "none".to_owned(), |value| format!("`{}`", shown(value)));
    let (old, new) = (before.get("default"), after.get("default"));
    if old != new {
        let sentence = match (old, new) {
            // `"true"` and `true` look alike without quotes.
            (Some(old), Some(new)) if shown(old) == shown(new) => format!("the default `{old}` → `{new}`"),
            _ => format!("the default {} → {}", told(old), told(new)),
        };
        let rule = if old.is_some() && new.is_some() { &rule::DEFAULT_CHANGED } else { &rule::DEFAULT_STATED };
        found.push(Difference::of_request(rule, sentence));
    }
}

fn enumerations(before: &Flat<'_>, after: &Flat<'_>, is_other: bool, found: &mut Vec<Difference>) {
    match (&before.values, &after.values) {
        (Some(old), Some(new)) => {
            for gone in old.iter().filter(|value| !new.contains(value)).take(LISTED) {
                let told = format!("the value `{}` is gone", shown(gone));
                found.push(Difference::new(&rule::ENUM_VALUE_REMOVED, &rule::ENUM_VALUE_REMOVED, told));
            }
            for come in new.iter().filter(|value| !old.contains(value)).take(LISTED) {
                let told = format!("the value `{}` is new", shown(come));
                found.push(Difference::new(&rule::ENUM_VALUE_ADDED, &rule::ENUM_VALUE_ADDED, told));
            }
        }
        (None, Some(new)) => {
            let told = format!("only {} remain possible", listed(new));
            found.push(Difference::of_bound(Effect::Narrowed, told));
        }
        (Some(old), None) if !is_other => {
            let told = format!("more values are possible than {}", listed(old));
            found.push(Difference::of_bound(Effect::Widened, told));
        }
        _ => {}
    }
}

/// `x-extensible-enum`: readers expect further values, writers may send those that are named.
fn extensible(before: &Flat<'_>, after: &Flat<'_>, found: &mut Vec<Difference>) {
    let of = |schema: &Flat<'_>| schema.get("x-extensible-enum").and_then(Value::as_array).cloned();
    let (Some(old), Some(new)) = (of(before), of(after)) else { return };
    for gone in old.iter().filter(|value| !new.contains(value)).take(LISTED) {
        let told = format!("the value `{}` is gone", shown(gone));
        found.push(Difference::new(&rule::ENUM_VALUE_REMOVED, &rule::ENUM_VALUE_REMOVED, told));
    }
}

fn listed(values: &[Value]) -> String {
    let mut words: Vec<String> = values.iter().take(LISTED).map(|value| format!("`{}`", shown(value))).collect();
    if values.len() > LISTED {
        words.push(format!("{} more", values.len() - LISTED));
    }
    words.join(", ")
}

/// A value in a sentence: short.
pub(in crate::diff) fn shown(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut short: String = text.chars().take(60).map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
