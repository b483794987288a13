//! What becomes of a row when its resource is declared anew.

use serde_json::{Map, Value};
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, ColumnKind, Field, Resource, Stamp};
use valetkey_resources::ports::{Draft, Stored};

use super::Difference;
use super::difference::Question;
use crate::row::object;

/// A row as it is to stand in the new table.
pub(crate) struct Rewritten {
    pub(crate) draft: Draft,
    /// Did the document change, or only what follows from it?
    pub(crate) is_changed: bool,
}

/// Turns rows of one declaration into rows of the next.
pub(crate) struct Rewrite<'a> {
    resource: &'a Resource,
    filled: &'a [String],
    questions: &'a [Question],
}

impl<'a> Rewrite<'a> {
    /// For a resource that was declared anew. What would be lost was accepted.
    pub(crate) fn new(difference: &'a Difference) -> Self {
        let Difference { resource, filled, questions, .. } = difference;
        Self { resource, filled, questions }
    }

    /// For a resource that stays as it is: columns and words from the documents again.
    pub(crate) fn again(resource: &'a Resource) -> Self {
        Self { resource, filled: &[], questions: &[] }
    }

    /// The next state of a row.
    pub(crate) fn of(&self, row: &Stored) -> Result<Rewritten, StoreError> {
        let before = object(&row.document)?;
        let mut document = before.clone();
        for question in self.questions {
            match question {
                Question::Vanished(field) => {
                    document.remove(field);
                }
                Question::Retyped(field, kind) => self.fit(&mut document, field, *kind),
                Question::Demanded(_) | Question::Unique(..) => {}
            }
        }
        for field in self.filled.iter().filter_map(|name| self.resource.field(name)) {
            if !document.contains_key(&field.name) {
                document.insert(field.name.clone(), first_value(field, row));
            }
        }
        let mut draft = Draft::new(self.resource, &document);
        let is_changed = document != before;
        if !is_changed {
            draft.document.clone_from(&row.document);
        }
        Ok(Rewritten { draft, is_changed })
    }

    /// A value that does not fit gives way to the default, or to nothing.
    fn fit(&self, document: &mut Map<String, Value>, name: &str, kind: ColumnKind) {
        let misfit = document.get(name).is_some_and(|value| !value.is_null() && kind.cell(value) == Cell::Null);
        if misfit {
            let default = self.resource.field(name).and_then(|field| field.default.clone());
            document.insert(name.to_owned(), default.unwrap_or(Value::Null));
        }
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
