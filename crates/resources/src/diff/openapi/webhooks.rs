//! Webhooks: calls that go the other way. Clients read what stands in the request, and write what stands in the answer.

use serde_json::Value;

use super::{Work, bodies, endpoints, members};
use crate::diff::rule;
use crate::diff::schema::Direction;

pub(super) fn compare(work: &mut Work<'_>) {
    let (old, new) = (work.old.get("webhooks"), work.new.get("webhooks"));
    for (name, before) in members(old) {
        let place = format!("webhook {name}");
        match new.and_then(|webhooks| webhooks.get(name)) {
            Some(after) => {
                let (before, after) = (work.old_part(before), work.new_part(after));
                one(work, &place, before, after);
            }
            None => work.tell(&rule::WEBHOOK_REMOVED, &place, format!("The webhook `{name}` is gone.")),
        }
    }
    for (name, _) in members(new).filter(|(name, _)| old.and_then(|webhooks| webhooks.get(*name)).is_none()) {
        work.tell(&rule::WEBHOOK_ADDED, &format!("webhook {name}"), format!("There is a webhook `{name}`."));
    }
}

/// One call, by each of its methods.
pub(super) fn one(work: &mut Work<'_>, place: &str, before: &Value, after: &Value) {
    for method in endpoints::METHODS {
        let Some(old) = before.get(method) else { continue };
        let Some(new) = after.get(method) else {
            let told = format!("Nothing is sent by {} any more.", method.to_uppercase());
            work.tell(&rule::WEBHOOK_REMOVED, place, told);
            continue;
        };
        match (old.get("requestBody"), new.get("requestBody")) {
            (Some(old), Some(new)) => {
                let (old, new) = (work.old_part(old), work.new_part(new));
                bodies::content(work, place, "what is sent", old, new, Direction::Response);
            }
            (Some(_), None) => work.tell(&rule::BODY_REMOVED, place, "What is sent has no body any more.".to_owned()),
            (None, _) => {}
        }
        for (status, old) in members(old.get("responses")) {
            let Some(new) = new.get("responses").and_then(|responses| responses.get(status)) else { continue };
            let (old, new) = (work.old_part(old), work.new_part(new));
            let what = format!("what is to be answered with {status}");
            bodies::content(work, place, &what, old, new, Direction::Request);
        }
    }
}
