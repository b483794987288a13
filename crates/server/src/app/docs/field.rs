//! The fields of a resource, as a table shows them.

use serde_json::{Value, json};
use valetkey_pages::api_docs::DocsField;
use valetkey_resources::model::{Field, Resource};

use super::kind;

/// Every field; `id` comes first, which all have and none declares.
pub(super) fn fields(of: &Resource) -> Vec<DocsField> {
    let id = DocsField {
        name: "id".to_owned(),
        kind: kind::of(&json!({ "type": "string", "format": "uuid" })),
        read_only: true,
        unique: true,
        filter: true,
        sort: true,
        ..DocsField::default()
    };
    std::iter::once(id).chain(of.keys().map(field)).collect()
}

fn field(of: &Field) -> DocsField {
    DocsField {
        name: of.name.clone(),
        kind: kind::of(&of.schema),
        description: of.schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
        required: of.required,
        default: of.default.as_ref().map(Value::to_string),
        read_only: of.read_only || of.stamp.is_some(),
        unique: of.unique,
        filter: of.filter,
        sort: of.sort,
        search: of.search,
        references: of.references.as_ref().map(|to| to.resource.clone()),
    }
}
