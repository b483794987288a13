//! What is left to do for a resource once its table has its new columns. It stands in the database beside the shape, so
//! that whoever starts next goes on where another one was killed.

use serde::{Deserialize, Serialize};
use valetkey_resources::model::{Ownership, Resource};

use super::difference::Question;
use super::{BATCH, Difference};

/// The work that is left.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Work {
    /// Fields whose columns are filled from the documents.
    pub(crate) columns: Vec<String>,
    /// Fields that begin with a value, in rows that have none.
    pub(crate) filled: Vec<String>,
    /// Fields that are not declared any more: their values go.
    pub(crate) removed: Vec<String>,
    /// Fields with another type: values that do not fit give way.
    pub(crate) fitted: Vec<String>,
    /// Are the words of the search read again?
    pub(crate) words: bool,
    /// Indexes that are there, and are made again.
    pub(crate) again: Vec<String>,
    /// What lists cannot go by until all is done.
    pub(crate) closed: Closed,
    /// Is a value unique from now on? Then all is done before anyone writes: no duplicate may come in meanwhile.
    pub(crate) is_strict: bool,
    /// The row that was seen last, as the engine names it.
    pub(crate) after: Option<String>,
    /// So many rows were seen.
    pub(crate) seen: u64,
    /// So many there are, as far as known.
    pub(crate) rows: u64,
    /// Were all rows seen?
    pub(crate) is_seen: bool,
}

/// Which work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// What cannot wait until the server listens, or takes no time.
    Urgent,
    /// All of it.
    Whole,
}

impl Share {
    /// Does this belong to it?
    pub(crate) fn has(self, work: &Work) -> bool {
        self == Self::Whole || work.is_urgent()
    }
}

/// What lists cannot go by.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Closed {
    /// Fields that are not filtered or ordered by.
    pub(crate) fields: Vec<String>,
    /// Is there no search?
    pub(crate) search: bool,
    /// Are the rows of one owner not found?
    pub(crate) owner: bool,
}

impl Work {
    /// What a difference leaves to do, with what an earlier one had left. None if its tables are all it takes.
    pub(crate) fn of(difference: &Difference, has_losses: bool, earlier: Option<&Self>, rows: u64) -> Option<Self> {
        let of = &difference.resource;
        if difference.is_new {
            return None;
        }
        let earlier = earlier.cloned().unwrap_or(Self { is_seen: true, ..Self::default() });
        let mut added: Vec<_> = difference.added.iter().map(|column| column.field.clone()).collect();
        let is_column = |field: &String| of.column(field).is_some();
        let is_field = |field: &String| of.field(field).is_some();
        let filled = difference.filled.iter();
        added.extend(filled.clone().filter(|field| is_column(field) && !difference.adds(field)).cloned());
        let says_more = filled.filter_map(|field| of.field(field)).any(|field| field.search);
        let asked = |wanted: fn(&Question) -> Option<&String>| -> Vec<String> {
            difference.questions.iter().filter_map(wanted).cloned().collect()
        };
        let vanished = asked(|question| match question {
            Question::Vanished(field) => Some(field),
            Question::Retyped(..) | Question::Demanded(_) | Question::Unique(..) => None,
        });
        let retyped = asked(|question| match question {
            Question::Retyped(field, _) => Some(field),
            Question::Vanished(_) | Question::Demanded(_) | Question::Unique(..) => None,
        });
        let unique = difference.added.iter().any(|column| column.unique) || !difference.newly_unique.is_empty();
        let words = of.is_searchable() && (difference.search_changed || says_more || earlier.words);
        let work = Self {
            columns: joined(&added, &earlier.columns, is_column),
            filled: joined(&difference.filled, &earlier.filled, is_field),
            removed: joined(&vanished, &earlier.removed, |field| !is_field(field)),
            fitted: joined(&retyped, &earlier.fitted, is_field),
            words,
            again: Vec::new(),
            closed: Closed {
                fields: joined(&[added, difference.newly_indexed.clone()].concat(), &earlier.closed.fields, is_column),
                search: words,
                owner: of.ownership == Ownership::Own && (difference.newly_owned || earlier.closed.owner),
            },
            is_strict: unique || earlier.is_strict,
            after: None,
            seen: 0,
            rows,
            is_seen: earlier.is_seen && !difference.rewrites() && !has_losses,
        };
        (!work.is_seen || work.is_strict || work.closed != Closed::default()).then_some(work)
    }

    /// Everything that follows from the documents, once more. Nothing is closed meanwhile.
    pub(crate) fn again(of: &Resource, indexes: Vec<String>, rows: u64) -> Self {
        Self {
            columns: of.columns().iter().map(|column| column.field.clone()).collect(),
            words: of.is_searchable(),
            again: indexes,
            rows,
            ..Self::default()
        }
    }

    /// Only indexes are missing, or not as they should be. Nothing is closed meanwhile.
    pub(crate) fn of_indexes(rows: u64) -> Self {
        Self { rows, is_seen: true, ..Self::default() }
    }

    /// The same where lists cannot go by these fields either until all is done.
    pub(crate) fn without(mut self, fields: Vec<String>) -> Self {
        self.closed.fields = joined(&fields, &self.closed.fields, |_| true);
        self
    }

    /// Is it to be done before anyone is served: because nobody may write meanwhile, or because it takes no time?
    pub(crate) fn is_urgent(&self) -> bool {
        self.is_strict || self.rows <= BATCH as u64
    }

    /// Do documents change?
    pub(crate) fn changes_documents(&self) -> bool {
        !(self.filled.is_empty() && self.removed.is_empty() && self.fitted.is_empty())
    }

    /// Another part of the rows was seen, up to this one; none if there are no more.
    pub(crate) fn saw(&mut self, rows: usize, last: Option<String>) {
        self.seen += u64::try_from(rows).unwrap_or(u64::MAX);
        self.rows = self.rows.max(self.seen);
        self.is_seen = last.is_none();
        self.after = last;
    }
}

/// Both, without repetitions; what is no more `wanted` is left out of the earlier ones.
fn joined(new: &[String], earlier: &[String], wanted: impl Fn(&String) -> bool) -> Vec<String> {
    let mut all = new.to_vec();
    for name in earlier.iter().filter(|name| wanted(name)) {
        if !all.contains(name) {
            all.push(name.clone());
        }
    }
    all
}
