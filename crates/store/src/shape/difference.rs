//! What one resource has and what it should have.

use std::sync::Arc;

use valetkey_resources::model::{Column, ColumnKind, Resource};

use super::catalogue::{Known, Shape, is_demanded, word};

/// The way from one shape of a resource to the next.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) resource: Arc<Resource>,
    /// Is it new altogether?
    pub(crate) is_new: bool,
    /// Columns that are missing, or have another type.
    pub(crate) added: Vec<Column>,
    /// Fields whose columns go, those with another type among them.
    pub(crate) dropped: Vec<String>,
    /// Fields that are unique from now on, and have a column already.
    pub(crate) newly_unique: Vec<String>,
    /// Fields that are found by index from now on, and have a column already.
    pub(crate) newly_indexed: Vec<String>,
    /// Fields that were unique.
    pub(crate) no_longer_unique: Vec<String>,
    /// Fields that were found by index.
    pub(crate) no_longer_indexed: Vec<String>,
    /// Do other fields give words to the search, or others none?
    pub(crate) search_changed: bool,
    /// Are rows owned from now on?
    pub(crate) newly_owned: bool,
    /// Fields that begin with a value from now on, or that rows have not had yet.
    pub(crate) filled: Vec<String>,
    /// What has to be asked of the rows before anything is done.
    pub(crate) questions: Vec<Question>,
}

/// Something that rows may lose, or may stand in the way of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    /// A field that is not declared any more: which rows have it?
    Vanished(String),
    /// A field with another type: whose values do not fit?
    Retyped(String, ColumnKind),
    /// A field that must be there from now on: which rows lack it?
    Demanded(String),
    /// A field that must be unique from now on: which values are there more than once?
    Unique(String, ColumnKind),
}

impl Difference {
    /// What leads from what was applied to what is declared; none if nothing does.
    pub(crate) fn between(before: Option<&Shape>, resource: &Arc<Resource>) -> Option<Self> {
        let after = Shape::of(resource);
        if before.is_some_and(|before| before.is_of(resource)) {
            return None;
        }
        let Some(before) = before else { return Some(Self::of_new(resource)) };
        let known = |field: &str| before.field(field);
        let had = |field: &str, what: fn(&Known) -> bool| known(field).is_some_and(what);
        let same_kind =
            |column: &Column| known(&column.field).is_some_and(|k| k.kind.as_deref() == Some(word(column.kind)));
        let keeps = |column: &Column| had(&column.field, |known| known.has_column) && same_kind(column);
        let columns = resource.columns();
        let fields_of = |wanted: &dyn Fn(&Column) -> bool| {
            columns.iter().filter(|column| keeps(column) && wanted(column)).map(|column| column.field.clone()).collect()
        };
        let old = &before.fields[..];
        let lost = |was: fn(&Known) -> bool, is: fn(&Column) -> bool| {
            let gone = old.iter().filter(|known| {
                let column = resource.column(&known.name).map(|place| &columns[place]);
                was(known) && !column.is_some_and(|column| is(column) && keeps(column))
            });
            gone.map(|known| known.name.clone()).collect()
        };
        let searched = |fields: &[Known]| {
            fields.iter().filter(|field| field.is_searched).map(|field| field.name.clone()).collect::<Vec<_>>()
        };
        let fills = |name: &&str| {
            // Of a unique field, no two rows could have it.
            let begins = after.field(name).is_some_and(|field| field.begins && !field.is_unique);
            begins && !known(name).is_some_and(|known| known.begins)
        };
        Some(Self {
            resource: resource.clone(),
            is_new: false,
            added: columns.iter().filter(|column| !keeps(column)).cloned().collect(),
            dropped: lost(|known| known.has_column, |_| true),
            newly_unique: fields_of(&|column| column.unique && !had(&column.field, |known| known.is_unique)),
            newly_indexed: fields_of(&|column| column.indexed && !had(&column.field, |known| known.is_indexed)),
            no_longer_unique: lost(|known| known.is_unique, |column| column.unique),
            no_longer_indexed: lost(|known| known.is_indexed, |column| column.indexed),
            search_changed: searched(old) != searched(&after.fields),
            newly_owned: after.is_owned && !before.is_owned,
            filled: resource.fields.iter().map(|field| field.name.as_str()).filter(fills).map(str::to_owned).collect(),
            questions: questions(before, resource),
        })
    }

    /// All that a resource needs where nothing was applied yet.
    pub(crate) fn of_new(resource: &Arc<Resource>) -> Self {
        Self {
            resource: resource.clone(),
            is_new: true,
            added: resource.columns().to_vec(),
            dropped: Vec::new(),
            newly_unique: Vec::new(),
            newly_indexed: Vec::new(),
            no_longer_unique: Vec::new(),
            no_longer_indexed: Vec::new(),
            search_changed: false,
            newly_owned: false,
            filled: Vec::new(),
            questions: Vec::new(),
        }
    }

    /// Does this field get a column?
    pub(crate) fn adds(&self, field: &str) -> bool {
        self.added.iter().any(|column| column.field == field)
    }

    /// Do rows have to be read and written?
    pub(crate) fn rewrites(&self) -> bool {
        !self.is_new && (!self.added.is_empty() || !self.filled.is_empty() || self.search_changed)
    }
}

fn questions(before: &Shape, resource: &Resource) -> Vec<Question> {
    let mut asked = Vec::new();
    for known in &before.fields {
        if !known.is_inner() && resource.field(&known.name).is_none() {
            asked.push(Question::Vanished(known.name.clone()));
        }
    }
    for field in &resource.fields {
        let known = before.field(&field.name);
        if is_demanded(field) && !known.is_some_and(|known| known.is_required) {
            asked.push(Question::Demanded(field.name.clone()));
        }
        let Some(kind) = ColumnKind::of(field) else { continue };
        if known.is_some_and(|known| known.kind.as_deref() != Some(word(kind))) {
            asked.push(Question::Retyped(field.name.clone(), kind));
        }
        let is_column = resource.column(&field.name).is_some();
        if is_column && field.unique && !known.is_some_and(|known| known.is_unique) {
            asked.push(Question::Unique(field.name.clone(), kind));
        }
    }
    asked
}
