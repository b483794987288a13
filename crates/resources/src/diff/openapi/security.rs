//! Who may call: an operation is open to whoever fulfils one of its requirements.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Pair, Work, members};
use crate::diff::rule;

/// Schemes that must all be fulfilled, each with its scopes. Empty: nothing is asked.
type Requirement = BTreeMap<String, BTreeSet<String>>;

pub(super) fn compare(work: &mut Work<'_>, pair: &Pair<'_>) {
    let (old, new) = (requirements(work.old, pair.old), requirements(work.new, pair.new));
    if old == new {
        return;
    }
    for requirement in &old {
        // Whoever could call still can, with the same credentials.
        if new.iter().any(|other| fulfils(requirement, other)) {
            continue;
        }
        // The same schemes, and more scopes.
        let more =
            new.iter().filter(|other| other.keys().eq(requirement.keys())).map(|other| added(requirement, other));
        match more.min_by_key(Vec::len) {
            Some(scopes) => {
                let told = format!("The scope {} is needed now.", scopes.join(", "));
                work.tell(&rule::SCOPE_NEEDED, pair.place, told);
            }
            None if requirement.is_empty() => {
                let told = format!("A call needs {} now; it needed nothing.", listed(&new));
                work.tell(&rule::AUTHENTICATION_CHANGED, pair.place, told);
            }
            None => {
                let told = format!("{} no longer suffices; {} is needed.", named(requirement), listed(&new));
                work.tell(&rule::AUTHENTICATION_CHANGED, pair.place, told);
            }
        }
    }
    for requirement in new.iter().filter(|requirement| !old.contains(requirement)) {
        let same = old.iter().find(|other| other.keys().eq(requirement.keys()));
        match same.map(|other| added(requirement, other)) {
            Some(scopes) if !scopes.is_empty() => {
                let told = format!("The scope {} is no longer needed.", scopes.join(", "));
                work.tell(&rule::SCOPE_DROPPED, pair.place, told);
            }
            Some(_) => {}
            None if old.iter().any(Requirement::is_empty) => {}
            None => {
                let told = format!("{} suffices.", named(requirement));
                work.tell(&rule::AUTHENTICATION_ADDED, pair.place, told);
            }
        }
    }
}

/// Is whoever fulfils `held` let in by `asked`?
fn fulfils(held: &Requirement, asked: &Requirement) -> bool {
    asked.iter().all(|(scheme, scopes)| held.get(scheme).is_some_and(|has| scopes.is_subset(has)))
}

/// Scopes that the other asks for besides.
fn added(one: &Requirement, other: &Requirement) -> Vec<String> {
    let new = other.iter().flat_map(|(scheme, scopes)| {
        let held = one.get(scheme);
        scopes.iter().filter(move |scope| held.is_none_or(|held| !held.contains(*scope)))
    });
    new.map(|scope| format!("`{scope}`")).collect()
}

/// What the operation asks for, or else the document. Nothing asked is one requirement without schemes.
fn requirements(document: &Value, operation: &Value) -> BTreeSet<Requirement> {
    let asked = operation.get("security").or_else(|| document.get("security")).and_then(Value::as_array);
    let mut all: BTreeSet<Requirement> = asked.into_iter().flatten().map(requirement).collect();
    if all.is_empty() {
        all.insert(Requirement::new());
    }
    all
}

fn requirement(value: &Value) -> Requirement {
    let scopes = |value: &Value| {
        let scopes = value.as_array().into_iter().flatten();
        scopes.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    members(Some(value)).map(|(scheme, value)| (scheme.clone(), scopes(value))).collect()
}

fn named(requirement: &Requirement) -> String {
    match requirement.len() {
        0 => "no authentication".to_owned(),
        _ => requirement.keys().map(|scheme| format!("`{scheme}`")).collect::<Vec<_>>().join(" with "),
    }
}

fn listed(all: &BTreeSet<Requirement>) -> String {
    all.iter().map(named).collect::<Vec<_>>().join(" or ")
}

/// What the schemes are.
pub(super) fn schemes(work: &mut Work<'_>) {
    let all = |document: &Value| {
        let schemes = document.get("components").and_then(|parts| parts.get("securitySchemes"));
        members(schemes).map(|(name, scheme)| (name.clone(), scheme.clone())).collect::<BTreeMap<_, _>>()
    };
    let (old, new) = (all(work.old), all(work.new));
    for (name, before) in &old {
        let Some(after) = new.get(name) else { continue };
        let before = super::follow(work.old, before).clone();
        let after = super::follow(work.new, after).clone();
        let place = format!("security scheme {name}");
        for key in ["type", "scheme", "in", "name"] {
            let word = |scheme: &Value| scheme.get(key).and_then(Value::as_str).map(str::to_lowercase);
            let (was, is) = (word(&before), word(&after));
            if was != is {
                let told = |word: Option<String>| word.unwrap_or_else(|| "nothing".to_owned());
                let sentence = format!("`{key}` is `{}`, not `{}`.", told(is), told(was));
                work.tell(&rule::AUTHENTICATION_CHANGED, &place, sentence);
            }
        }
        flows(work, &place, &before, &after);
    }
}

fn flows(work: &mut Work<'_>, place: &str, before: &Value, after: &Value) {
    for (flow, was) in members(before.get("flows")) {
        let Some(is) = after.get("flows").and_then(|flows| flows.get(flow)) else {
            work.tell(&rule::AUTHENTICATION_CHANGED, place, format!("The flow `{flow}` is gone."));
            continue;
        };
        for url in ["authorizationUrl", "tokenUrl", "refreshUrl"] {
            if was.get(url) != is.get(url) {
                work.tell(&rule::AUTHENTICATION_MOVED, place, format!("`{url}` of the flow `{flow}` is another one."));
            }
        }
        let scopes = |flow: &Value| members(flow.get("scopes")).map(|(name, _)| name.clone()).collect::<BTreeSet<_>>();
        let (old, new) = (scopes(was), scopes(is));
        for scope in old.difference(&new) {
            work.tell(&rule::SCOPE_REMOVED, place, format!("The scope `{scope}` is gone from the flow `{flow}`."));
        }
        for scope in new.difference(&old) {
            work.tell(&rule::SCOPE_ADDED, place, format!("The scope `{scope}` is new in the flow `{flow}`."));
        }
    }
    for (flow, _) in members(after.get("flows")) {
        if before.get("flows").and_then(|flows| flows.get(flow)).is_none() {
            work.tell(&rule::AUTHENTICATION_ADDED, place, format!("There is a flow `{flow}`."));
        }
    }
}
