//! What clients see of the operations and actions of a resource.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::is_false;
use super::normal::normal;
use crate::model::{Action, Operation, Resource};

/// One operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OperationSurface {
    /// The scope it needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Is it refused without `If-Match`?
    #[serde(default, skip_serializing_if = "is_false")]
    pub if_match: bool,
    /// Is it refused without `Idempotency-Key`?
    #[serde(default, skip_serializing_if = "is_false")]
    pub idempotency_key: bool,
    /// The status of success.
    pub status: u16,
}

/// One action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionSurface {
    /// The states it is possible in; empty means any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<String>,
    /// The state it leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The JSON Schema of its body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// What it needs, and answers: 202 if it is done later.
    pub operation: OperationSurface,
}

/// The operations that are offered, but for actions.
pub(super) fn operations(resource: &Resource) -> BTreeMap<String, OperationSurface> {
    let offered = resource.operations.iter().filter(|operation| **operation != Operation::Act);
    offered.map(|operation| (operation.as_str().to_owned(), of(resource, *operation, usual(*operation)))).collect()
}

/// The actions that are offered.
pub(super) fn actions(resource: &Resource) -> BTreeMap<String, ActionSurface> {
    let offered = resource.actions.iter().filter(|_| resource.offers(Operation::Act));
    offered.map(|action| (action.name.clone(), ActionSurface::of(resource, action))).collect()
}

impl ActionSurface {
    fn of(resource: &Resource, action: &Action) -> Self {
        let mut operation = of(resource, Operation::Act, if action.is_async { 202 } else { 200 });
        operation.scope = action.scope.clone().or(operation.scope);
        let mut from = action.from.clone();
        from.sort();
        Self { from, to: action.to.clone(), input: action.input.as_ref().map(normal), operation }
    }
}

fn of(resource: &Resource, operation: Operation, usual: u16) -> OperationSurface {
    OperationSurface {
        scope: resource.scopes.of(operation).map(str::to_owned),
        if_match: resource.needs_if_match.contains(&operation),
        idempotency_key: resource.needs_idempotency_key.contains(&operation),
        status: resource.status(operation).unwrap_or(usual),
    }
}

fn usual(operation: Operation) -> u16 {
    match operation {
        Operation::List | Operation::Read | Operation::Replace | Operation::Update | Operation::Act => 200,
        Operation::Create => 201,
        Operation::Delete => 204,
    }
}
