//! One field that is on both sides.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::lens;
use crate::diff::finding::Finding;
use crate::diff::rule::{self, Rule};
use crate::diff::schema::{Comparison, Direction};
use crate::diff::surface::{FieldSurface, InnerSurface};

pub(super) fn compare(place: &str, old: &FieldSurface, new: &FieldSurface, found: &mut Vec<Finding>) {
    let direction = if old.read_only { Direction::Response } else { Direction::Both };
    let name = place.rsplit('.').next().unwrap_or(place);
    // Null is told by the fields themselves, and most schemas do not speak of it.
    let mut proposed = None;
    for (rule, path, told) in schemas(&complete(old), &complete(new), direction) {
        let lens = if path.is_empty() { lens::of_schema(rule, place, old, new) } else { None };
        // One lens absorbs all the words that are gone: it is proposed once.
        let lens = lens.filter(|lens| proposed.replace(lens.clone()).as_ref() != Some(lens));
        found.push(Finding::new(rule, format!("{place}{path}"), format!("`{name}`: {told}.")).with_lens(lens));
    }
    requirement(place, name, old, new, found);
    defaults(place, name, old, new, found);
    let mut tell = |rule, told: String| found.push(Finding::new(rule, place, told));
    match (old.read_only, new.read_only) {
        (false, true) => tell(&rule::FIELD_READ_ONLY, format!("Clients can no longer write `{name}`.")),
        (true, false) => tell(&rule::FIELD_WRITABLE, format!("Clients can write `{name}`.")),
        _ => {}
    }
    if old.set != new.set && old.read_only == new.read_only {
        let word = |set: &Option<String>| set.as_ref().map_or("nothing".to_owned(), |set| format!("`{set}`"));
        let told = format!("The server writes {} into `{name}`, not {}.", word(&new.set), word(&old.set));
        tell(&rule::STAMP_CHANGED, told);
    }
    switches(place, name, old, new, found);
    lists(place, name, old, new, found);
    relation(place, name, old, new, found);
}

/// What lists go by, of the field itself and of the values inside of it.
fn lists(place: &str, name: &str, old: &FieldSurface, new: &FieldSurface, found: &mut Vec<Finding>) {
    let itself = |field: &FieldSurface| InnerSurface { filter: field.filter, sort: field.sort };
    listed(place, name, itself(old), itself(new), found);
    let paths: BTreeSet<&String> = old.inner.keys().chain(new.inner.keys()).collect();
    for path in paths {
        let inside = |field: &FieldSurface| field.inner.get(path).copied().unwrap_or_default();
        listed(&format!("{place}.{path}"), &format!("{name}.{path}"), inside(old), inside(new), found);
    }
}

/// What lists can no longer go by, or can from now on.
pub(super) fn listed(place: &str, name: &str, old: InnerSurface, new: InnerSurface, found: &mut Vec<Finding>) {
    let mut tell = |rule, told: String| found.push(Finding::new(rule, place, told));
    match (old.filter, new.filter) {
        (true, false) => tell(&rule::FILTER_REMOVED, format!("Lists can no longer be filtered by `{name}`.")),
        (false, true) => tell(&rule::FILTER_ADDED, format!("Lists can be filtered by `{name}`.")),
        _ => {}
    }
    match (old.sort, new.sort) {
        (true, false) => tell(&rule::SORT_REMOVED, format!("Lists can no longer be sorted by `{name}`.")),
        (false, true) => tell(&rule::SORT_ADDED, format!("Lists can be sorted by `{name}`.")),
        _ => {}
    }
}

fn switches(place: &str, name: &str, old: &FieldSurface, new: &FieldSurface, found: &mut Vec<Finding>) {
    let mut tell = |was: bool, is: bool, gone: (&'static Rule, &str), come: (&'static Rule, &str)| {
        if was != is {
            let (rule, words) = if was { gone } else { come };
            found.push(Finding::new(rule, place, words.replace('_', name)));
        }
    };
    tell(
        old.unique,
        new.unique,
        (&rule::UNIQUENESS_DROPPED, "Two rows may have the same `_`."),
        (&rule::UNIQUENESS_ADDED, "A `_` that another row has is refused."),
    );
    tell(
        old.search,
        new.search,
        (&rule::SEARCH_REMOVED, "`q` no longer finds the words of `_`."),
        (&rule::SEARCH_ADDED, "`q` finds the words of `_`."),
    );
}

/// What differs between two schemas that stand alone: the rule, the place below, and what changed.
pub(super) fn schemas(old: &Value, new: &Value, direction: Direction) -> Vec<(&'static Rule, String, String)> {
    let mut comparison = Comparison::new(old, new);
    let differences = comparison.compare(old, new, false);
    let told = differences.iter().filter_map(|one| Some((one.rule(direction)?, one.path.clone(), one.told.clone())));
    told.collect()
}

/// The schema with what the field says of null. A default is compared apart.
fn complete(field: &FieldSurface) -> Value {
    let mut schema = field.schema.clone();
    if let Value::Object(keywords) = &mut schema {
        keywords.remove("default");
        if field.nullable {
            keywords.insert("nullable".to_owned(), json!(true));
        }
    }
    schema
}

fn requirement(place: &str, name: &str, old: &FieldSurface, new: &FieldSurface, found: &mut Vec<Finding>) {
    match (old.required, new.required) {
        (false, true) => {
            found.push(Finding::new(&rule::FIELD_BECAME_REQUIRED, place, format!("`{name}` is required now.")));
        }
        (true, false) => {
            found.push(Finding::new(&rule::FIELD_BECAME_OPTIONAL, place, format!("`{name}` is no longer required.")));
        }
        _ => {}
    }
}

fn defaults(place: &str, name: &str, old: &FieldSurface, new: &FieldSurface, found: &mut Vec<Finding>) {
    let told = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), |value| format!("`{value}`"));
    if old.default == new.default {
        return;
    }
    let sentence = format!("Left out, `{name}` is {}, not {}.", told(&new.default), told(&old.default));
    let rule = if old.required || new.required { &rule::DEFAULT_STATED } else { &rule::DEFAULT_CHANGED };
    found.push(Finding::new(rule, place, sentence));
}

fn relation(place: &str, name: &str, old: &FieldSurface, new: &FieldSurface, found: &mut Vec<Finding>) {
    let mut tell = |rule, told: String| found.push(Finding::new(rule, place, told));
    match (&old.relation, &new.relation) {
        (Some(before), Some(after)) => {
            if before.resource != after.resource {
                let told = format!("`{name}` points at `{}`, not at `{}`.", after.resource, before.resource);
                tell(&rule::RELATION_CHANGED, told);
            }
            if before.name != after.name {
                let told = format!("`include={}` is `include={}` now.", before.name, after.name);
                tell(&rule::INCLUDE_REMOVED, told);
            }
            if before.on_delete != after.on_delete {
                let told = format!(
                    "When the row that `{name}` points at is deleted: {}, not {}.",
                    after.on_delete, before.on_delete
                );
                tell(&rule::RELATION_CHANGED, told);
            }
        }
        (Some(before), None) => {
            tell(&rule::INCLUDE_REMOVED, format!("`include={}` is no longer possible.", before.name));
        }
        (None, Some(after)) => tell(&rule::INCLUDE_ADDED, format!("`include={}` is possible.", after.name)),
        (None, None) => {}
    }
}
