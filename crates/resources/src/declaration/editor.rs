//! The schema with which an editor completes, explains and checks a declaration while it is written. It is of draft 7,
//! which editors know best. It sees shapes only: what refers to what is for [`read`](super::read).

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use super::field::inner;
use super::schema::keywords::{Keyword, OWN, STANDARD, Shape, TYPES};
use super::versions::VERBS;
use crate::model::Operation;

/// JSON Schema of a declaration, as `valetkey api schema` prints it.
pub fn editor_schema() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Valetkey API declaration",
        "description": "What an API serves. Explained in docs/api-declaration.md.",
        "type": "object",
        "required": ["api", "resources"],
        "additionalProperties": false,
        "properties": {
            "api": api(),
            "versions": versions(),
            "scopes": scopes(),
            "limits": limits(),
            "resources": {
                "description": "What the API serves, by plural nouns: each name is a path.",
                "type": "object",
                "minProperties": 1,
                "propertyNames": { "$ref": "#/definitions/name" },
                "additionalProperties": { "$ref": "#/definitions/resource" },
            },
        },
        "definitions": {
            "name": { "type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$" },
            "operation": words(Operation::ALL.iter().map(|operation| operation.as_str())),
            "resource": resource(),
            "parent": parent(),
            "field": field(),
            "reference": reference(),
            "schema": { "anyOf": [{ "type": "boolean" }, object_of(&STANDARD)] },
            "member": { "anyOf": [{ "type": "boolean" }, member()] },
            "action": action(),
            "handler": handler(),
        },
    })
}

fn api() -> Value {
    let description = "The API as a whole.";
    json!({
        "description": description,
        "type": "object",
        "required": ["name"],
        "additionalProperties": false,
        "properties": {
            "name": {
                "description": "Short, for machines: it stands in application/vnd.<name>+json.",
                "type": "string",
                "pattern": "^[a-z][a-z0-9_-]{0,39}$",
            },
            "title": text("For people. Otherwise made from the name."),
            "description": text("What it is for, in Markdown."),
            "default_version": {
                "description": "The version of requests that say none. Otherwise the newest that is out.",
                "type": "integer",
                "minimum": 0,
            },
        },
    })
}

fn versions() -> Value {
    let day = |description: &str| json!({ "description": description, "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" });
    let version = json!({
        "type": "object",
        "required": ["released"],
        "additionalProperties": false,
        "properties": {
            "released": day("The day it comes out."),
            "deprecated": day("The day from which new use is discouraged. Needs `sunset`."),
            "sunset": day("The day from which it warns on every answer, and what is `gone` answers 410."),
            "removed": day("The day from which it answers 410."),
            "notice": { "description": "Where people read about its end.", "type": "string", "pattern": "^https?://" },
            "gone": {
                "description": "What goes with the sunset: `orders`, `orders.delete`, `orders.cancel`.",
                "type": "array",
                "items": { "type": "string" },
            },
            "changes": {
                "description": "What changed since the version before, in order.",
                "type": "array",
                "items": { "anyOf": VERBS.iter().map(|(verb, beside)| change(verb, beside)).collect::<Vec<_>>() },
            },
        },
    });
    json!({
        "description": "The versions of the API, by number. The newest is the one that is stored.",
        "type": "object",
        "minProperties": 1,
        "propertyNames": { "pattern": "^(0|[1-9][0-9]{0,3})$" },
        "additionalProperties": version,
    })
}

/// One kind of change, with what stands beside it.
fn change(verb: &str, beside: &[&str]) -> Value {
    let mut properties = Map::new();
    properties.insert(verb.to_owned(), text("What it is about: `orders`, `orders.amount`, `orders.actions.cancel`."));
    for key in beside {
        let taken = match *key {
            "to" => text("Its name or place since."),
            "lossy" => flag("Something may be lost on the way there and back, and that is meant."),
            "from" if verb == "status" => json!({ "description": "The status it had.", "type": "integer" }),
            "from" => json!({ "description": "As it was declared.", "type": "object" }),
            "codec" => json!({
                "description": "How one value is made from the other.",
                "anyOf": [
                    words(["text", "epoch", "epoch_millis", "list"]),
                    { "type": "object", "properties": { "decimal": { "type": "integer", "minimum": 0, "maximum": 15 }, "map": {} } },
                ],
            }),
            "value" => json!({ "description": "What rows of older clients get." }),
            _ => json!({ "description": "Pairs of what it was and what it is.", "type": ["object", "array"] }),
        };
        properties.insert((*key).to_owned(), taken);
    }
    json!({ "type": "object", "required": [verb], "additionalProperties": false, "properties": properties })
}

fn scopes() -> Value {
    let long = json!({
        "type": "object",
        "required": ["description"],
        "additionalProperties": false,
        "properties": {
            "description": text("What it allows, for the person who consents."),
            "sensitive": flag("The consent page sets it apart."),
            "limit": limit("How often each caller may do what needs it."),
            "max_age": {
                "description": "How old the sign-in of a user may be who does what needs it, such as 10m.",
                "type": "string",
                "pattern": "^[0-9]+[smhd]$",
            },
        },
    });
    json!({
        "description": "What a client can be allowed to do. The words are for the person who consents.",
        "type": "object",
        "maxProperties": 50,
        "additionalProperties": { "anyOf": [{ "type": "string", "minLength": 1 }, long] },
    })
}

fn limits() -> Value {
    json!({
        "description": "How often each caller may ask, beside the limit of the server.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "read": limit("GET and HEAD, searches among them."),
            "search": limit("Lists that search by words."),
            "write": limit("Everything that may change something."),
        },
    })
}

fn limit(meaning: &str) -> Value {
    let requests = json!({ "type": "integer", "minimum": 1, "maximum": 1_000_000_000 });
    let long = json!({
        "type": "object",
        "required": ["requests"],
        "additionalProperties": false,
        "properties": {
            "requests": requests,
            "window": {
                "description": "How long a window is, from 1s to 1d. Otherwise 1m.",
                "type": "string",
                "pattern": "^[0-9]+(s|m|h|d)$",
            },
        },
    });
    json!({ "description": meaning, "anyOf": [requests, long] })
}

fn resource() -> Value {
    let scope = |meaning: &str| text(meaning);
    let mut scopes = Map::from_iter(
        Operation::ALL.map(|operation| (operation.as_str().to_owned(), scope("The scope that this operation needs."))),
    );
    scopes.insert("read".to_owned(), scope("The scope for single rows, and for lists unless `list` names another."));
    scopes.insert("write".to_owned(), scope("The scope for all that changes something, unless it is named by itself."));
    let operations = |meaning: &str, possible: Value| json!({ "description": meaning, "type": "array", "uniqueItems": true, "items": possible });
    json!({
        "type": "object",
        "required": ["fields"],
        "additionalProperties": false,
        "properties": {
            "description": text("What it is, in Markdown."),
            "singular": { "description": "The singular noun. Otherwise derived.", "$ref": "#/definitions/name" },
            "parent": { "$ref": "#/definitions/parent" },
            "own": flag("A user sees only the rows that were made in their name."),
            "scopes": {
                "description": "The scope that each operation needs. Without one, any valid token will do.",
                "type": "object",
                "additionalProperties": false,
                "properties": scopes,
            },
            "operations": operations("What is offered. Otherwise everything.", json!({ "$ref": "#/definitions/operation" })),
            "require": {
                "description": "What requests must bring along.",
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "if_match": operations("Operations that need If-Match.", words(["replace", "update", "delete", "act"])),
                    "idempotency_key": operations("Operations that need Idempotency-Key.", words(["create", "act"])),
                },
            },
            "put_creates": flag("PUT on an id that is not there makes a row."),
            "fields": {
                "description": "What a row holds. `id` is always there and need not be declared.",
                "type": "object",
                "minProperties": 1,
                "propertyNames": { "allOf": [{ "$ref": "#/definitions/name" }, { "not": words(["id", "links"]) }] },
                "additionalProperties": { "$ref": "#/definitions/field" },
            },
            "state": text("The field that actions move: an enum of words."),
            "actions": {
                "description": "What can be done besides: POST /<plural>/<id>/<action>.",
                "type": "object",
                "propertyNames": { "$ref": "#/definitions/name" },
                "additionalProperties": { "$ref": "#/definitions/action" },
            },
        },
    })
}

fn parent() -> Value {
    let long = json!({
        "type": "object",
        "required": ["resource"],
        "additionalProperties": false,
        "properties": { "resource": text("The plural name."), "field": text("The field that points there.") },
    });
    json!({ "description": "The resource that this stands under: /users/<id>/orders.", "anyOf": [{ "type": "string" }, long] })
}

fn field() -> Value {
    let own: Vec<&Keyword> = STANDARD.iter().chain(&OWN).collect();
    let mut field = object_of(own);
    field["properties"]["properties"]["additionalProperties"] = json!({ "$ref": "#/definitions/member" });
    field["properties"]["references"] = json!({ "$ref": "#/definitions/reference" });
    field["properties"]["set"] = json!({
        "description": "What the server writes here.",
        "enum": ["created_at", "updated_at", "owner"],
    });
    field["properties"]["required"] = json!({
        "description": "true: a new row must have it. A list: the members that an object must have.",
        "anyOf": [{ "type": "boolean" }, { "type": "array", "items": { "type": "string" } }],
    });
    field
}

/// A member of an object that a field declares: a schema, and what lists may do with it.
fn member() -> Value {
    let own = OWN.iter().filter(|keyword| inner::KEYWORDS.contains(&keyword.name));
    let mut member = object_of(STANDARD.iter().chain(own));
    member["properties"]["properties"]["additionalProperties"] = json!({ "$ref": "#/definitions/member" });
    member
}

fn reference() -> Value {
    let on_delete =
        "What becomes of this row when that one goes: the deletion is refused, it goes too, or the field is cleared.";
    let long = json!({
        "type": "object",
        "required": ["resource"],
        "additionalProperties": false,
        "properties": {
            "resource": text("The plural name."),
            "name": { "description": "Its name in `include=` and in links.", "$ref": "#/definitions/name" },
            "on_delete": { "description": on_delete, "enum": ["refuse", "delete", "clear"] },
        },
    });
    json!({ "description": "The resource whose row it points at.", "anyOf": [{ "type": "string" }, long] })
}

fn action() -> Value {
    json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "description": text("What it does, in Markdown."),
            "from": {
                "description": "The states it is possible in. Otherwise all.",
                "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }],
            },
            "to": text("The state it leads to."),
            "scope": text("The scope it needs. Otherwise that of `act` or `write`."),
            "async": flag("Answered with 202 and done later."),
            "input": { "description": "What the body must be.", "$ref": "#/definitions/schema" },
            "handler": { "$ref": "#/definitions/handler" },
        },
    })
}

fn handler() -> Value {
    let url = json!({ "description": "Where it listens.", "type": "string", "pattern": "^https?://" });
    let long = json!({
        "type": "object",
        "required": ["url"],
        "additionalProperties": false,
        "properties": {
            "url": url,
            "timeout": {
                "description": "How long one call may take, at most 60s. Otherwise 10s.",
                "type": "string",
                "pattern": "^[0-9]+(ms|s|m)$",
            },
            "attempts": {
                "description": "How often it is called in all. Otherwise 8 if the action is asynchronous, else 1.",
                "type": "integer",
                "minimum": 1,
                "maximum": 20,
            },
            "version": { "description": "The version of the API that it speaks. Otherwise the newest.", "type": "integer" },
        },
    });
    json!({ "description": "A service that does the work.", "anyOf": [url, long] })
}

/// A map that takes these keywords.
fn object_of<'k>(keywords: impl IntoIterator<Item = &'k Keyword>) -> Value {
    let properties: Map<String, Value> =
        keywords.into_iter().map(|keyword| (keyword.name.to_owned(), taken(keyword))).collect();
    json!({
        "type": "object",
        "properties": properties,
        "patternProperties": { "^x-": true },
        "additionalProperties": false,
    })
}

/// What a keyword takes, as a schema.
fn taken(keyword: &Keyword) -> Value {
    let schema = json!({ "$ref": "#/definitions/schema" });
    let names = json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true });
    let mut taken = match keyword.shape {
        Shape::Any => json!({}),
        Shape::Text => json!({ "type": "string" }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Whole => json!({ "type": "integer", "minimum": 0 }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Positive => json!({ "type": "number", "exclusiveMinimum": 0 }),
        Shape::Pattern => json!({ "type": "string", "format": "regex" }),
        Shape::Types => json!({ "anyOf": [words(TYPES), { "type": "array", "minItems": 1, "items": words(TYPES) }] }),
        Shape::Values => json!({ "type": "array" }),
        Shape::Names => names,
        Shape::NameLists => json!({ "type": "object", "additionalProperties": names }),
        // Draft 7 takes no notice of what stands beside `$ref`.
        Shape::Schema => json!({ "allOf": [schema] }),
        Shape::SchemaList => json!({ "type": "array", "minItems": 1, "items": schema }),
        Shape::SchemaMap | Shape::PatternMap => json!({ "type": "object", "additionalProperties": schema }),
        Shape::Pointer => json!({ "type": "string", "pattern": "^#(/|$)" }),
    };
    taken["description"] = keyword.meaning.into();
    taken
}

fn text(description: &str) -> Value {
    json!({ "description": description, "type": "string" })
}

fn flag(description: &str) -> Value {
    json!({ "description": description, "type": "boolean" })
}

fn words<'w>(words: impl IntoIterator<Item = &'w str>) -> Value {
    json!({ "enum": words.into_iter().collect::<Vec<_>>() })
}
