//! One field of a resource: its JSON Schema, and what the server does with it besides.

use serde_json::Value;

use super::Codec;

/// One declared field.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name in bodies and in the query. `[a-z][a-z0-9_]*`, at most 40 letters.
    pub name: String,
    /// JSON Schema 2020-12 of its value, without keywords of our own. A field that is not required may be null besides.
    pub schema: Value,
    /// Must a new row have it?
    pub required: bool,
    /// What it is when nothing was sent. For a read-only field: what it begins with.
    pub default: Option<Value>,
    /// Set by the server, never by a client.
    pub read_only: bool,
    /// What the server sets it to.
    pub stamp: Option<Stamp>,
    /// May two rows have the same value?
    pub unique: bool,
    /// May a list be filtered by it?
    pub filter: bool,
    /// May a list be sorted by it?
    pub sort: bool,
    /// Are its words found by `q`?
    pub search: bool,
    /// The row that it points at.
    pub references: Option<Reference>,
    /// How newer versions write its values, where they do it otherwise: the codec, and the type on that side.
    pub rewritten: Option<(Codec, String)>,
    /// The values inside of it that lists go by. Each has its whole path for a name (`address.city`), its schema, and what
    /// lists may do with it; `required` if it is never missing.
    pub inner: Vec<Field>,
}

/// What the server writes into a field by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stamp {
    /// When the row was made.
    CreatedAt,
    /// When the row last changed.
    UpdatedAt,
    /// The subject that made it.
    Owner,
}

/// A field that holds the id of a row of another resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The plural name of that resource.
    pub resource: String,
    /// Its name in `include=` and in `links`: `user` for `user_id`.
    pub name: String,
    /// What becomes of this row when that one goes.
    pub on_delete: OnDelete,
}

/// What becomes of a row when the one it points at is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDelete {
    /// The deletion is refused.
    Refuse,
    /// It goes too.
    Delete,
    /// It stays, and points at nothing.
    Clear,
}

impl Field {
    /// A field of which only the schema is known.
    pub fn new(name: &str, schema: Value) -> Self {
        Self {
            name: name.to_owned(),
            schema,
            required: false,
            default: None,
            read_only: false,
            stamp: None,
            unique: false,
            filter: false,
            sort: false,
            search: false,
            references: None,
            rewritten: None,
            inner: Vec::new(),
        }
    }

    /// Gives the values inside of it the names that follow from another place.
    pub(crate) fn move_inner(&mut self, from: &str, to: &str) {
        for inner in &mut self.inner {
            if let Some(below) = inner.name.strip_prefix(from).filter(|below| below.starts_with('.')) {
                inner.name = format!("{to}{below}");
            }
        }
    }

    /// May its value be null? What is neither required nor has a default may; so may what the server has not set yet.
    pub fn is_nullable(&self) -> bool {
        !self.required && self.default.is_none() && self.stamp.is_none_or(|stamp| stamp == Stamp::Owner)
    }
}
