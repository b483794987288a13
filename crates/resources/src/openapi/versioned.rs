//! What the version of an API adds to its description: its number on every answer, and its end where that is near.

use serde_json::{Map, Value, json};
use valetkey_rest::version::Lifecycle;

use super::{Surroundings, reference};
use crate::model::{Api, Operation};

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// Marks every operation.
pub(super) fn mark(document: &mut Value, api: &Api, at: &Surroundings) {
    let is_ending = matches!(at.state, Lifecycle::Deprecated | Lifecycle::Sunset | Lifecycle::Removed);
    let mut told = vec!["X-API-Version"];
    if is_ending {
        told.extend(["Deprecation", "Sunset", "Link"]);
    }
    if at.state == Lifecycle::Sunset {
        told.push("API-Warning");
    }
    let version = api.versions.iter().find(|version| version.number == at.version);
    let may_end = version.is_some_and(|version| version.removed.is_some() || version.sunset.is_some());
    if at.state == Lifecycle::Sunset {
        forget(document, api, at.version);
    }
    if let Some(paths) = document["paths"].as_object_mut() {
        // An address at which nothing can be done is none.
        paths.retain(|_, item| METHODS.iter().any(|method| item.get(method).is_some()));
    }
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for method in METHODS {
            let Some(operation) = item.get_mut(method).and_then(Value::as_object_mut) else { continue };
            if is_ending {
                operation.insert("deprecated".to_owned(), Value::Bool(true));
            }
            let Some(answers) = operation.get_mut("responses").and_then(Value::as_object_mut) else { continue };
            if may_end {
                answers.insert("410".to_owned(), reference("responses", "Gone"));
            }
            rewrite_success(api, path, method, answers);
            tell(answers, &told);
        }
    }
    if let Some(refusals) = document["components"]["responses"].as_object_mut() {
        tell(refusals, &told);
    }
}

/// What is gone with the sunset is not described any more.
fn forget(document: &mut Value, api: &Api, number: u32) {
    let Some(version) = api.versions.iter().find(|version| version.number == number) else { return };
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        let Some(item) = item.as_object_mut() else { continue };
        let parts: Vec<&str> = path.split('/').skip(1).collect();
        let Some(of) = parts.iter().rev().find_map(|part| api.resource(part)) else { continue };
        let action = parts.last().filter(|last| of.action(last).is_some());
        let is_one = parts.last().is_some_and(|last| *last == "{id}");
        for method in METHODS {
            let operation = match (method, action, is_one) {
                ("post", Some(_), _) => Operation::Act,
                ("post", None, _) => Operation::Create,
                ("get", _, true) => Operation::Read,
                ("get", _, false) => Operation::List,
                ("put", ..) => Operation::Replace,
                ("patch", ..) => Operation::Update,
                _ => Operation::Delete,
            };
            let is_gone = version.gone.iter().any(|gone| {
                gone.resource == of.name
                    && gone.operation.is_none_or(|named| named == operation)
                    && gone.action.as_deref().is_none_or(|named| action.is_some_and(|action| *action == named))
            });
            if is_gone {
                item.remove(method);
            }
        }
    }
}

/// Every answer that stands here has these headers.
fn tell(answers: &mut Map<String, Value>, names: &[&str]) {
    for answer in answers.values_mut().filter_map(Value::as_object_mut).filter(|answer| !answer.contains_key("$ref")) {
        let headers = answer.entry("headers").or_insert_with(|| json!({}));
        for name in names {
            if let Some(headers) = headers.as_object_mut() {
                headers.entry(*name).or_insert_with(|| reference("headers", name));
            }
        }
    }
}

/// A version that answered with another status of success says so.
fn rewrite_success(api: &Api, path: &str, method: &str, answers: &mut Map<String, Value>) {
    let mut segments = path.split('/').skip(1);
    let parts: Vec<&str> = segments.by_ref().collect();
    let named = parts.iter().rev().find_map(|part| api.resource(part));
    let action = parts.last().and_then(|last| named?.action(last));
    let (operation, usual) = match method {
        // It is answered with a task, whatever the version.
        "post" if action.is_some_and(|action| action.is_async) => return,
        "post" if action.is_some() => (Operation::Act, "200"),
        "post" => (Operation::Create, "201"),
        "delete" => (Operation::Delete, "204"),
        _ => return,
    };
    let Some(status) = named.and_then(|of| of.status(operation)).map(|status| status.to_string()) else { return };
    if status == usual {
        return;
    }
    let Some(mut answer) = answers.remove(usual) else { return };
    if let Some(answer) = answer.as_object_mut() {
        match status.as_str() {
            "204" => drop(answer.remove("content")),
            _ if !answer.contains_key("content") => {
                let empty = json!({ "application/json": { "schema": { "type": "object" } } });
                answer.insert("content".to_owned(), empty);
            }
            _ => {}
        }
    }
    answers.insert(status, answer);
}
