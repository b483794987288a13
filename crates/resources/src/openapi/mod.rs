//! OpenAPI 3.1, from what is served: the same declaration makes the routes, the validation and this document.

mod body;
mod components;
mod example;
mod filters;
mod headers;
mod operations;
mod parameters;
mod paths;
mod responses;
mod values;
mod versioned;

use serde_json::{Map, Value, json};
use valetkey_rest::version::Lifecycle;

use crate::model::Api;

pub use example::example;

/// Where the API and its authorization server are.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The URL that all paths are below: `https://…/api`.
    pub base_url: String,
    /// The authorization server.
    pub issuer: String,
    /// The version that is described.
    pub version: u32,
    /// Where it stands.
    pub state: Lifecycle,
}

/// The document.
pub fn document(api: &Api, at: &Surroundings) -> Value {
    let mut tags: Vec<Value> = Vec::new();
    for resource in &api.resources {
        tags.push(json!({ "name": resource.name, "description": resource.description }));
    }
    tags.push(json!({ "name": "operations", "description": "How far an action is that takes time." }));
    let mut info = Map::new();
    info.insert("title".to_owned(), json!(api.title));
    info.insert("version".to_owned(), json!(at.version.to_string()));
    if !api.description.is_empty() {
        info.insert("description".to_owned(), json!(api.description));
    }
    let mut document = json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": info,
        "servers": [{ "url": at.base_url }],
        "tags": tags,
        "security": [{ "bearer": [] }],
        "paths": paths::paths(api),
        "components": components::components(api, at),
    });
    versioned::mark(&mut document, api, at);
    document
}

/// `order_line` as the name of a schema: `OrderLine`.
fn type_name(singular: &str) -> String {
    singular.split('_').map(capital).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn reference(kind: &str, name: &str) -> Value {
    json!({ "$ref": format!("#/components/{kind}/{name}") })
}

#[cfg(test)]
mod tests;
