//! What clients see of one field.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::is_false;
use super::normal::normal;
use crate::model::{Field, OnDelete, Stamp};

/// One field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldSurface {
    /// The JSON Schema of its values, without words for people.
    pub schema: Value,
    /// Must a new row have it?
    #[serde(default, skip_serializing_if = "is_false")]
    pub required: bool,
    /// What it is when nothing was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Can clients only read it?
    #[serde(default, skip_serializing_if = "is_false")]
    pub read_only: bool,
    /// May it be null besides?
    #[serde(default, skip_serializing_if = "is_false")]
    pub nullable: bool,
    /// What the server writes into it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// Has every row another value?
    #[serde(default, skip_serializing_if = "is_false")]
    pub unique: bool,
    /// Can lists be filtered by it?
    #[serde(default, skip_serializing_if = "is_false")]
    pub filter: bool,
    /// Can lists be sorted by it?
    #[serde(default, skip_serializing_if = "is_false")]
    pub sort: bool,
    /// Are its words found by `q`?
    #[serde(default, skip_serializing_if = "is_false")]
    pub search: bool,
    /// What it points at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<RelationSurface>,
    /// The values inside of it that lists go by, by their paths from here.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inner: BTreeMap<String, InnerSurface>,
}

/// A value inside of a field that lists go by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InnerSurface {
    /// Can lists be filtered by it?
    #[serde(default, skip_serializing_if = "is_false")]
    pub filter: bool,
    /// Can lists be sorted by it?
    #[serde(default, skip_serializing_if = "is_false")]
    pub sort: bool,
}

/// What a field points at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationSurface {
    /// The resource.
    pub resource: String,
    /// The name in `include` and `links`.
    pub name: String,
    /// What becomes of this row when that one goes.
    pub on_delete: String,
}

impl FieldSurface {
    pub(super) fn of(field: &Field) -> Self {
        Self {
            schema: normal(&field.schema),
            required: field.required,
            default: field.default.clone(),
            read_only: field.read_only || field.stamp.is_some(),
            nullable: field.is_nullable(),
            set: field.stamp.map(|stamp| stamp_word(stamp).to_owned()),
            unique: field.unique,
            filter: field.filter,
            sort: field.sort,
            search: field.search,
            relation: field.references.as_ref().map(|to| RelationSurface {
                resource: to.resource.clone(),
                name: to.name.clone(),
                on_delete: deletion_word(to.on_delete).to_owned(),
            }),
            inner: field.inner.iter().filter_map(|key| inner(&field.name, key)).collect(),
        }
    }
}

fn inner(outer: &str, key: &Field) -> Option<(String, InnerSurface)> {
    let path = key.name.strip_prefix(outer)?.strip_prefix('.')?;
    Some((path.to_owned(), InnerSurface { filter: key.filter, sort: key.sort }))
}

fn stamp_word(stamp: Stamp) -> &'static str {
    match stamp {
        Stamp::CreatedAt => "created_at",
        Stamp::UpdatedAt => "updated_at",
        Stamp::Owner => "owner",
    }
}

fn deletion_word(on_delete: OnDelete) -> &'static str {
    match on_delete {
        OnDelete::Refuse => "refuse",
        OnDelete::Delete => "delete",
        OnDelete::Clear => "clear",
    }
}
