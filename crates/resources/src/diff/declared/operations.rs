//! Operations and actions: what they need, what they answer, when they are possible.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{field, lens};
use crate::diff::finding::Finding;
use crate::diff::rule;
use crate::diff::schema::Direction;
use crate::diff::surface::{ActionSurface, OperationSurface, ResourceSurface};

pub(super) fn compare(resource: &str, old: &ResourceSurface, new: &ResourceSurface, found: &mut Vec<Finding>) {
    for (name, before) in &old.operations {
        let place = format!("{resource}.operations.{name}");
        match new.operations.get(name) {
            Some(after) => {
                demands(&place, before, after, found);
                status(&place, resource, Some(name), before.status, after.status, found);
            }
            None => {
                let told = format!("`{name}` of `/{resource}` is no longer offered.");
                let lens = lens::remove(&place);
                found.push(Finding::new(&rule::ENDPOINT_REMOVED, &place, told).with_lens(lens));
            }
        }
    }
    for name in new.operations.keys().filter(|name| !old.operations.contains_key(*name)) {
        let told = format!("`{name}` of `/{resource}` is offered.");
        found.push(Finding::new(&rule::ENDPOINT_ADDED, format!("{resource}.operations.{name}"), told));
    }
    actions(resource, old, new, found);
}

fn actions(resource: &str, old: &ResourceSurface, new: &ResourceSurface, found: &mut Vec<Finding>) {
    let mut come: BTreeSet<&String> = new.actions.keys().filter(|name| !old.actions.contains_key(*name)).collect();
    for (name, before) in &old.actions {
        let place = format!("{resource}.actions.{name}");
        if let Some(after) = new.actions.get(name) {
            action(resource, name, before, after, found);
            continue;
        }
        // The same transition under another name.
        let same = come.iter().copied().find(|other| new.actions.get(*other) == Some(before));
        if let Some(other) = same {
            come.remove(other);
            let told = format!("The action `{name}` is gone, and `{other}` does the same: it probably has a new name.");
            let lens = lens::rename(&place, other);
            found.push(Finding::new(&rule::ENDPOINT_RENAMED, &place, told).with_lens(lens));
        } else {
            let told = format!("The action `{name}` is gone.");
            found.push(Finding::new(&rule::ENDPOINT_REMOVED, &place, told).with_lens(lens::remove(&place)));
        }
    }
    for name in come {
        let told = format!("There is an action `{name}`.");
        found.push(Finding::new(&rule::ENDPOINT_ADDED, format!("{resource}.actions.{name}"), told));
    }
}

fn action(resource: &str, name: &str, old: &ActionSurface, new: &ActionSurface, found: &mut Vec<Finding>) {
    let place = format!("{resource}.actions.{name}");
    demands(&place, &old.operation, &new.operation, found);
    status(&place, resource, None, old.operation.status, new.operation.status, found);
    transitions(&place, old, new, found);
    if old.to != new.to {
        let told = |state: &Option<String>| state.as_ref().map_or("no other state".to_owned(), |to| format!("`{to}`"));
        let sentence = format!("The action leads to {}, not to {}.", told(&new.to), told(&old.to));
        found.push(Finding::new(&rule::OUTCOME_CHANGED, &place, sentence));
    }
    let none = json!({ "type": "object", "maxProperties": 0 });
    let of = |input: &Option<Value>| input.as_ref().unwrap_or(&none).clone();
    let place = format!("{place}.input");
    for (rule, path, told) in field::schemas(&of(&old.input), &of(&new.input), Direction::Request) {
        found.push(Finding::new(rule, format!("{place}{path}"), format!("In the body of the action: {told}.")));
    }
}

fn transitions(place: &str, old: &ActionSurface, new: &ActionSurface, found: &mut Vec<Finding>) {
    let listed = |states: &[&String]| states.iter().map(|state| format!("`{state}`")).collect::<Vec<_>>().join(", ");
    match (old.from.is_empty(), new.from.is_empty()) {
        (true, false) => {
            let told = format!("The action is only possible in {}.", listed(&new.from.iter().collect::<Vec<_>>()));
            found.push(Finding::new(&rule::TRANSITION_REMOVED, place, told));
        }
        (false, true) => {
            found.push(Finding::new(&rule::TRANSITION_ADDED, place, "The action is possible in every state."));
        }
        _ => {
            let gone: Vec<&String> = old.from.iter().filter(|state| !new.from.contains(state)).collect();
            if !gone.is_empty() {
                let told = format!("The action is no longer possible in {}.", listed(&gone));
                found.push(Finding::new(&rule::TRANSITION_REMOVED, place, told));
            }
            let come: Vec<&String> = new.from.iter().filter(|state| !old.from.contains(state)).collect();
            if !come.is_empty() {
                let told = format!("The action is also possible in {}.", listed(&come));
                found.push(Finding::new(&rule::TRANSITION_ADDED, place, told));
            }
        }
    }
}

fn status(place: &str, resource: &str, operation: Option<&str>, old: u16, new: u16, found: &mut Vec<Finding>) {
    if old != new {
        let told = format!("Success is answered with {new}, not with {old}.");
        // Of actions, only all at once can answer as they did; whether one is done later is no matter of a lens.
        let lens = operation.map(|operation| lens::status(&format!("{resource}.{operation}"), old));
        found.push(Finding::new(&rule::STATUS_CHANGED, place, told).with_lens(lens));
    }
}

fn demands(place: &str, old: &OperationSurface, new: &OperationSurface, found: &mut Vec<Finding>) {
    let mut tell = |rule, told: String| found.push(Finding::new(rule, place, told));
    match (&old.scope, &new.scope) {
        (Some(before), Some(after)) if before != after => {
            tell(&rule::SCOPE_NEEDED, format!("The scope `{after}` is needed, not `{before}`."));
        }
        (None, Some(after)) => tell(&rule::SCOPE_NEEDED, format!("The scope `{after}` is needed; any token would do.")),
        (Some(before), None) => tell(&rule::SCOPE_DROPPED, format!("The scope `{before}` is not needed any more.")),
        _ => {}
    }
    match (old.if_match, new.if_match) {
        (false, true) => tell(&rule::IF_MATCH_NEEDED, "Without `If-Match`, the answer is 428.".to_owned()),
        (true, false) => tell(&rule::IF_MATCH_OPTIONAL, "`If-Match` is not needed any more.".to_owned()),
        _ => {}
    }
    match (old.idempotency_key, new.idempotency_key) {
        (false, true) => {
            tell(&rule::IDEMPOTENCY_KEY_NEEDED, "Without `Idempotency-Key`, the call is refused.".to_owned())
        }
        (true, false) => {
            tell(&rule::IDEMPOTENCY_KEY_OPTIONAL, "`Idempotency-Key` is not needed any more.".to_owned());
        }
        _ => {}
    }
}
