//! One resource, one change back: what it looked like before.

use std::sync::Arc;

use serde_json::Value;

use super::{Side, Wrong};
use crate::lens::turn::Turn;
use crate::model::{Action, Change, Codec, ColumnKind, Field, Operation, Resource};
use crate::suggest::nearest;
use crate::validate::Rules;

impl Side {
    pub(super) fn new(stored: &Arc<Resource>) -> Self {
        Self {
            face: (**stored).clone(),
            actions: stored.actions.iter().map(|action| action.name.clone()).collect(),
            stored: stored.clone(),
            turns: Vec::new(),
            is_served: true,
        }
    }

    /// The newest version does not show this field.
    pub(super) fn hide(&mut self, field: &str) {
        if self.face.fields.iter().any(|declared| declared.name == field) {
            self.face.fields.retain(|declared| declared.name != field);
            self.turns.push(Turn::Hide { field: field.to_owned(), value: None });
        }
    }

    /// This version does not have this action.
    pub(super) fn drop_action(&mut self, name: &str) {
        if let Some(place) = self.face.actions.iter().position(|action| action.name == name) {
            self.face.actions.remove(place);
            self.actions.remove(place);
        }
    }

    pub(super) fn go_back(&mut self, change: &Change) -> Result<(), Wrong> {
        match change {
            Change::ResourceRenamed { from, singular } => {
                self.face.name.clone_from(from);
                self.face.singular.clone_from(singular);
            }
            Change::ResourceAdded => self.is_served = false,
            Change::ResourceRemoved => self.is_served = true,
            Change::Renamed { from, to } => self.rename(from, to)?,
            Change::Retyped { field, from, codec } => self.retype(field, from, codec)?,
            Change::Added { field, value } => self.remove(field, value.as_ref())?,
            Change::Removed { field, from } => self.bring_back(field, from.as_deref())?,
            Change::Reworded { field, values, shown } => self.reword(field, values, shown)?,
            Change::Moved { from, to } => self.relocate(from, to)?,
            Change::Status { operation, from } => self.status(*operation, *from)?,
            Change::ActionRenamed { from, to } => {
                self.free_action(from)?;
                self.action(to)?.name.clone_from(from);
            }
            Change::ActionAdded(name) => {
                self.action(name)?;
                self.drop_action(name);
            }
            Change::ActionRemoved(name) => {
                self.free_action(name)?;
                let Some(action) = self.stored.action(name).cloned() else { return Err(self.no_action(name)) };
                self.face.actions.push(action);
                self.actions.push(name.clone());
            }
            Change::OperationAdded(operation) => {
                if !self.face.offers(*operation) {
                    return Err((format!("`{}` has no `{}`.", self.face.name, operation.as_str()), None));
                }
                self.face.operations.retain(|offered| offered != operation);
            }
            Change::OperationRemoved(operation) => {
                if self.face.offers(*operation) || !self.stored.offers(*operation) {
                    let told = format!(
                        "`{}` must still be declared for `{}`, so that the older version can be served.",
                        operation.as_str(),
                        self.stored.name
                    );
                    return Err((told, None));
                }
                self.face.operations.push(*operation);
            }
        }
        Ok(())
    }

    pub(super) fn place(&self, name: &str) -> Result<usize, Wrong> {
        self.face.fields.iter().position(|field| field.name == name).ok_or_else(|| {
            let meant = nearest(name, self.face.fields.iter().map(|field| field.name.as_str()));
            let told = format!("`{}` have no field `{name}` in this version.", self.face.name);
            (told, meant.map(str::to_owned))
        })
    }

    /// A name that the older version gives must not be taken there.
    pub(super) fn free(&self, name: &str) -> Result<(), Wrong> {
        if self.face.fields.iter().any(|field| field.name == name) {
            return Err((format!("The version before has a field `{name}` already in `{}`.", self.face.name), None));
        }
        Ok(())
    }

    fn action(&mut self, name: &str) -> Result<&mut Action, Wrong> {
        let wrong = self.no_action(name);
        self.face.actions.iter_mut().find(|action| action.name == name).ok_or(wrong)
    }

    fn no_action(&self, name: &str) -> Wrong {
        let meant = nearest(name, self.face.actions.iter().map(|action| action.name.as_str()));
        (format!("`{}` have no action `{name}` in this version.", self.face.name), meant.map(str::to_owned))
    }

    fn free_action(&self, name: &str) -> Result<(), Wrong> {
        if self.face.action(name).is_some() {
            return Err((format!("The version before has an action `{name}` already in `{}`.", self.face.name), None));
        }
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), Wrong> {
        self.free(from)?;
        let place = self.place(to)?;
        let field = &mut self.face.fields[place];
        // The name in `include=` follows the field, unless it was given one of its own.
        if let Some(reference) = &mut field.references
            && to.strip_suffix("_id") == Some(reference.name.as_str())
            && let Some(name) = from.strip_suffix("_id")
        {
            name.clone_into(&mut reference.name);
        }
        from.clone_into(&mut field.name);
        field.move_inner(to, from);
        if let Some(parent) = self.face.parent.as_mut().filter(|parent| parent.field == to) {
            from.clone_into(&mut parent.field);
        }
        if self.face.state.as_deref() == Some(to) {
            self.face.state = Some(from.to_owned());
        }
        self.turns.push(Turn::Rename { older: from.to_owned(), newer: to.to_owned() });
        Ok(())
    }

    fn retype(&mut self, name: &str, from: &Value, codec: &Codec) -> Result<(), Wrong> {
        let place = self.place(name)?;
        let field = &mut self.face.fields[place];
        let (older, newer) = (kind_of(from), kind_of(&field.schema).to_owned());
        if !fits(codec, older, &newer) {
            return Err((format!("No such codec turns {older} into {newer}. Look at the types on both sides."), None));
        }
        field.default = field.default.as_ref().and_then(|value| codec.down(value, older));
        field.schema = from.clone();
        field.search &= older == "string";
        field.inner.clear();
        let has_column = ColumnKind::of(field).is_some();
        (field.filter, field.sort) = (field.filter && has_column, field.sort && has_column);
        field.rewritten = Some((codec.clone(), newer.clone()));
        let older = older.to_owned();
        self.turns.push(Turn::Retype { field: name.to_owned(), codec: codec.clone(), older, newer });
        Ok(())
    }

    fn remove(&mut self, name: &str, value: Option<&Value>) -> Result<(), Wrong> {
        let place = self.place(name)?;
        let field = &self.face.fields[place];
        if field.required && value.is_none() {
            let told = format!(
                "`{name}` is required, and clients of the version before do not know it. Say what their rows get: \
                 `value: …`."
            );
            return Err((told, None));
        }
        let fits = |value: &Value| {
            let is_none = value.is_null() && field.is_nullable();
            is_none || Rules::of(&self.face).is_ok_and(|rules| rules.accepts(place, value))
        };
        if let Some(value) = value.filter(|value| !fits(value)) {
            return Err((
                format!("Rows of older clients cannot get {value} as `{name}`: it does not fit the field."),
                None,
            ));
        }
        if field.unique && value.is_some() {
            let told = format!("`{name}` is unique, and rows of older clients cannot all have the same value.");
            return Err((told, None));
        }
        if self.face.state.as_deref() == Some(name) {
            self.face.state = None;
        }
        self.face.fields.remove(place);
        self.turns.push(Turn::Hide { field: name.to_owned(), value: value.cloned() });
        Ok(())
    }

    fn bring_back(&mut self, name: &str, from: Option<&Field>) -> Result<(), Wrong> {
        self.free(name)?;
        if let Some(from) = from {
            // Nothing is stored that could be found by it.
            let bare = Field { filter: false, sort: false, search: false, unique: false, ..from.clone() };
            let bare = Field { inner: Vec::new(), ..bare };
            self.face.fields.push(bare);
            let value = from.default.clone().unwrap_or(Value::Null);
            self.turns.push(Turn::Constant { field: name.to_owned(), value });
            return Ok(());
        }
        let hidden = |turn: &Turn| matches!(turn, Turn::Hide { field, .. } if field == name);
        match (self.stored.field(name), self.turns.iter().position(hidden)) {
            (Some(field), Some(turn)) => {
                self.face.fields.push(field.clone());
                self.turns.remove(turn);
                Ok(())
            }
            _ => {
                let told = format!(
                    "`{name}` is stored no more. Leave it among the fields of `{}`, so that the older version can show it, \
                     or say what it was: `from: {{ type: … }}`.",
                    self.stored.name
                );
                Err((told, None))
            }
        }
    }

    fn reword(&mut self, name: &str, values: &[(Value, Value)], shown: &[(Value, Value)]) -> Result<(), Wrong> {
        let place = self.place(name)?;
        let Some(words) = self.face.fields[place].schema.get("enum").and_then(Value::as_array).cloned() else {
            return Err((format!("`{name}` is no enumeration: it has no `enum`."), None));
        };
        let named = values.iter().map(|(_, newer)| newer).chain(shown.iter().map(|(newer, _)| newer));
        if let Some(unknown) = named.into_iter().find(|newer| !words.contains(newer)) {
            let meant = unknown.as_str().and_then(|word| nearest(word, words.iter().filter_map(Value::as_str)));
            return Err((format!("`{name}` has no value {unknown}."), meant.map(str::to_owned)));
        }
        // What a newer word is shown as: as is said, or as the older word for it, unless the older side knows both.
        let mut down: Vec<(Value, Value)> = shown.to_vec();
        let keeps = |newer: &Value| values.iter().any(|(older, _)| older == newer);
        for (older, newer) in values {
            if !keeps(newer) && down.iter().all(|(from, _)| from != newer) {
                down.push((newer.clone(), older.clone()));
            }
        }
        let turn = |value: &Value| down.iter().find(|(from, _)| from == value).map_or(value, |(_, to)| to).clone();
        let mut older: Vec<Value> = Vec::new();
        for word in words.iter().map(turn).chain(values.iter().map(|(older, _)| older.clone())) {
            if !older.contains(&word) {
                older.push(word);
            }
        }
        let field = &mut self.face.fields[place];
        field.default = field.default.as_ref().map(turn);
        if let Some(schema) = field.schema.as_object_mut() {
            schema.insert("enum".to_owned(), Value::Array(older));
        }
        if self.face.state.as_deref() == Some(name) {
            let word = |state: &String| {
                turn(&Value::String(state.clone())).as_str().map_or_else(|| state.clone(), str::to_owned)
            };
            for action in &mut self.face.actions {
                action.from = action.from.iter().map(word).collect();
                action.to = action.to.as_ref().map(word);
            }
        }
        self.turns.push(Turn::Reword { field: name.to_owned(), up: values.to_vec(), down });
        Ok(())
    }

    fn status(&mut self, operation: Operation, from: u16) -> Result<(), Wrong> {
        let possible: &[u16] = match operation {
            Operation::Create => &[200, 201],
            Operation::Delete => &[200, 204],
            Operation::Act => &[200, 204],
            _ => &[],
        };
        if !possible.contains(&from) {
            let told = match possible {
                [] => format!("`{}` always answers with 200.", operation.as_str()),
                _ => format!("`{}` can have answered with {} or {}.", operation.as_str(), possible[0], possible[1]),
            };
            return Err((told, None));
        }
        self.face.statuses.retain(|(of, _)| *of != operation);
        self.face.statuses.push((operation, from));
        Ok(())
    }
}

fn kind_of(schema: &Value) -> &str {
    schema.get("type").and_then(Value::as_str).unwrap_or("value")
}

fn fits(codec: &Codec, older: &str, newer: &str) -> bool {
    let either = |one: &str, other: &[&str]| {
        (older == one && other.contains(&newer)) || (newer == one && other.contains(&older))
    };
    match codec {
        Codec::Decimal(_) => either("integer", &["string", "number"]),
        Codec::Text => either("string", &["integer", "number", "boolean"]),
        Codec::Epoch | Codec::EpochMillis => either("string", &["integer"]),
        Codec::List => (older == "array") != (newer == "array"),
        Codec::Map(_) => true,
    }
}
