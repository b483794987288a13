//! Parameters: in the path, the query, headers and cookies.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Pair, Work, endpoints, is_set, lifecycle, members};
use crate::diff::rule;
use crate::diff::schema::Direction;

/// Where it stands, and its name; in a path, its place counts and not its name.
type Key = (String, String);

pub(super) fn compare(work: &mut Work<'_>, pair: &Pair<'_>) {
    let old = all(work.old, pair.old_item, pair.old, pair.old_path);
    let new = all(work.new, pair.new_item, pair.new, pair.new_path);
    for (key, before) in &old {
        let what = format!("the {} parameter `{}`", key.0, name(before));
        match new.get(key) {
            Some(after) => one(work, pair.place, &what, before, after),
            // What stands in a path went with it.
            None if key.0 == "path" => {}
            None => work.tell(&rule::PARAMETER_REMOVED, pair.place, format!("{} is gone.", capital(&what))),
        }
    }
    for (key, after) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        let what = format!("The {} parameter `{}`", key.0, name(after));
        if is_set(after, "required") && key.0 != "path" {
            work.tell(&rule::REQUIRED_PARAMETER_ADDED, pair.place, format!("{what} is new and required."));
        } else if key.0 != "path" {
            work.tell(&rule::OPTIONAL_PARAMETER_ADDED, pair.place, format!("{what} is new."));
        }
    }
}

fn one(work: &mut Work<'_>, place: &str, what: &str, before: &Value, after: &Value) {
    lifecycle::compare(work, place, &capital(what), before, after);
    match (is_set(before, "required"), is_set(after, "required")) {
        (false, true) => {
            work.tell(&rule::PARAMETER_BECAME_REQUIRED, place, format!("{} is required now.", capital(what)));
        }
        (true, false) => {
            work.tell(&rule::PARAMETER_BECAME_OPTIONAL, place, format!("{} can be left out now.", capital(what)));
        }
        _ => {}
    }
    restyled(work, place, what, before, after);
    match (before.get("schema"), after.get("schema")) {
        (Some(old), Some(new)) => work.schemas(old, new, Direction::Request, true, place, what),
        (None, Some(_)) if before.get("content").is_none() => {
            work.tell(&rule::VALIDATION_TIGHTENED, place, format!("{} has a schema now.", capital(what)));
        }
        _ => content(work, place, what, before, after),
    }
}

/// A parameter that holds JSON.
fn content(work: &mut Work<'_>, place: &str, what: &str, before: &Value, after: &Value) {
    for (media, old) in members(before.get("content")) {
        let new = after.get("content").and_then(|content| content.get(media));
        if let (Some(old), Some(new)) = (old.get("schema"), new.and_then(|new| new.get("schema"))) {
            work.schemas(old, new, Direction::Request, false, place, what);
        }
    }
}

fn restyled(work: &mut Work<'_>, place: &str, what: &str, before: &Value, after: &Value) {
    let schema = before.get("schema").map(|schema| work.old_part(schema));
    let is_compound = schema.is_some_and(|schema| {
        let kind = schema.get("type").and_then(Value::as_str);
        matches!(kind, Some("array" | "object"))
    });
    let (old, new) = (style(before), style(after));
    if is_compound && old != new {
        let told = |(style, explode): &(String, bool)| format!("`{style}`{}", if *explode { ", exploded" } else { "" });
        let sentence = format!("{} is written as {}, not as {}.", capital(what), told(&new), told(&old));
        work.tell(&rule::PARAMETER_RESTYLED, place, sentence);
    }
}

/// How lists and objects are written, with the defaults of OpenAPI.
fn style(parameter: &Value) -> (String, bool) {
    let place = parameter.get("in").and_then(Value::as_str);
    let usual = if matches!(place, Some("query" | "cookie")) { "form" } else { "simple" };
    let style = parameter.get("style").and_then(Value::as_str).unwrap_or(usual);
    let explode = parameter.get("explode").and_then(Value::as_bool).unwrap_or(style == "form");
    (style.to_owned(), explode)
}

/// Those of the operation, and those of its path that the operation does not have itself.
fn all<'a>(document: &'a Value, item: &'a Value, operation: &'a Value, path: &str) -> BTreeMap<Key, &'a Value> {
    let mut all = BTreeMap::new();
    for holder in [item, operation] {
        for parameter in holder.get("parameters").and_then(Value::as_array).into_iter().flatten() {
            let parameter = super::follow(document, parameter);
            let (Some(place), name) = (parameter.get("in").and_then(Value::as_str), name(parameter)) else { continue };
            let key = match place {
                "path" => {
                    let position = endpoints::names(path).position(|other| other == name);
                    position.map_or_else(|| name.to_owned(), |position| position.to_string())
                }
                "header" => name.to_lowercase(),
                _ => name.to_owned(),
            };
            all.insert((place.to_owned(), key), parameter);
        }
    }
    all
}

fn name(parameter: &Value) -> &str {
    parameter.get("name").and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
