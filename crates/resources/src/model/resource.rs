//! A kind of thing that the API serves, with all that was declared about it.

use std::sync::Arc;

use super::{Action, Column, ColumnKind, Field, Operation, Scopes};

/// One declared resource.
#[derive(Debug, Clone)]
pub struct Resource {
    /// The plural noun: its path segment and the name of its table. `[a-z][a-z0-9_]*`, at most 40 letters.
    pub name: String,
    /// The singular noun.
    pub singular: String,
    /// What it is, in Markdown.
    pub description: String,
    /// In the order of the declaration, which is the order in bodies. `id` is not among them; every resource has it.
    pub fields: Vec<Field>,
    /// Whose collection it also appears in.
    pub parent: Option<Parent>,
    /// Who sees which rows.
    pub ownership: Ownership,
    /// Which scope each operation needs.
    pub scopes: Scopes,
    /// Which operations are offered at all.
    pub operations: Vec<Operation>,
    /// The field that actions move.
    pub state: Option<String>,
    /// In the order of the declaration.
    pub actions: Vec<Action>,
    /// Operations that are refused without `If-Match`. Actions are [`Operation::Act`].
    pub needs_if_match: Vec<Operation>,
    /// Operations that are refused without an `Idempotency-Key`.
    pub needs_idempotency_key: Vec<Operation>,
    /// Does `PUT` on an unknown id make a row?
    pub put_creates: bool,
    /// Statuses of success that are not the usual ones, as an older version had them.
    pub statuses: Vec<(Operation, u16)>,
    /// The version of the API that its rows are stored as.
    pub stored_as: u32,
    columns: Vec<Column>,
    layout: Arc<[u8]>,
}

/// The relation behind a nested path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// The plural name of the resource above.
    pub resource: String,
    /// The field of this resource that points there.
    pub field: String,
}

/// Who sees which rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// Whoever has the scope sees every row.
    All,
    /// A user sees the rows that were made in their name; a client that speaks for itself sees all.
    Own,
}

impl Resource {
    /// A resource with nothing but its fields; what else it has is set on its members.
    pub fn new(name: &str, singular: &str, fields: Vec<Field>) -> Self {
        let (columns, layout) = (Column::of(&fields), layout(&fields));
        Self {
            name: name.to_owned(),
            singular: singular.to_owned(),
            description: String::new(),
            fields,
            parent: None,
            ownership: Ownership::All,
            scopes: Scopes::default(),
            operations: Operation::ALL.to_vec(),
            state: None,
            actions: Vec::new(),
            needs_if_match: Vec::new(),
            needs_idempotency_key: Vec::new(),
            put_creates: false,
            statuses: Vec::new(),
            stored_as: 1,
            columns,
            layout,
        }
    }

    /// The same with other fields.
    #[must_use]
    pub fn with_fields(mut self, fields: Vec<Field>) -> Self {
        (self.columns, self.layout) = (Column::of(&fields), layout(&fields));
        self.fields = fields;
        self
    }

    /// All about its fields that decides how rows are written, as bytes: the same for fields that are written alike.
    pub fn layout(&self) -> &Arc<[u8]> {
        &self.layout
    }

    /// The typed columns that its table has beside the document, in the order of the fields.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Where the column of a field stands among [`Resource::columns`].
    pub fn column(&self, field: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.field == field)
    }

    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// What lists may go by: the fields, each followed by the values inside of it that were declared for that.
    pub fn keys(&self) -> impl Iterator<Item = &Field> {
        keys(&self.fields)
    }

    /// The field with this name, or the value inside of one with this path.
    pub fn key(&self, name: &str) -> Option<&Field> {
        self.keys().find(|field| field.name == name)
    }

    /// The action with this name.
    pub fn action(&self, name: &str) -> Option<&Action> {
        self.actions.iter().find(|action| action.name == name)
    }

    /// Can it be searched by `q`?
    pub fn is_searchable(&self) -> bool {
        self.fields.iter().any(|field| field.search)
    }

    /// The status of success, where it is not the usual one.
    pub fn status(&self, operation: Operation) -> Option<u16> {
        self.statuses.iter().find(|(of, _)| *of == operation).map(|(_, status)| *status)
    }

    /// Is this operation offered?
    pub fn offers(&self, operation: Operation) -> bool {
        self.operations.contains(&operation)
    }
}

fn keys(fields: &[Field]) -> impl Iterator<Item = &Field> {
    fields.iter().flat_map(|field| std::iter::once(field).chain(&field.inner))
}

fn layout(fields: &[Field]) -> Arc<[u8]> {
    let bytes = keys(fields).flat_map(|field| {
        let kind = ColumnKind::of(field).map_or(0, |kind| 1 + kind as u8);
        let begins = u8::from(field.default.is_some() || field.stamp.is_some());
        let is_pointer = field.references.is_some();
        let flags = [field.required, field.unique, field.filter, field.sort, field.search, is_pointer].map(u8::from);
        // No name has a zero byte.
        field.name.bytes().chain([0, kind, begins]).chain(flags)
    });
    bytes.collect()
}
