//! What requests and answers hold: statuses, headers, media types, schemas.

use serde_json::Value;

use super::parameters::capital;
use super::{Pair, Work, is_set, members};
use crate::diff::rule;
use crate::diff::schema::Direction;

pub(super) fn request(work: &mut Work<'_>, pair: &Pair<'_>) {
    let old = pair.old.get("requestBody").map(|body| work.old_part(body));
    let new = pair.new.get("requestBody").map(|body| work.new_part(body));
    let place = pair.place;
    match (old, new) {
        (None, Some(new)) if is_set(new, "required") => {
            work.tell(&rule::BODY_REQUIRED, place, "A body is required now; there was none.".to_owned());
        }
        (None, Some(_)) => work.tell(&rule::BODY_OPTIONAL, place, "A request may have a body now.".to_owned()),
        (Some(_), None) => work.tell(&rule::BODY_REMOVED, place, "A request has no body any more.".to_owned()),
        (Some(old), Some(new)) => {
            match (is_set(old, "required"), is_set(new, "required")) {
                (false, true) => work.tell(&rule::BODY_REQUIRED, place, "The body is required now.".to_owned()),
                (true, false) => {
                    work.tell(&rule::BODY_OPTIONAL, place, "The body is no longer required.".to_owned());
                }
                _ => {}
            }
            content(work, place, "the body", old, new, Direction::Request);
        }
        (None, None) => {}
    }
}

pub(super) fn responses(work: &mut Work<'_>, pair: &Pair<'_>) {
    let (old, new) = (pair.old.get("responses"), pair.new.get("responses"));
    for (status, before) in members(old).filter(|(status, _)| !status.starts_with("x-")) {
        match find(new, status) {
            Some(after) => {
                let (before, after) = (work.old_part(before), work.new_part(after));
                answer(work, pair.place, status, before, after);
            }
            None if is_success(status) => {
                let others = statuses(new);
                let told = format!("Success was answered with {status}, and is with {others} now.");
                work.tell(&rule::STATUS_CHANGED, pair.place, told);
            }
            None => {
                let told = format!("The status {status} is no longer answered.");
                work.tell(&rule::ERROR_STATUS_CHANGED, pair.place, told);
            }
        }
    }
    for (status, _) in members(new).filter(|(status, _)| !status.starts_with("x-") && find(old, status).is_none()) {
        let rule = if is_success(status) { &rule::STATUS_ADDED } else { &rule::ERROR_STATUS_CHANGED };
        work.tell(rule, pair.place, format!("The status {status} may be answered."));
    }
}

fn is_success(status: &str) -> bool {
    status.starts_with('2') || status.starts_with('3')
}

fn statuses(responses: Option<&Value>) -> String {
    let all: Vec<&str> = members(responses).map(|(status, _)| status.as_str()).filter(|one| is_success(one)).collect();
    if all.is_empty() { "nothing that is named".to_owned() } else { all.join(" or ") }
}

fn answer(work: &mut Work<'_>, place: &str, status: &str, before: &Value, after: &Value) {
    let what = format!("the answer {status}");
    headers(work, place, &what, before, after);
    content(work, place, &what, before, after, Direction::Response);
}

fn headers(work: &mut Work<'_>, place: &str, what: &str, before: &Value, after: &Value) {
    let (old, new) = (before.get("headers"), after.get("headers"));
    for (name, header) in members(old) {
        let header = work.old_part(header);
        let Some(other) = find(new, name) else {
            let told = format!("The header `{name}` is gone from {what}.");
            work.tell(&rule::RESPONSE_HEADER_REMOVED, place, told);
            continue;
        };
        let other = work.new_part(other);
        match (is_set(header, "required"), is_set(other, "required")) {
            (true, false) => {
                let told = format!("The header `{name}` is no longer always in {what}.");
                work.tell(&rule::RESPONSE_HEADER_REMOVED, place, told);
            }
            (false, true) => {
                let told = format!("The header `{name}` is always in {what}.");
                work.tell(&rule::RESPONSE_HEADER_ADDED, place, told);
            }
            _ => {}
        }
        if let (Some(old), Some(new)) = (header.get("schema"), other.get("schema")) {
            let what = format!("the header `{name}` of {what}");
            work.schemas(old, new, Direction::Response, false, place, &what);
        }
    }
    for (name, _) in members(new).filter(|(name, _)| find(old, name).is_none()) {
        work.tell(&rule::RESPONSE_HEADER_ADDED, place, format!("The header `{name}` is new in {what}."));
    }
}

/// Media types and their schemas.
pub(super) fn content(
    work: &mut Work<'_>,
    place: &str,
    what: &str,
    before: &Value,
    after: &Value,
    direction: Direction,
) {
    let (old, new) = (before.get("content"), after.get("content"));
    let count = members(old).count();
    for (media, body) in members(old) {
        let Some(other) = find_media(new, media) else {
            let told = format!("{} is no longer `{media}`.", capital(what));
            work.tell(&rule::MEDIA_TYPE_REMOVED, place, told);
            continue;
        };
        let what = if count > 1 { format!("{what} (`{media}`)") } else { what.to_owned() };
        match (body.get("schema"), other.get("schema")) {
            (Some(old), Some(new)) => work.schemas(old, new, direction, false, place, &what),
            (None, Some(_)) => {
                let rule =
                    if direction == Direction::Request { &rule::VALIDATION_TIGHTENED } else { &rule::ANSWER_NARROWED };
                work.tell(rule, place, format!("{} has a schema now.", capital(&what)));
            }
            (Some(_), None) => {
                let rule =
                    if direction == Direction::Request { &rule::VALIDATION_LOOSENED } else { &rule::ANSWER_WIDENED };
                work.tell(rule, place, format!("{} has no schema any more.", capital(&what)));
            }
            (None, None) => {}
        }
    }
    for (media, _) in members(new).filter(|(media, _)| find_media(old, media).is_none()) {
        // The first media type of an answer that had none is a body where there was nothing to read.
        work.tell(&rule::MEDIA_TYPE_ADDED, place, format!("{} may be `{media}`.", capital(what)));
    }
}

/// By a name whose case does not matter.
fn find<'v>(among: Option<&'v Value>, name: &str) -> Option<&'v Value> {
    members(among).find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, found)| found)
}

/// By a media type. That a text is written in UTF-8 makes it no other one.
fn find_media<'v>(content: Option<&'v Value>, media: &str) -> Option<&'v Value> {
    let same = members(content).find(|(other, _)| *other == media);
    let alike = || members(content).find(|(other, _)| canonical(other) == canonical(media));
    same.or_else(alike).map(|(_, found)| found)
}

fn canonical(media: &str) -> String {
    let parts = media.split(';').map(|part| part.trim().to_lowercase());
    parts.filter(|part| !part.starts_with("charset=")).collect::<Vec<_>>().join(";")
}
