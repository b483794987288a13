//! One step between two neighbouring versions, on a document. Down goes to the older side, up to the newer.

use serde_json::{Map, Value};

use crate::model::Codec;

/// The fields of a row.
pub(super) type Document = Map<String, Value>;

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Turn {
    /// Another name.
    Rename { older: String, newer: String },
    /// Another way of writing, by the types of both sides.
    Retype { field: String, codec: Codec, older: String, newer: String },
    /// The older side does not have it. New rows get this there.
    Hide { field: String, value: Option<Value> },
    /// Only the older side has it, and always as this.
    Constant { field: String, value: Value },
    /// Other words: (from, to) in each direction. What is in neither list stays.
    Reword { field: String, up: Vec<(Value, Value)>, down: Vec<(Value, Value)> },
    /// Another place. On the older side, an object that has nothing else may be nothing.
    Move { older: Vec<String>, newer: Vec<String>, is_nullable: bool },
}

impl Turn {
    /// To the older side. What cannot be written there is shown as nothing.
    pub(super) fn down(&self, document: &mut Document) {
        match self {
            Self::Rename { older, newer } => rename(document, newer, older),
            Self::Retype { field, .. } | Self::Reword { field, .. } => {
                if let Some(value) = document.get_mut(field) {
                    *value = self.value_down(value.take());
                }
            }
            Self::Hide { field, .. } => {
                document.remove(field);
            }
            Self::Constant { field, value } => {
                document.insert(field.clone(), value.clone());
            }
            Self::Move { older, newer, is_nullable } => {
                let moved = take(document, newer);
                // What was empty before stays so: only what has lost its last member may be nothing.
                let is_emptied = *is_nullable && moved.is_some();
                put(document, older, moved);
                if let Some(rest) = newer.first().filter(|_| is_emptied).and_then(|name| document.get_mut(name))
                    && rest.as_object().is_some_and(Map::is_empty)
                {
                    *rest = Value::Null;
                }
            }
        }
    }

    /// One value of a field that it writes otherwise, to the older side.
    pub(super) fn value_down(&self, value: Value) -> Value {
        match self {
            Self::Retype { codec, older, .. } => match (codec.down(&value, older), codec) {
                (Some(shown), _) => shown,
                // A word that the older side does not know: clients are used to new words.
                (None, Codec::Map(_)) if older == "string" && value.is_string() => value,
                (None, _) => Value::Null,
            },
            Self::Reword { down, .. } => {
                let shown = down.iter().find(|(from, _)| *from == value).map(|(_, to)| to.clone());
                shown.unwrap_or(value)
            }
            _ => value,
        }
    }

    /// To the newer side. What cannot be written there is left as it is, and `false`.
    pub(super) fn up(&self, document: &mut Document) -> bool {
        match self {
            Self::Rename { older, newer } => rename(document, older, newer),
            Self::Retype { field, codec, newer, .. } => {
                if let Some(value) = document.get_mut(field) {
                    match codec.up(value, newer) {
                        Some(turned) => *value = turned,
                        None => return value.is_null(),
                    }
                }
            }
            Self::Hide { field, value } => {
                if let Some(value) = value {
                    document.entry(field.clone()).or_insert_with(|| value.clone());
                }
            }
            Self::Constant { field, .. } => {
                document.remove(field);
            }
            Self::Reword { field, up, .. } => reword(document, field, up),
            // What was not said falls back, which only those who know the field can do.
            Self::Move { older, newer, .. } => {
                if let Some(value) = take(document, older) {
                    put(document, newer, Some(value));
                }
            }
        }
        true
    }

    /// Where a document of the older side already has something that is not this, at the place where this would go: a
    /// member that no schema names.
    pub(super) fn collision(&self, document: &Document) -> Option<&[String]> {
        let Self::Move { older, newer, .. } = self else { return None };
        let (first, inner) = newer.split_first().filter(|(_, inner)| !inner.is_empty())?;
        let found = inner.iter().try_fold(document.get(first)?, |here, name| here.as_object()?.get(name));
        (found.is_some() && !older.starts_with(newer)).then_some(newer)
    }

    /// Where a place of the newer side is on the older one.
    pub(super) fn place_down(&self, path: &mut Vec<String>) {
        match self {
            Self::Rename { older, newer } if path.first() == Some(newer) => path[0].clone_from(older),
            Self::Move { older, newer, .. } if path.starts_with(newer) => {
                path.splice(..newer.len(), older.iter().cloned());
            }
            _ => {}
        }
    }

    /// The place on the newer side of a value of the older one; `false` if it has none, or is not in one piece there.
    pub(super) fn path_up(&self, path: &mut Vec<String>) -> bool {
        match self {
            Self::Rename { older, newer } if path[0] == *older => path[0].clone_from(newer),
            Self::Constant { field, .. } if path[0] == *field => return false,
            Self::Move { older, newer, .. } => {
                if path.starts_with(older) {
                    path.splice(..older.len(), newer.iter().cloned());
                } else if older.starts_with(path) || path.starts_with(newer) || newer.starts_with(path) {
                    return false;
                }
            }
            _ => {}
        }
        true
    }

    /// Does it change the values of this field of the older side?
    pub(super) fn writes(&self, name: &str) -> bool {
        matches!(self, Self::Retype { field, .. } | Self::Reword { field, .. } if field == name)
    }
}

fn rename(document: &mut Document, from: &str, to: &str) {
    if let Some(value) = document.remove(from) {
        document.insert(to.to_owned(), value);
    }
}

fn reword(document: &mut Document, field: &str, words: &[(Value, Value)]) {
    if let Some(value) = document.get_mut(field)
        && let Some((_, to)) = words.iter().find(|(from, _)| from == value)
    {
        value.clone_from(to);
    }
}

/// Takes a value out; nothing where there is none. An object inside of another that held nothing else goes along.
fn take(document: &mut Document, path: &[String]) -> Option<Value> {
    match path {
        [] => None,
        [name] => document.remove(name),
        [name, rest @ ..] => {
            let inner = document.get_mut(name)?.as_object_mut()?;
            let taken = take(inner, rest)?;
            if let [next, _, ..] = rest
                && inner.get(next).and_then(Value::as_object).is_some_and(Map::is_empty)
            {
                inner.remove(next);
            }
            Some(taken)
        }
    }
}

/// Puts a value in. At the top every field has a value; further in, nothing is better than null.
fn put(document: &mut Document, path: &[String], value: Option<Value>) {
    match path {
        [] => {}
        [name] => {
            document.insert(name.clone(), value.unwrap_or(Value::Null));
        }
        [name, rest @ ..] => {
            let Some(value) = value.filter(|value| !value.is_null()) else { return };
            let inner = document.entry(name.clone()).or_insert(Value::Null);
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            if let Some(inner) = inner.as_object_mut() {
                put(inner, rest, Some(value));
            }
        }
    }
}
