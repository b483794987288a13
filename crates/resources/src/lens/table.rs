//! All steps between the stored model and one version, as one table for each resource.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::show::Show;
use super::turn::{Document, Turn};
use crate::model::Resource;

/// How one version sees the rows of a resource.
#[derive(Debug, Clone, Default)]
pub struct Lens {
    /// From what is stored to what is seen.
    turns: Vec<Turn>,
    /// For each stored field that this version knows: the fields in which it is seen.
    seen: BTreeMap<String, Vec<String>>,
    /// For each field of this version that is one stored field: which one, and the steps that write its values otherwise.
    columns: BTreeMap<String, ColumnOf>,
    /// The same for all that lists go by, where a value may be inside of an object on either side.
    keys: BTreeMap<String, ColumnOf>,
    /// The stored fields behind the other fields, which are parts of one, or put together.
    mixed: BTreeSet<String>,
    /// For each field of this version, in its order: where it comes from.
    shows: Vec<Show>,
}

/// The stored field behind a field of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnOf {
    /// Its name, or the path of a value inside of one.
    pub field: String,
    /// Steps that change values, from the stored side.
    turns: Vec<(usize, String)>,
}

/// What this version may have, and the stored model cannot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Untold {
    /// Fields whose values cannot be written, as this version calls them.
    pub unwritable: Vec<String>,
    /// Members whose place is taken by something else, as pointers of this version.
    pub taken: Vec<String>,
}

impl Lens {
    /// `face` is what this version sees.
    pub(super) fn new(turns: Vec<Turn>, face: &Resource) -> Self {
        let mut lens = Self { turns, ..Self::default() };
        for field in &face.fields {
            let mut names = vec![field.name.clone()];
            // What is part of something else is seen there as well as in the rest of it.
            for turn in lens.turns.iter().rev() {
                for name in &mut names {
                    match turn {
                        Turn::Move { older, newer, .. } if older.len() == 1 && older[0] == *name => {
                            name.clone_from(&newer[0]);
                        }
                        Turn::Constant { field, .. } if field == name => name.clear(),
                        Turn::Rename { older, newer } if older == name => name.clone_from(newer),
                        _ => {}
                    }
                }
                if let Turn::Move { older, newer, .. } = turn
                    && older.len() > 1
                    && names.contains(&older[0])
                {
                    names.push(newer[0].clone());
                }
            }
            for name in names.into_iter().filter(|name| !name.is_empty()) {
                lens.seen.entry(name).or_default().push(field.name.clone());
            }
        }
        for key in face.keys() {
            let Some(column) = lens.trace(&key.name) else { continue };
            if !key.name.contains('.') && !column.field.contains('.') {
                lens.columns.insert(key.name.clone(), column.clone());
            }
            lens.keys.insert(key.name.clone(), column);
        }
        let is_mixed = |names: &Vec<String>| names.iter().any(|name| !lens.columns.contains_key(name));
        lens.mixed = lens.seen.iter().filter(|(_, names)| is_mixed(names)).map(|(stored, _)| stored.clone()).collect();
        lens.shows = face.fields.iter().map(|field| Show::of(&lens, &field.name)).collect();
        lens
    }

    fn trace(&self, name: &str) -> Option<ColumnOf> {
        let mut path: Vec<String> = name.split('.').map(str::to_owned).collect();
        let mut turns = Vec::new();
        for (place, turn) in self.turns.iter().enumerate().rev() {
            if turn.writes(&path[0]) {
                // What is inside of something that is written otherwise has no place of its own there.
                let [name] = path.as_slice() else { return None };
                turns.push((place, name.clone()));
            }
            if !turn.path_up(&mut path) {
                return None;
            }
        }
        Some(ColumnOf { field: path.join("."), turns })
    }

    /// Is what is seen just what is stored?
    pub fn is_clear(&self) -> bool {
        self.turns.is_empty()
    }

    /// A stored document as this version sees it.
    pub fn down(&self, mut document: Document) -> Document {
        for turn in &self.turns {
            turn.down(&mut document);
        }
        document
    }

    /// A document of this version as it is stored. Where a row was there before (as stored, and as seen), everything that
    /// did not change stays exactly as it was, even what this version could not have written itself. Besides, the fields
    /// whose values the stored model cannot have.
    pub fn up(&self, of: &Resource, seen: &Document, before: Option<(&Document, &Document)>) -> (Document, Untold) {
        let hidden = before.map(|(stored, _)| self.hidden(stored)).unwrap_or_default();
        let mut turned = seen.clone();
        let mut untold = Untold::default();
        for (place, turn) in self.turns.iter().enumerate().rev() {
            if let Some(path) = turn.collision(&turned) {
                untold.taken.push(self.placed(place + 1, path.to_vec()));
            }
            if let (Turn::Hide { field, .. }, Some(value)) = (turn, hidden.get(&place)) {
                turned.insert(field.clone(), value.clone());
            } else if !turn.up(&mut turned)
                && let Turn::Retype { field, .. } = turn
            {
                let mut path = vec![field.clone()];
                self.turns[place + 1..].iter().for_each(|turn| turn.place_down(&mut path));
                untold.unwritable.push(path.swap_remove(0));
            }
        }
        let mut document = Document::new();
        for field in &of.fields {
            let shown_in = self.seen.get(&field.name);
            let is_unchanged = |(_, seen_before): &(&Document, &Document)| {
                shown_in.is_none_or(|names| names.iter().all(|name| seen.get(name) == seen_before.get(name)))
            };
            let value = match before.filter(is_unchanged) {
                Some((stored, _)) => {
                    untold.unwritable.retain(|name| !shown_in.is_some_and(|names| names.contains(name)));
                    stored.get(&field.name).cloned()
                }
                None => turned.remove(&field.name).or_else(|| field.default.clone()),
            };
            document.insert(field.name.clone(), value.unwrap_or(Value::Null));
        }
        (document, untold)
    }

    /// What a version does not see of a document, as it is where the step hides it.
    fn hidden(&self, stored: &Document) -> BTreeMap<usize, Value> {
        let mut hidden = BTreeMap::new();
        let mut document = stored.clone();
        for (place, turn) in self.turns.iter().enumerate() {
            if let Turn::Hide { field, .. } = turn
                && let Some(value) = document.get(field)
            {
                hidden.insert(place, value.clone());
            }
            turn.down(&mut document);
        }
        hidden
    }

    /// A document that was stored when this version was the newest, as it is stored now. What this version did not show
    /// stays. Besides, the fields whose values cannot be written any more: they become nothing.
    pub fn raise(&self, of: &Resource, mut document: Document) -> (Document, Vec<String>) {
        let mut untold = Vec::new();
        for turn in self.turns.iter().rev() {
            untold.extend(turn.collision(&document).map(|path| path.join(".")));
            if !turn.up(&mut document)
                && let Turn::Retype { field, .. } = turn
            {
                document.insert(field.clone(), Value::Null);
                untold.push(field.clone());
            }
        }
        for field in &of.fields {
            document.entry(&field.name).or_insert_with(|| field.default.clone().unwrap_or(Value::Null));
        }
        (document, untold)
    }

    /// The stored field behind a field; none if there is no single one.
    pub fn column(&self, field: &str) -> Option<&ColumnOf> {
        self.columns.get(field)
    }

    /// What is stored behind something that lists go by: a field, or a value inside of one.
    pub fn key(&self, name: &str) -> Option<&ColumnOf> {
        self.keys.get(name)
    }

    /// For each field of this version, in its order: where it comes from.
    pub fn shows(&self) -> &[Show] {
        &self.shows
    }

    /// Every step, from what is stored to what is seen.
    pub(super) fn all_turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The steps that write the values of a column otherwise.
    pub(super) fn turns_of<'l>(&'l self, column: &'l ColumnOf) -> impl Iterator<Item = &'l Turn> {
        column.turns.iter().map(|(place, _)| &self.turns[*place])
    }

    /// The stored fields that are behind fields without a column.
    pub fn mixed(&self) -> &BTreeSet<String> {
        &self.mixed
    }

    /// A value of a column as this version shows it.
    pub fn shown(&self, column: &ColumnOf, value: Value) -> Value {
        column.turns.iter().rev().fold(value, |value, (place, _)| self.turns[*place].value_down(value))
    }

    /// The values that a column has where this version shows this one. None: no row can have it.
    pub fn values_up(&self, column: &ColumnOf, value: Value) -> Option<Vec<Value>> {
        let mut values = vec![value];
        for (place, name) in &column.turns {
            let turn = &self.turns[*place];
            let mut next: Vec<Value> = Vec::new();
            for value in values {
                // Several newer words may be shown as one older word.
                if let Turn::Reword { down, .. } = turn {
                    next.extend(down.iter().filter(|(_, shown)| *shown == value).map(|(newer, _)| newer.clone()));
                }
                let mut document = Document::from_iter([(name.clone(), value)]);
                if turn.up(&mut document) {
                    next.extend(document.remove(name));
                }
            }
            next.dedup();
            values = next;
        }
        (!values.is_empty()).then_some(values)
    }

    /// Where a place in the stored document is seen.
    pub fn place(&self, pointer: &str) -> String {
        self.placed(0, pointer.split('/').skip(1).map(str::to_owned).collect())
    }

    /// Where a place is seen that is meant as it is before this turn.
    fn placed(&self, turn: usize, mut path: Vec<String>) -> String {
        for turn in &self.turns[turn..] {
            turn.place_down(&mut path);
        }
        path.iter().map(|name| format!("/{name}")).collect()
    }

    /// A value of a stored field as this version writes it. None: it cannot be written.
    pub fn value_down(&self, field: &str, value: &Value) -> Option<Value> {
        let shown = self.down(Document::from_iter([(field.to_owned(), value.clone())]));
        let shown = Value::Object(shown);
        shown.pointer(&self.place(&format!("/{field}"))).filter(|value| !value.is_null()).cloned()
    }
}

impl ColumnOf {
    /// Are its values written as they are stored?
    pub fn is_plain(&self) -> bool {
        self.turns.is_empty()
    }
}
