//! Rows of resources: found, listed, made, changed, removed. A change is decided on the row as it is inside the
//! transaction, so that of two who change one row none loses what the other did.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use serde_json::{Map, Value};
use uuid::Uuid;
use valetkey_rest::Problem;

use super::{Counted, Kept, KeptAnswer, Keyed, ListPlan, Listing, Position, StoreError, Task, TaskId};
use crate::model::{Api, Cell, Resource};

/// What is shown of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Its id: a UUID of version 7.
    pub id: Uuid,
    /// An action that is still under way.
    pub task: Option<TaskId>,
    /// The fields as a JSON object, in the order of the declaration. The text is kept byte by byte.
    pub document: String,
}

/// A row as the store has it: what is shown of it, and what is known besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored {
    /// What is shown.
    pub shown: Shown,
    /// Counts its changes, from 1.
    pub revision: u64,
    /// The subject that made it; none if a client did in its own name.
    pub owner: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Deref for Stored {
    type Target = Shown;

    fn deref(&self) -> &Shown {
        &self.shown
    }
}

impl DerefMut for Stored {
    fn deref_mut(&mut self) -> &mut Shown {
        &mut self.shown
    }
}

/// What is to stand in a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The JSON object.
    pub document: String,
    /// One for each of `Resource::columns`.
    pub cells: Vec<Cell>,
    /// For each of them: is it what the row had before? Empty for a new row.
    pub same_cells: Vec<bool>,
    /// The texts of its searchable fields, in their order.
    pub texts: Vec<String>,
    /// Are the words the same as those of the row before? Then they need not be written again.
    pub same_words: bool,
    /// The rows that it must be able to point at.
    pub pointers: Vec<Pointer>,
}

/// A row that another one points at. It must be there, in sight of the caller, when the change is committed.
#[derive(Debug, Clone, PartialEq)]
pub struct Pointer {
    /// The field that points.
    pub field: String,
    /// The plural name of the resource it points to.
    pub resource: String,
    /// The row it points to.
    pub id: Uuid,
    /// Only a row of this owner counts.
    pub owner: Option<String>,
}

/// Which rows are there for a caller. Others are as if they were not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sight {
    /// Only rows of this owner.
    pub owner: Option<String>,
    /// Only rows whose column (by its place in `Resource::columns`) points at this row.
    pub under: Option<(usize, Uuid)>,
}

/// What a caller demands of a row before it changes (RFC 9110 §13).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Precondition {
    /// Nothing.
    #[default]
    None,
    /// Its revision is one of these. Empty: none will do, as of an `If-Match` that names another version.
    Revision(Vec<u64>),
}

/// A row to make.
#[derive(Debug, Clone)]
pub struct Creation {
    /// Of which resource.
    pub resource: Arc<Resource>,
    /// Its id.
    pub id: Uuid,
    /// In whose name.
    pub owner: Option<String>,
    /// When.
    pub now: Timestamp,
    /// With which revision it begins.
    pub revision: u64,
    /// What stands in it.
    pub draft: Draft,
    /// The key of the request and the answer to keep under it.
    pub keyed: Option<(Keyed, KeptAnswer)>,
}

/// What became of a creation.
#[derive(Debug, Clone, PartialEq)]
pub enum Creating {
    /// It is there.
    Created,
    /// The request was done before, or another one was under its key.
    Kept(Kept),
    /// Another row has the value of this unique field.
    NotUnique(String),
    /// What this field points at is not there, or not in sight.
    Dangling(String),
    /// A row with this id is there.
    IdTaken,
}

/// A change of one row.
#[derive(Clone)]
pub struct Change {
    /// Of which resource.
    pub resource: Arc<Resource>,
    /// Which row.
    pub id: Uuid,
    /// Is it there for the caller?
    pub sight: Sight,
    /// What must hold before.
    pub condition: Precondition,
    /// When.
    pub now: Timestamp,
    /// What to make of the row.
    pub edit: Edit,
    /// The key of the request.
    pub keyed: Option<Keyed>,
}

/// Decides what becomes of a row: a pure function that may run more than once, inside the transaction.
pub type Edit = Arc<dyn Fn(&Stored) -> Editing + Send + Sync>;

/// What becomes of a row, or why nothing does.
pub type Editing = Result<Edited, Problem>;

/// What becomes of a row.
#[derive(Debug, Clone)]
pub struct Edited {
    /// What stands in it next; none leaves the document as it is.
    pub draft: Option<Draft>,
    /// What becomes of its task.
    pub task: TaskStep,
    /// The answer to keep, if the change has a key. None with a key: the key is [`Kept::Running`] until the task ends.
    pub answer: Option<KeptAnswer>,
}

/// What a change does about an action that takes time.
#[derive(Debug, Clone, Default)]
pub enum TaskStep {
    /// Nothing.
    #[default]
    None,
    /// Begins one. The row has none at that time, or the change is refused by its edit.
    Begin(Box<Task>),
    /// Ends it well. Only if the row still has this task; else the change does nothing and is [`Changing::Missing`]. An
    /// answer of the edit is kept under the key of the task, if it has one.
    Finish(TaskId),
}

/// What became of a change.
#[derive(Debug)]
pub enum Changing {
    /// The row as it is now. Its revision is one higher, unless the edit asked for nothing.
    Changed(Stored),
    /// No such row for this caller.
    Missing,
    /// The condition does not hold. The row has this revision.
    ConditionFailed(u64),
    /// The edit refused.
    Refused(Problem),
    /// The request was done before, or another one was under its key.
    Kept(Kept),
    /// Another row has the value of this unique field.
    NotUnique(String),
    /// What this field points at is not there, or not in sight.
    Dangling(String),
}

/// A row to remove.
#[derive(Debug, Clone)]
pub struct Removal {
    /// The whole API, for the rows that point here.
    pub api: Arc<Api>,
    /// Of which resource.
    pub resource: Arc<Resource>,
    /// Which row.
    pub id: Uuid,
    /// Is it there for the caller?
    pub sight: Sight,
    /// What must hold before.
    pub condition: Precondition,
    /// When; rows that point here may change.
    pub now: Timestamp,
}

/// What became of a removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removing {
    /// It is gone.
    Removed,
    /// No such row for this caller.
    Missing,
    /// The condition does not hold. The row has this revision.
    ConditionFailed(u64),
    /// Rows of this resource still point at it.
    InUse(String),
    /// Rows of this resource would go along or be changed, and with them more than one removal sees to.
    TooMany {
        /// The resource.
        resource: String,
        /// How many there may be.
        most: usize,
    },
}

/// Several rows that were asked for by their ids.
#[derive(Debug, Clone, Default)]
pub struct Several {
    /// Those that were found.
    pub rows: Vec<Stored>,
    /// Was every id looked for? Those after the last row were not, where they would be more than
    /// [`PAGE_BYTES`](super::PAGE_BYTES).
    pub is_all: bool,
}

/// The rows of all resources.
#[async_trait]
pub trait Rows: Send + Sync {
    /// One row.
    async fn find(&self, of: &Resource, id: Uuid, sight: &Sight) -> Result<Option<Stored>, StoreError>;

    /// Several rows, in the order of their ids here. Those that are not there, or not in sight, are left out.
    async fn find_all(&self, of: &Resource, ids: &[Uuid], sight: &Sight) -> Result<Several, StoreError>;

    /// Those of these rows that belong to somebody, in any order. Their documents are not read.
    async fn owned(&self, of: &Resource, ids: &[Uuid], owner: &str) -> Result<Vec<Uuid>, StoreError>;

    /// A part of a list. Ends by itself when it takes too long.
    async fn list(&self, of: &Resource, sight: &Sight, plan: &ListPlan) -> Result<Listing, StoreError>;

    /// Where a row of a list stands in it.
    fn position(&self, of: &Resource, plan: &ListPlan, row: &Shown) -> Result<Position, StoreError>;

    /// How many rows the conditions and the search of a plan leave. Counts no further than `cap`, nor longer than a
    /// request may take.
    async fn count(&self, of: &Resource, sight: &Sight, plan: &ListPlan, cap: u64) -> Result<Counted, StoreError>;

    /// Makes a row. The key, unique values and what it points at are checked in the same transaction, in this order.
    async fn create(&self, creation: Creation) -> Result<Creating, StoreError>;

    /// Changes a row. The key is looked at first, then sight, condition, edit, unique values, pointers.
    async fn change(&self, change: Change) -> Result<Changing, StoreError>;

    /// Removes a row, and does to those that point at it what their declaration says.
    async fn remove(&self, removal: Removal) -> Result<Removing, StoreError>;

    /// A number that is another one after each change of any row, before whoever made it is told. None where that is not
    /// known: where other nodes write, or while a change is on its way.
    fn generation(&self) -> Option<u64> {
        None
    }
}

impl Draft {
    /// A draft of this document. What it points at is added by whoever knows the caller.
    pub fn new(of: &Resource, document: &Map<String, Value>) -> Self {
        let cells = of.columns().iter().map(|column| column.cell(document)).collect();
        Self {
            document: Self::text(of, document),
            cells,
            same_cells: Vec::new(),
            texts: texts(of, document).map(str::to_owned).collect(),
            same_words: false,
            pointers: Vec::new(),
        }
    }

    /// The words of its searchable fields, in their order, repetitions included: as many as are looked at.
    pub fn words(&self) -> Vec<String> {
        words_of(self.texts.iter().map(String::as_str))
    }

    /// The same of a document.
    pub fn words_in(of: &Resource, document: &Map<String, Value>) -> Vec<String> {
        words_of(texts(of, document))
    }

    /// A draft of what this document became.
    pub fn after(of: &Resource, before: &Map<String, Value>, document: &Map<String, Value>) -> Self {
        let mut searched = of.fields.iter().filter(|field| field.search).map(|field| field.name.as_str());
        let same_words = searched.all(|name| text_of(before, name) == text_of(document, name));
        let draft = Self::new(of, document);
        let same_cells = of.columns().iter().zip(&draft.cells).map(|(column, cell)| column.cell(before) == *cell);
        Self { same_words, same_cells: same_cells.collect(), ..draft }
    }

    /// A document as text: the fields in the order of the declaration; what is not declared comes last.
    pub fn text(of: &Resource, document: &Map<String, Value>) -> String {
        let mut text = Vec::with_capacity(256);
        text.push(b'{');
        let mut put = |name: &str, value: &Value| {
            if text.len() > 1 {
                text.push(b',');
            }
            // Neither fails: names are text, and a document has nothing that JSON cannot say.
            let _ = serde_json::to_writer(&mut text, name);
            text.push(b':');
            let _ = serde_json::to_writer(&mut text, value);
        };
        let mut declared = 0;
        for (name, value) in of.fields.iter().filter_map(|field| document.get_key_value(&field.name)) {
            declared += 1;
            put(name, value);
        }
        if declared < document.len() {
            document.iter().filter(|(name, _)| of.field(name).is_none()).for_each(|(name, value)| put(name, value));
        }
        text.push(b'}');
        String::from_utf8(text).unwrap_or_default()
    }
}

/// The texts of the searchable fields of a document.
fn texts<'d>(of: &'d Resource, document: &'d Map<String, Value>) -> impl Iterator<Item = &'d str> {
    let searched = of.fields.iter().filter(|field| field.search);
    searched.filter_map(|field| document.get(&field.name)?.as_str())
}

fn words_of<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<String> {
    texts.flat_map(crate::model::words).take(crate::model::MOST_WORDS).collect()
}

/// The text of a field; none is like an empty one.
fn text_of<'a>(document: &'a Map<String, Value>, name: &str) -> &'a str {
    document.get(name).and_then(Value::as_str).unwrap_or_default()
}
