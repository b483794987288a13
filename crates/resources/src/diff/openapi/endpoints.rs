//! Paths and methods. A path is the same whatever its parameters are called.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Pair, Work, bodies, callbacks, lifecycle, members, parameters, security};
use crate::diff::finding::Finding;
use crate::diff::rule;

/// What a path can be asked for.
pub(super) const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// An operation where it stands.
struct Endpoint<'a> {
    path: &'a str,
    item: &'a Value,
    operation: &'a Value,
}

pub(super) fn compare(work: &mut Work<'_>) {
    let (old, new) = (endpoints(work.old), endpoints(work.new));
    for ((shape, method), endpoint) in &old {
        let place = format!("{} {}", method.to_uppercase(), endpoint.path);
        let Some(other) = new.get(&(shape.clone(), *method)) else {
            lifecycle::removed(work, &place, endpoint.operation);
            continue;
        };
        let pair = Pair {
            place: &place,
            old_path: endpoint.path,
            new_path: other.path,
            old_item: endpoint.item,
            new_item: other.item,
            old: endpoint.operation,
            new: other.operation,
        };
        lifecycle::compare(work, &place, "The endpoint", pair.old, pair.new);
        operation_id(work, &pair);
        parameters::compare(work, &pair);
        bodies::request(work, &pair);
        bodies::responses(work, &pair);
        security::compare(work, &pair);
        callbacks::compare(work, &pair);
    }
    for ((_, method), endpoint) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        let place = format!("{} {}", method.to_uppercase(), endpoint.path);
        let told = "There is a new endpoint.".to_owned();
        work.found.push(Finding::new(&rule::ENDPOINT_ADDED, place, told));
    }
}

fn endpoints(document: &Value) -> BTreeMap<(String, &str), Endpoint<'_>> {
    let mut all = BTreeMap::new();
    for (path, item) in members(document.get("paths")) {
        let item = super::follow(document, item);
        for method in METHODS {
            if let Some(operation) = item.get(method).filter(|operation| operation.is_object()) {
                all.insert((shape(path), method), Endpoint { path, item, operation });
            }
        }
    }
    all
}

/// `/users/{id}/orders/` as `/users/{}/orders/`.
fn shape(path: &str) -> String {
    let mut shape = String::with_capacity(path.len());
    let mut is_inside = false;
    for sign in path.chars() {
        match sign {
            '{' => {
                is_inside = true;
                shape.push('{');
            }
            '}' => {
                is_inside = false;
                shape.push('}');
            }
            _ if is_inside => {}
            _ => shape.push(sign),
        }
    }
    shape
}

/// The names of the parameters in a path, in order.
pub(super) fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|part| part.split_once('}').map(|(name, _)| name))
}

fn operation_id(work: &mut Work<'_>, pair: &Pair<'_>) {
    let id = |operation: &Value| operation.get("operationId").and_then(Value::as_str).map(str::to_owned);
    if let (Some(old), Some(new)) = (id(pair.old), id(pair.new))
        && old != new
    {
        work.tell(&rule::OPERATION_ID_CHANGED, pair.place, format!("The operation id `{old}` is `{new}` now."));
    }
}
