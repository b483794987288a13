//! The parameters of requests: ids, preconditions, keys, and everything a list can be asked for.

use serde_json::{Value, json};

use super::{body, reference};
use crate::model::{ColumnKind, Resource};

/// `*`, or tags as `ETag` tells them.
const ETAGS: &str = "^(\\*|\"[!#-~]+\"(, *\"[!#-~]+\")*)$";

/// Those that do not depend on a resource, by name.
pub(super) fn shared() -> Value {
    let id = json!({ "type": "string", "format": "uuid" });
    let number = |least: u32, most: u32| json!({ "type": "integer", "minimum": least, "maximum": most });
    json!({
        "Id": { "name": "id", "in": "path", "required": true, "schema": id },
        "IfMatch": {
            "name": "If-Match", "in": "header",
            "description": "Only if the resource still has this `ETag`.",
            "schema": { "type": "string", "pattern": ETAGS },
        },
        "IfNoneMatch": {
            "name": "If-None-Match", "in": "header",
            "description": "Answers 304 if the resource still has this `ETag`.",
            "schema": { "type": "string", "pattern": ETAGS },
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key", "in": "header",
            "description": "A word of your choice. A repeat with the same word within 24 hours is not done again.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!#-~]+$" },
        },
        "Prefer": {
            "name": "Prefer", "in": "header",
            "description": "`count=exact` or `count=capped` asks for `meta.total` (RFC 7240).",
            "schema": { "type": "string", "pattern": "^[ -~]*$" },
        },
        "Paging": {
            "name": "paging", "in": "query", "style": "form", "explode": true,
            "description": "One of three kinds: by cursor (`limit`, then `links.next`), by `offset` and `limit`, or by \
                            `page` and `size`. They cannot be mixed.",
            "schema": { "type": "object", "oneOf": [
                { "type": "object", "additionalProperties": false, "properties": {
                    "cursor": { "type": "string", "minLength": 1, "description": "From `links.next` or `links.prev`." },
                    "limit": number(1, 100) } },
                { "type": "object", "additionalProperties": false, "required": ["offset"], "properties": {
                    "offset": number(0, 1_000_000), "limit": number(1, 100) } },
                { "type": "object", "additionalProperties": false, "required": ["page"], "properties": {
                    "page": number(1, 10_000), "size": number(1, 100) } },
            ] },
        },
    })
}

/// What a list of this resource can be asked for.
pub(super) fn of_list(of: &Resource) -> Vec<Value> {
    let mut all = filters(of);
    let sortable: Vec<&str> = std::iter::once("id")
        .chain(of.fields.iter().filter(|field| field.sort).map(|field| field.name.as_str()))
        .collect();
    all.push(names(
        "sort",
        "By which fields, the first one first; `-` before a name means descending.",
        &sortable.iter().flat_map(|name| [(*name).to_owned(), format!("-{name}")]).collect::<Vec<_>>(),
        5,
    ));
    all.extend(of_one(of));
    if of.is_searchable() {
        all.push(json!({
            "name": "q", "in": "query",
            "description": "Only what has all of these words.",
            "schema": { "type": "string", "maxLength": 200, "pattern": "^[^\\u0000]*$" },
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
    let mut all = vec![names("fields", "Only these fields.", &fields, fields.len())];
    let relations: Vec<String> =
        of.fields.iter().filter_map(|field| field.references.as_ref()).map(|to| to.name.clone()).collect();
    if !relations.is_empty() {
        all.push(names("include", "What to bring along.", &relations, relations.len()));
    }
    all
}

fn names(name: &str, description: &str, of: &[String], most: usize) -> Value {
    json!({
        "name": name, "in": "query", "style": "form", "explode": false,
        "description": description,
        "schema": {
            "type": "array", "minItems": 1, "maxItems": most, "uniqueItems": true, "items": { "enum": of },
        },
    })
}

fn filters(of: &Resource) -> Vec<Value> {
    let mut all = vec![filter("id", &json!({ "type": "string", "format": "uuid" }))];
    for field in of.fields.iter().filter(|field| field.filter) {
        let schema = body::schema(field, false);
        let schema = without_annotations(schema);
        all.push(filter(&field.name, &schema));
        let kind = ColumnKind::of(field);
        if !matches!(kind, None | Some(ColumnKind::Boolean | ColumnKind::Id)) {
            for (operator, meaning) in
                [("gt", "greater than"), ("gte", "at least"), ("lt", "less than"), ("lte", "at most")]
            {
                all.push(json!({
                    "name": format!("{}[{operator}]", field.name), "in": "query",
                    "description": format!("Only those whose `{}` is {meaning} this.", field.name),
                    "schema": schema,
                }));
            }
        }
        all.push(json!({
            "name": format!("{}[ne]", field.name), "in": "query",
            "description": format!("Only those whose `{}` is another.", field.name),
            "schema": schema,
        }));
    }
    all
}

fn filter(name: &str, schema: &Value) -> Value {
    json!({
        "name": name, "in": "query", "style": "form", "explode": true,
        "description": format!("Only those with this `{name}`; several mean any of them."),
        "schema": { "type": "array", "items": schema, "maxItems": 20 },
    })
}

fn without_annotations(mut schema: Value) -> Value {
    if let Value::Object(members) = &mut schema {
        for annotation in ["readOnly", "default", "examples", "description", "title"] {
            members.remove(annotation);
        }
    }
    schema
}
