//! What becomes of a row when its resource is declared anew.

use serde_json::{Map, Value};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, Column, ColumnKind, Field, Resource, Stamp};
use valetkey_resources::ports::{Draft, Stored};

use super::Work;
use crate::document::object;
use crate::statement::folded;

/// A row as it is to stand in the new table.
pub(crate) struct Rewritten {
    /// The document, if it changes.
    pub(crate) document: Option<String>,
    /// One for each of [`Rewrite::columns`], as they stand in the table.
    pub(crate) cells: Vec<Cell>,
    /// The words for the search, if they are read again.
    pub(crate) words: Option<Vec<String>>,
}

/// Turns rows of one declaration into rows of the next.
pub(crate) struct Rewrite<'a> {
    resource: &'a Resource,
    work: &'a Work,
    columns: Vec<&'a Column>,
}

impl<'a> Rewrite<'a> {
    /// For the work that is left in a resource.
    pub(crate) fn new(resource: &'a Resource, work: &'a Work) -> Self {
        let columns = resource.columns().iter().filter(|column| work.columns.contains(&column.field)).collect();
        Self { resource, work, columns }
    }

    /// The columns that are filled.
    pub(crate) fn columns(&self) -> &[&'a Column] {
        &self.columns
    }

    /// The next state of a row.
    pub(crate) fn of(&self, row: &Stored) -> Result<Rewritten, StoreError> {
        let (object, document) = self.document(row)?;
        let cells = self.columns.iter().map(|column| folded(&column.cell(&object))).collect();
        let words = self.work.words.then(|| Draft::words_in(self.resource, &object));
        Ok(Rewritten { document, cells, words })
    }

    /// The row as it will be, for those who read it before its turn has come.
    pub(crate) fn complete(&self, mut row: Stored) -> Result<Stored, StoreError> {
        if let (_, Some(document)) = self.document(&row)? {
            row.document = document;
            row.revision += 1;
        }
        Ok(row)
    }

    fn document(&self, row: &Stored) -> Result<(Map<String, Value>, Option<String>), StoreError> {
        let before = object(&row.document)?;
        if !self.work.changes_documents() {
            return Ok((before, None));
        }
        let mut object = before.clone();
        for field in &self.work.removed {
            object.remove(field);
        }
        for field in self.work.fitted.iter().filter_map(|name| self.resource.field(name)) {
            fit(&mut object, field);
        }
        for field in self.work.filled.iter().filter_map(|name| self.resource.field(name)) {
            if lacks(&object, field) {
                object.insert(field.name.clone(), first_value(field, row));
            }
        }
        let document = (object != before).then(|| Draft::text(self.resource, &object));
        Ok((object, document))
    }
}

/// A value that does not fit gives way to the default, or to nothing.
fn fit(document: &mut Map<String, Value>, field: &Field) {
    let Some(kind) = ColumnKind::of(field) else { return };
    let misfit = document.get(&field.name).is_some_and(|value| !value.is_null() && kind.cell(value) == Cell::Null);
    if misfit {
        document.insert(field.name.clone(), field.default.clone().unwrap_or(Value::Null));
    }
}

/// Does a row have no value for a field? Null is none, unless the field names it as one.
fn lacks(document: &Map<String, Value>, field: &Field) -> bool {
    let lists = |keyword: &str, null: &Value| {
        field.schema.get(keyword).and_then(Value::as_array).is_some_and(|values| values.contains(null))
    };
    match document.get(&field.name) {
        Some(Value::Null) => {
            let is_only = field.schema.get("const").is_some_and(Value::is_null);
            !(is_only || lists("type", &Value::from("null")) || lists("enum", &Value::Null))
        }
        value => value.is_none(),
    }
}

/// What a field begins with in a row that was there before it.
fn first_value(field: &Field, row: &Stored) -> Value {
    match field.stamp {
        Some(Stamp::CreatedAt) => Value::String(row.created_at.to_string()),
        Some(Stamp::UpdatedAt) => Value::String(row.updated_at.to_string()),
        Some(Stamp::Owner) => row.owner.clone().map_or(Value::Null, Value::String),
        None => field.default.clone().unwrap_or(Value::Null),
    }
}
