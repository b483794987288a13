//! A task: the monitor of an action that takes time.

use serde_json::{Value, json};

use crate::ports::{Claimed, OperationState};
use crate::service::Speaker;

/// How far it is, and where its resource is.
pub fn task(speaker: &Speaker, claimed: &Claimed) -> Value {
    let task = &claimed.task;
    let prefix = &speaker.prefix;
    let served = speaker.edition.stored(&task.resource);
    let name = served.map_or(task.resource.as_str(), |served| &served.face.name);
    let resource = format!("{prefix}/{name}/{}", task.row.hyphenated());
    let action = served.and_then(|served| served.seen_action(&task.action)).unwrap_or(&task.action);
    let (status, problem) = match &claimed.state {
        OperationState::Pending if claimed.attempts == 0 => ("pending", Value::Null),
        OperationState::Pending => ("running", Value::Null),
        OperationState::Succeeded => ("succeeded", Value::Null),
        OperationState::Failed { status, detail } => ("failed", json!({ "status": status, "detail": detail })),
    };
    let is_done = !matches!(claimed.state, OperationState::Pending);
    json!({
        "id": task.id.to_string(),
        "status": status,
        "action": action,
        "resource": resource,
        "created_at": task.created_at.to_string(),
        "updated_at": claimed.updated_at.to_string(),
        "finished_at": is_done.then(|| claimed.updated_at.to_string()),
        "problem": problem,
        "links": { "self": format!("{prefix}/operations/{}", task.id), "resource": resource },
    })
}
