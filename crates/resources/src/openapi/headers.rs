//! The headers that answers carry.

use serde_json::{Value, json};

use super::reference;

/// Every header, by name.
pub(super) fn headers() -> Value {
    let text = |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    json!({
        "ETag": text("Names this revision of the resource; send it back in `If-Match` or `If-None-Match`."),
        "Location": text("Where the resource, or the operation, is."),
        "Link": text("The neighbouring pages (RFC 8288), the same as in `links`."),
        "Allow": text("The methods of this address."),
        "Accept-Patch": text("The media types that PATCH reads here."),
        "WWW-Authenticate": text("Why the token is not accepted, and what would be (RFC 6750)."),
        "Idempotent-Replayed": text("`true` if the answer was kept from an earlier request with the same key."),
        "Preference-Applied": text("Which wish of `Prefer` was followed."),
        "X-API-Version": { "description": "The version that answered.", "schema": { "type": "integer" } },
        "Deprecation": text("Since when new use of this version is discouraged (RFC 9745)."),
        "Sunset": text("When this version ends (RFC 8594)."),
        "API-Warning": text("That this version is past its sunset."),
        "X-RateLimit-Limit": { "description": "Requests of a window.", "schema": { "type": "integer" } },
        "X-RateLimit-Remaining": { "description": "Requests that are left of it.", "schema": { "type": "integer" } },
        "X-RateLimit-Reset": { "description": "When it ends, in seconds of Unix time.", "schema": { "type": "integer" } },
        "RateLimit-Policy": text("What each limit allows: `q` requests in `w` seconds."),
        "RateLimit": text("What is left of each limit: `r` requests for the next `t` seconds."),
        "Retry-After": { "description": "Seconds to wait.", "schema": { "type": "integer", "minimum": 0 } },
    })
}

/// Some of them, for one answer.
pub(super) fn some(names: &[&str]) -> Value {
    names.iter().map(|name| ((*name).to_owned(), reference("headers", name))).collect::<serde_json::Map<_, _>>().into()
}
