//! The refusals: one problem body, one entry for each status.

use serde_json::{Map, Value, json};

use super::{headers, reference};

/// Status, name, meaning, headers.
const REFUSALS: [(&str, &str, &str, &[&str]); 17] = [
    ("400", "BadRequest", "The request cannot be read, a required field is missing, or a parameter is unknown.", &[]),
    ("401", "Unauthorized", "No token, or one that is not good any more.", &["WWW-Authenticate"]),
    ("403", "Forbidden", "The token does not have the scope.", &["WWW-Authenticate"]),
    ("404", "NotFound", "Nothing that the caller can see is at this address.", &[]),
    ("405", "MethodNotAllowed", "The address has other methods.", &["Allow"]),
    ("406", "NotAcceptable", "`Accept` allows nothing that is spoken here.", &[]),
    ("409", "Conflict", "It does not fit the state of the resource, or another one has the value.", &[]),
    ("410", "Gone", "This version, or this part of it, is no more; `successor` names the one to use.", &[]),
    ("412", "PreconditionFailed", "The resource changed since.", &[]),
    ("413", "ContentTooLarge", "The body is too large.", &[]),
    ("415", "UnsupportedMediaType", "Bodies of this media type are not read here.", &[]),
    ("422", "Unprocessable", "The values do not pass validation; `errors` names each field.", &[]),
    ("428", "PreconditionRequired", "`If-Match` is required here.", &[]),
    (
        "429",
        "TooManyRequests",
        "The limit of this window is reached.",
        &[
            "Retry-After",
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "RateLimit-Policy",
            "RateLimit",
        ],
    ),
    ("431", "HeadersTooLarge", "Headers or query are longer than is read.", &[]),
    ("503", "Unavailable", "The server cannot do this now.", &["Retry-After"]),
    ("504", "GatewayTimeout", "The service that does it did not answer in time.", &[]),
];

/// Every refusal, by name.
pub(super) fn components() -> Value {
    let all = REFUSALS.iter().map(|(_, name, meaning, sent)| {
        let content = json!({ "schema": reference("schemas", "Problem") });
        let answer = json!({
            "description": meaning,
            "headers": headers::some(sent),
            "content": { "application/problem+json": content, "application/json": content },
        });
        ((*name).to_owned(), answer)
    });
    Value::Object(all.collect())
}

/// References to those with these statuses, and to those that any request may get.
pub(super) fn refusals(statuses: &[&str]) -> Map<String, Value> {
    const ALWAYS: [&str; 8] = ["400", "401", "403", "405", "406", "429", "431", "503"];
    let wanted = REFUSALS.iter().filter(|(status, ..)| ALWAYS.contains(status) || statuses.contains(status));
    wanted.map(|(status, name, ..)| ((*status).to_owned(), reference("responses", name))).collect()
}
