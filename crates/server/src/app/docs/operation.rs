//! The operations of a resource, read from the OpenAPI document: what is shown is what is described to machines.

use serde_json::{Value, json};
use valetkey_pages::api_docs::{DocsAnswer, DocsBody, DocsOperation, DocsParameter, DocsPlace};
use valetkey_resources::model::Api;
use valetkey_resources::openapi;

use super::kind;

/// The tag of operations that tell how far an action is.
pub(super) const MONITOR: &str = "operations";
/// In the order to show.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// Every operation with this tag, the shorter addresses first.
pub(super) fn of_tag(api: &Api, document: &Value, prefix: &str, tag: &str) -> Vec<DocsOperation> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS {
            let Some(described) = item.get(method).filter(|described| described["tags"][0] == tag) else { continue };
            found.push(Reader { api, document, prefix, tag }.operation(path, method, item, described));
        }
    }
    // Stable: within one address, the order of methods stays. Actions come in the order of the declaration.
    let declared = api.resource(tag);
    let place = |operation: &DocsOperation| {
        let last = operation.path.rsplit('/').next().unwrap_or_default();
        let action = declared.and_then(|of| of.actions.iter().position(|action| action.name == last));
        (operation.path.matches('/').count(), action)
    };
    found.sort_by_key(place);
    found
}

struct Reader<'a> {
    api: &'a Api,
    document: &'a Value,
    prefix: &'a str,
    tag: &'a str,
}

impl Reader<'_> {
    fn operation(&self, path: &str, method: &str, item: &Value, described: &Value) -> DocsOperation {
        let text = |name: &str| described[name].as_str().unwrap_or_default().to_owned();
        let listed = [item, described].into_iter().filter_map(|of| of["parameters"].as_array()).flatten();
        let mut parameters = Vec::new();
        for parameter in listed {
            self.parameter(self.resolve(parameter), &mut parameters);
        }
        let body = &described["requestBody"];
        DocsOperation {
            id: text("operationId"),
            method: method.to_uppercase(),
            path: format!("{}{path}", self.prefix),
            summary: text("summary"),
            description: text("description"),
            scope: described["security"][0]["oauth2"][0].as_str().map(str::to_owned),
            parameters,
            bodies: self.bodies(body),
            body_required: body["required"] == true,
            answers: self.answers(&described["responses"]),
        }
    }

    /// What a reference stands for.
    fn resolve<'v>(&'v self, value: &'v Value) -> &'v Value {
        let pointer = value.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        pointer.and_then(|pointer| self.document.pointer(pointer)).unwrap_or(value)
    }

    fn parameter(&self, described: &Value, all: &mut Vec<DocsParameter>) {
        let name = described["name"].as_str().unwrap_or_default();
        let schema = &described["schema"];
        // An operator is a way to compare a field that stands there already.
        if let Some((field, operator)) = name.strip_suffix(']').and_then(|name| name.split_once('['))
            && let Some(known) = all.iter_mut().find(|known| known.name == field)
        {
            known.operators.push(operator.to_owned());
            return;
        }
        // One object for three kinds of paging: its members are what is sent.
        if schema["type"] == "object"
            && let Some(kinds) = schema.get("anyOf").and_then(Value::as_array)
        {
            let members = kinds.iter().filter_map(|kind| kind["properties"].as_object()).flatten();
            for (member, schema) in members {
                if !all.iter().any(|known| known.name == *member) {
                    let made =
                        json!({ "name": member, "in": "query", "schema": schema, "description": paging(member) });
                    self.parameter(&made, all);
                }
            }
            return;
        }
        let place = match described["in"].as_str() {
            Some("path") => DocsPlace::Path,
            Some("header") => DocsPlace::Header,
            _ => DocsPlace::Query,
        };
        let id_of = (place == DocsPlace::Path).then(|| self.owner_of(name)).flatten();
        let about = id_of.as_ref().map(|of| format!("Which one of the {of}."));
        let is_list = schema["type"] == "array";
        let each = if is_list { &schema["items"] } else { schema };
        // A list in one value is written with commas; a field for it takes any text.
        let in_one_value = is_list && described["explode"] == false;
        all.push(DocsParameter {
            name: name.to_owned(),
            place,
            required: described["required"] == true,
            kind: if in_one_value { kind::of(each).replace(" | ", ", ") } else { kind::of(&without_pattern(each)) },
            description: described["description"].as_str().map(str::to_owned).or(about).unwrap_or_default(),
            choices: if in_one_value { Vec::new() } else { kind::choices(each).unwrap_or_default() },
            operators: Vec::new(),
            id_of,
        });
    }

    /// Whose id a part of the path is: `id` is of what is described, `user_id` of the resource above.
    fn owner_of(&self, parameter: &str) -> Option<String> {
        if parameter == "id" {
            return Some(self.tag.to_owned());
        }
        let singular = parameter.strip_suffix("_id")?;
        self.api.resources.iter().find(|resource| resource.singular == singular).map(|resource| resource.name.clone())
    }

    fn bodies(&self, body: &Value) -> Vec<DocsBody> {
        let content = body["content"].as_object().into_iter().flatten();
        let mut all: Vec<DocsBody> = content
            .map(|(media_type, described)| {
                let schema = self.resolve(&described["schema"]);
                let given = schema.get("examples").and_then(|examples| examples.get(0)).cloned();
                let example = given.unwrap_or_else(|| openapi::example(schema));
                DocsBody { media_type: media_type.clone(), example: pretty(&example) }
            })
            .collect();
        // A merge patch is what its own type says first; the same as plain JSON is not worth a second example.
        if all.iter().any(|body| body.media_type == "application/merge-patch+json") {
            all.retain(|body| body.media_type != "application/json");
            all.sort_by(|one, other| other.media_type.cmp(&one.media_type));
            self.sharpen(&mut all);
        }
        all
    }

    /// The general example of a JSON Patch, told about a field that this resource has.
    fn sharpen(&self, bodies: &mut [DocsBody]) {
        let [merge, patch] = bodies else { return };
        let Ok(Value::Object(members)) = serde_json::from_str(&merge.example) else { return };
        let Some((name, value)) = members.into_iter().next() else { return };
        patch.example = pretty(&json!([{ "op": "replace", "path": format!("/{name}"), "value": value }]));
        merge.example = pretty(&json!({ name: value }));
    }

    fn answers(&self, responses: &Value) -> Vec<DocsAnswer> {
        let all = responses.as_object().into_iter().flatten().filter_map(|(status, described)| {
            let meaning = self.resolve(described)["description"].as_str()?.to_owned();
            Some(DocsAnswer { status: status.parse().ok()?, meaning })
        });
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|answer| answer.status);
        all
    }
}

/// A pattern is for programs that check; a person who fills in a field is not helped by it.
fn without_pattern(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(members) = &mut schema {
        members.remove("pattern");
    }
    schema
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}

fn paging(member: &str) -> &'static str {
    match member {
        "cursor" => "Where to go on: from `links.next` or `links.prev`.",
        "limit" => "How many rows at most.",
        "offset" => "How many rows to leave out first. Not together with `cursor` or `page`.",
        "page" => "Which page, counted from 1. Not together with `cursor` or `offset`.",
        "size" => "How many rows a page has.",
        _ => "",
    }
}
