//! Every path, flat and nested, with its operations.

use serde_json::{Map, Value, json};

use super::operations::Described;
use super::reference;
use crate::model::{Api, Operation, Resource};

/// The paths.
pub(super) fn paths(api: &Api) -> Value {
    let mut paths = Map::new();
    for resource in &api.resources {
        add(&mut paths, &format!("/{}", resource.name), &Described { api, of: resource, above: None });
        if let Some(parent) = resource.parent.as_ref().and_then(|parent| api.resource(&parent.resource)) {
            let path = format!("/{}/{{{}_id}}/{}", parent.name, parent.singular, resource.name);
            add(&mut paths, &path, &Described { api, of: resource, above: Some(parent) });
        }
    }
    paths.insert("/operations/{id}".to_owned(), super::operations::monitor());
    Value::Object(paths)
}

fn add(paths: &mut Map<String, Value>, path: &str, described: &Described<'_>) {
    let of = described.of;
    let mut collection = described.parameters(false);
    offer(&mut collection, of, "get", Operation::List, || described.list());
    offer(&mut collection, of, "post", Operation::Create, || described.create());
    paths.insert(path.to_owned(), Value::Object(collection));
    let mut item = described.parameters(true);
    offer(&mut item, of, "get", Operation::Read, || described.read());
    offer(&mut item, of, "put", Operation::Replace, || described.replace());
    offer(&mut item, of, "patch", Operation::Update, || described.update());
    offer(&mut item, of, "delete", Operation::Delete, || described.delete());
    paths.insert(format!("{path}/{{id}}"), Value::Object(item));
    if of.offers(Operation::Act) {
        for action in &of.actions {
            let mut path_item = described.parameters(true);
            path_item.insert("post".to_owned(), described.act(action));
            paths.insert(format!("{path}/{{id}}/{}", action.name), Value::Object(path_item));
        }
    }
}

fn offer(
    path: &mut Map<String, Value>,
    of: &Resource,
    method: &str,
    operation: Operation,
    make: impl FnOnce() -> Value,
) {
    if of.offers(operation) {
        path.insert(method.to_owned(), make());
    }
}

impl Described<'_> {
    /// The parameters of the path itself.
    fn parameters(&self, has_id: bool) -> Map<String, Value> {
        let mut all = Vec::new();
        if let Some(above) = self.above {
            all.push(json!({
                "name": format!("{}_id", above.singular), "in": "path", "required": true,
                "schema": { "type": "string", "format": "uuid" },
            }));
        }
        if has_id {
            all.push(reference("parameters", "Id"));
        }
        let mut path = Map::new();
        if !all.is_empty() {
            path.insert("parameters".to_owned(), Value::Array(all));
        }
        path
    }
}
