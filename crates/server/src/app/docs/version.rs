//! The versions of the API for people, with what changed from one to the next: told from the lenses.

use serde_json::Value;
use valetkey_pages::api_docs::{DocsChange, DocsChangeKind as Kind, DocsState, DocsVersion};
use valetkey_resources::model::{Api, Change, Operation, Step, Version};
use valetkey_resources::service::Service;
use valetkey_rest::version::Lifecycle;

use crate::app::api::PREFIX;

/// All of them, from the newest. `shown` is the one that the page is about.
pub(super) fn versions(service: &Service, shown: u32) -> Vec<DocsVersion> {
    let today = service.versions.today();
    let each = service.api.versions.iter().rev().map(|version| {
        let state = service.versions.version(version.number).map_or(Lifecycle::Active, |known| known.state(today));
        let edition = service.edition(version.number);
        one(version, edition.map(|edition| &*edition.api), state, shown)
    });
    each.collect()
}

fn one(version: &Version, face: Option<&Api>, state: Lifecycle, shown: u32) -> DocsVersion {
    let is_there = !matches!(state, Lifecycle::Planned | Lifecycle::Removed);
    DocsVersion {
        number: version.number,
        state: match state {
            Lifecycle::Planned => DocsState::Planned,
            Lifecycle::Active => DocsState::Active,
            Lifecycle::Deprecated => DocsState::Deprecated,
            Lifecycle::Sunset => DocsState::Sunset,
            Lifecycle::Removed => DocsState::Removed,
        },
        address: is_there.then(|| format!("{PREFIX}/v{}/docs", version.number)),
        is_shown: version.number == shown,
        released: version.released.to_string(),
        deprecated: version.deprecated.map(|day| day.to_string()),
        sunset: version.sunset.map(|day| day.to_string()),
        removed: version.removed.map(|day| day.to_string()),
        changes: version.changes.iter().flat_map(|step| changes(step, face)).collect(),
    }
}

/// What a step means for a reader. `face` is the newer side.
fn changes(step: &Step, face: Option<&Api>) -> Vec<DocsChange> {
    let of = &step.resource;
    let told = |kind: Kind, place: String, from: &str, to: &str| {
        vec![DocsChange { kind, place, from: from.to_owned(), to: to.to_owned() }]
    };
    let part = |name: &str| format!("{of}.{name}");
    let operation = |operation: Operation| match operation {
        Operation::List => format!("GET /{of}"),
        Operation::Create => format!("POST /{of}"),
        Operation::Read => format!("GET /{of}/{{id}}"),
        Operation::Replace => format!("PUT /{of}/{{id}}"),
        Operation::Update => format!("PATCH /{of}/{{id}}"),
        Operation::Delete => format!("DELETE /{of}/{{id}}"),
        Operation::Act => format!("POST /{of}/{{id}}/…"),
    };
    let action = |name: &str| format!("POST /{of}/{{id}}/{name}");
    match &step.change {
        Change::ResourceRenamed { from, .. } => told(Kind::Renamed, of.clone(), &format!("/{from}"), &format!("/{of}")),
        Change::ResourceAdded => told(Kind::Added, format!("/{of}"), "", ""),
        Change::ResourceRemoved => told(Kind::Removed, format!("/{of}"), "", ""),
        Change::Renamed { from, to } => told(Kind::Renamed, of.clone(), from, to),
        Change::Retyped { field, from, .. } => {
            let newer = face.and_then(|face| face.resource(of)?.field(field));
            let kind = |schema: Option<&Value>| {
                let kind = schema.and_then(|schema| schema.get("type")).and_then(Value::as_str);
                kind.unwrap_or("…").to_owned()
            };
            told(Kind::Retyped, part(field), &kind(Some(from)), &kind(newer.map(|field| &field.schema)))
        }
        Change::Added { field, .. } => told(Kind::Added, part(field), "", ""),
        Change::Removed { field, .. } => told(Kind::Removed, part(field), "", ""),
        Change::Reworded { field, values, .. } => {
            let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let each = values.iter().filter(|(from, to)| from != to);
            each.flat_map(|(from, to)| told(Kind::Reworded, part(field), &word(from), &word(to))).collect()
        }
        Change::Moved { from, to } => told(Kind::Moved, of.clone(), &from.join("."), &to.join(".")),
        Change::Status { operation: of_operation, from } => {
            let usual = match of_operation {
                Operation::Create => "201",
                Operation::Delete => "204",
                _ => "200",
            };
            told(Kind::Status, operation(*of_operation), &from.to_string(), usual)
        }
        Change::ActionRenamed { from, to } => told(Kind::Renamed, of.clone(), &action(from), &action(to)),
        Change::ActionAdded(name) => told(Kind::Added, action(name), "", ""),
        Change::ActionRemoved(name) => told(Kind::Removed, action(name), "", ""),
        Change::OperationAdded(which) => told(Kind::Added, operation(*which), "", ""),
        Change::OperationRemoved(which) => told(Kind::Removed, operation(*which), "", ""),
    }
}
