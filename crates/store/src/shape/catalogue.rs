//! What was applied of a declaration, as it is kept in the database.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Column, ColumnKind, Field, MOST_WORDS, Ownership, Resource, words};

use super::Work;
use crate::statement::Layout;

/// What was applied, by resource.
pub(crate) type Catalogue = BTreeMap<String, Shape>;

/// One resource as it was applied. New members get a default, so that old rows stay readable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Shape {
    pub(crate) fields: Vec<Known>,
    #[serde(default)]
    pub(crate) is_owned: bool,
    /// The version of the API that its rows are stored as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<u32>,
    /// What is still to be done for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) work: Option<Work>,
}

/// One field as it was applied, or a value inside of one that has a column; then the name is its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Known {
    pub(crate) name: String,
    /// The type of its values, as far as a column could have it.
    #[serde(default)]
    pub(crate) kind: Option<String>,
    #[serde(default)]
    pub(crate) has_column: bool,
    #[serde(default)]
    pub(crate) is_unique: bool,
    #[serde(default)]
    pub(crate) is_indexed: bool,
    #[serde(default)]
    pub(crate) is_searched: bool,
    #[serde(default)]
    pub(crate) is_required: bool,
    /// Does something stand in for a value that nobody gave?
    #[serde(default)]
    pub(crate) begins: bool,
}

impl Shape {
    /// What is to be applied for a resource.
    pub(crate) fn of(resource: &Resource) -> Self {
        let fields = resource.keys().map(|field| {
            let column = resource.column(&field.name).and_then(|place| resource.columns().get(place));
            Known {
                name: field.name.clone(),
                kind: ColumnKind::of(field).map(|kind| word(kind).to_owned()),
                has_column: column.is_some(),
                is_unique: column.is_some_and(|column| column.unique),
                is_indexed: column.is_some_and(|column| column.indexed),
                is_searched: field.search,
                is_required: !field.name.contains('.') && is_demanded(field),
                begins: field.default.is_some() || field.stamp.is_some(),
            }
        });
        Self { fields: fields.collect(), is_owned: resource.ownership == Ownership::Own, version: None, work: None }
    }

    /// Is it what this resource asks for, done or not?
    pub(crate) fn is_of(&self, resource: &Resource) -> bool {
        let wanted = Self::of(resource);
        self.fields == wanted.fields && self.is_owned == wanted.is_owned
    }

    /// The same without any index, and without words.
    pub(crate) fn bare(&self) -> Self {
        let mut shape = Self { is_owned: false, ..self.clone() };
        for field in &mut shape.fields {
            (field.is_unique, field.is_indexed, field.is_searched) = (false, false, false);
        }
        shape
    }

    /// The same with columns that hold nothing of use: the documents changed.
    pub(crate) fn stale(&self) -> Self {
        let mut shape = self.bare();
        shape.fields.iter_mut().for_each(|field| field.kind = None);
        shape
    }

    /// All that its table and its indexes follow from.
    pub(crate) fn layout(&self, name: &str) -> Layout {
        let columns = self.fields.iter().filter(|field| field.has_column).filter_map(|field| {
            let kind = kind(field.kind.as_deref()?)?;
            Some(Column { field: field.name.clone(), kind, unique: field.is_unique, indexed: field.is_indexed })
        });
        Layout {
            name: name.to_owned(),
            columns: columns.collect(),
            is_owned: self.is_owned,
            is_searchable: self.fields.iter().any(|field| field.is_searched),
            beside: BTreeMap::new(),
        }
    }

    /// The words of the searchable fields of a document: see `Draft::words`.
    pub(crate) fn words(&self, document: &Map<String, Value>) -> Vec<String> {
        let searched = self.fields.iter().filter(|field| field.is_searched && !field.is_inner());
        searched.filter_map(|field| document.get(&field.name)?.as_str()).flat_map(words).take(MOST_WORDS).collect()
    }

    /// The same with its work at the beginning, for a store to which the rows have moved: how far it had come is told in
    /// words of one engine.
    pub(crate) fn moved(&self) -> Self {
        let work =
            self.work.clone().map(|work| Work { again: Vec::new(), after: None, seen: 0, is_seen: false, ..work });
        Self { work, ..self.clone() }
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Known> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// From its column.
    pub(crate) fn read(text: &str) -> Result<Self, StoreError> {
        serde_json::from_str(text).map_err(|error| StoreError::Failed(format!("api_tables is unreadable: {error}")))
    }

    /// For its column.
    pub(crate) fn write(&self) -> Result<String, StoreError> {
        serde_json::to_string(self).map_err(|error| StoreError::Failed(error.to_string()))
    }
}

impl Known {
    /// Is it a part of a field? The document keeps it, whatever becomes of its column.
    pub(crate) fn is_inner(&self) -> bool {
        self.name.contains('.')
    }
}

/// Must every row have a value of its own, because nothing stands in for it?
pub(crate) fn is_demanded(field: &Field) -> bool {
    field.required && field.default.is_none() && field.stamp.is_none()
}

/// The word for a type, here and in sentences.
pub(crate) fn word(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "integer",
        ColumnKind::Number => "number",
        ColumnKind::Text => "text",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Moment => "moment",
        ColumnKind::Id => "reference",
    }
}

/// The type of a word.
fn kind(of: &str) -> Option<ColumnKind> {
    use ColumnKind::{Boolean, Id, Integer, Moment, Number, Text};
    [Integer, Number, Text, Boolean, Moment, Id].into_iter().find(|kind| word(*kind) == of)
}
