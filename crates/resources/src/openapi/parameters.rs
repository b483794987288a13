//! The parameters of requests: ids, preconditions, keys, and everything a list can be asked for.

use serde_json::{Value, json};
use valetkey_rest::page::{MAX_OFFSET, MAX_PAGE, MAX_SIZE};
use valetkey_rest::query::{MAX_SEARCH, MAX_SORT_KEYS, MAX_VALUES};

use super::{filters, reference, values};
use crate::model::Resource;

/// Tags as `ETag` tells them. A weak one is read, though no change is made to it (RFC 9110 §13.1.1).
const TAGS: &str = "^(W/)?\"[!#-~]*\"( *, *(W/)?\"[!#-~]*\")*$";

/// A word in quotes, with a backslash before quotes and backslashes.
const QUOTED: &str = "^\"([!#-\\[\\]-~]|\\\\[\"\\\\]){1,255}\"$";

/// Those that do not depend on a resource, by name.
pub(super) fn shared() -> Value {
    let id = json!({ "type": "string", "format": "uuid" });
    let tags = json!({ "anyOf": [{ "const": "*" }, { "type": "string", "pattern": TAGS }] });
    let number = |least: u32, most: u64| json!({ "type": "integer", "minimum": least, "maximum": most });
    // Without a maximum: more is reduced, not refused.
    let rows = json!({ "type": "integer", "minimum": 1, "description": format!("More than {MAX_SIZE} is reduced.") });
    json!({
        "Id": { "name": "id", "in": "path", "required": true, "schema": id },
        "IfMatch": {
            "name": "If-Match", "in": "header",
            "description": "Only if the resource still has this `ETag`.",
            "schema": tags,
        },
        "IfNoneMatch": {
            "name": "If-None-Match", "in": "header",
            "description": "Answers 304 if the resource still has this `ETag`.",
            "schema": tags,
        },
        "IfNoneMatchToMake": {
            "name": "If-None-Match", "in": "header",
            "description": "`*`: only if the resource is not there yet. A tag: only if it has another one.",
            "schema": tags,
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key", "in": "header",
            "description": "A word of your choice. A repeat with the same word within 24 hours is not done again.",
            "schema": { "anyOf": [
                { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!#-~][!-~]*$" },
                { "type": "string", "pattern": QUOTED, "description": "The same word in quotes (RFC 9651)." },
            ] },
        },
        "Prefer": {
            "name": "Prefer", "in": "header",
            "description": "`count=exact` or `count=capped` asks for `meta.total` (RFC 7240).",
            "schema": { "type": "string" },
        },
        "Paging": {
            "name": "paging", "in": "query", "style": "form", "explode": true,
            "description": "One of three kinds: by cursor (`limit`, then `links.next`), by `offset` and `limit`, or by \
                            `page` and `size`. They cannot be mixed.",
            "schema": { "type": "object", "anyOf": [
                { "type": "object", "additionalProperties": false, "properties": {
                    "cursor": { "type": "string", "minLength": 1, "description": "From `links.next` or `links.prev`." },
                    "limit": rows } },
                { "type": "object", "additionalProperties": false, "required": ["offset"], "properties": {
                    "offset": number(0, MAX_OFFSET), "limit": rows } },
                { "type": "object", "additionalProperties": false, "properties": {
                    "page": number(1, MAX_PAGE), "size": rows } },
            ] },
        },
    })
}

/// What a list of this resource can be asked for.
pub(super) fn of_list(of: &Resource) -> Vec<Value> {
    let mut all = filters::of(of);
    let sortable: Vec<&str> =
        std::iter::once("id").chain(of.keys().filter(|field| field.sort).map(|field| field.name.as_str())).collect();
    all.push(sort(&sortable, of.is_searchable()));
    all.extend(of_one(of));
    if of.is_searchable() {
        all.push(json!({
            "name": "q", "in": "query",
            "description": "Only what has all of these words.",
            "schema": { "type": "string", "maxLength": MAX_SEARCH, "pattern": values::TEXT },
        }));
    }
    all.push(reference("parameters", "Paging"));
    all.push(reference("parameters", "Prefer"));
    all
}

/// What one row can be asked for.
pub(super) fn of_one(of: &Resource) -> Vec<Value> {
    let fields = ["id", "links"].into_iter().chain(of.fields.iter().map(|field| field.name.as_str()));
    let fields: Vec<String> = fields.map(str::to_owned).collect();
    let mut all = vec![names("fields", "Only these fields.", &fields)];
    let relations: Vec<String> =
        of.fields.iter().filter_map(|field| field.references.as_ref()).map(|to| to.name.clone()).collect();
    if !relations.is_empty() {
        all.push(names("include", "What to bring along.", &relations));
    }
    all
}

fn names(name: &str, description: &str, of: &[String]) -> Value {
    json!({
        "name": name, "in": "query", "style": "form", "explode": false,
        "description": description,
        "schema": { "type": "array", "minItems": 1, "maxItems": MAX_VALUES, "items": { "enum": of } },
    })
}

/// No field twice, not even in two directions.
fn sort(by: &[&str], is_searchable: bool) -> Value {
    let once =
        |name: &&str| json!({ "contains": { "enum": [name, format!("-{name}")] }, "minContains": 0, "maxContains": 1 });
    let names: Vec<String> = by.iter().flat_map(|name| [(*name).to_owned(), format!("-{name}")]).collect();
    // Not among the names: without the two others it is refused, which a schema of one parameter cannot say.
    let best = if is_searchable { " With `q` and pages, `-relevance` shows what fits best first." } else { "" };
    json!({
        "name": "sort", "in": "query", "style": "form", "explode": false,
        "description": format!("By which fields, the first one first; `-` before a name means descending.{best}"),
        "schema": {
            "type": "array", "minItems": 1, "maxItems": MAX_SORT_KEYS, "items": { "enum": names },
            "allOf": by.iter().map(once).collect::<Vec<_>>(),
        },
    })
}
