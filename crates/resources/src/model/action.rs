//! What can be done to a row besides changing it: a transition of its state, perhaps with work elsewhere.

use std::time::Duration;

use serde_json::Value;

/// One declared action: `POST /<plural>/<id>/<name>`.
#[derive(Debug, Clone)]
pub struct Action {
    /// Its path segment.
    pub name: String,
    /// What it does, in plain words.
    pub description: String,
    /// The states it is possible in; empty means any.
    pub from: Vec<String>,
    /// The state it leads to; none leaves the state as it is.
    pub to: Option<String>,
    /// The scope it needs; none means the scope of updates.
    pub scope: Option<String>,
    /// Answered with 202 and done later?
    pub is_async: bool,
    /// JSON Schema of the body; none means that a body is refused unless it is `{}`.
    pub input: Option<Value>,
    /// Who does the work; none means that the transition is all there is to do.
    pub handler: Option<Handler>,
}

/// A service that does the work of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handler {
    /// Where it listens.
    pub url: String,
    /// How long one call may take.
    pub timeout: Duration,
    /// How often it is tried in all.
    pub attempts: u32,
    /// The version that it speaks; none means the newest.
    pub version: Option<u32>,
}

impl Action {
    /// Is it possible in this state?
    pub fn is_possible_in(&self, state: Option<&str>) -> bool {
        self.from.is_empty() || state.is_some_and(|state| self.from.iter().any(|from| from == state))
    }
}
