//! Rows of declared resources as both engines see them: who sees them, what a condition says, what a change makes of them.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;
use valetkey_oauth::ports::StoreError;
use valetkey_resources::model::{Cell, Resource, Stamp};
use valetkey_resources::ports::{
    Change, Changing, Draft, Edited, Kept, KeptAnswer, Keyed, Pointer, Precondition, Shown, Sight, Stored, TaskId,
    TaskStep,
};

use crate::document::{followed, object};
use crate::moment::{from_micros, in_micros};

/// The columns of a row, as an engine reads them.
pub(crate) struct Columns {
    pub(crate) id: Uuid,
    pub(crate) revision: i64,
    pub(crate) owner: Option<String>,
    pub(crate) created_at: i64,
    pub(crate) updated_at: i64,
    pub(crate) task: Option<Uuid>,
    pub(crate) document: String,
}

impl Columns {
    /// The row.
    pub(crate) fn stored(self) -> Result<Stored, StoreError> {
        Ok(Stored {
            shown: Shown { id: self.id, task: self.task.map(TaskId), document: self.document },
            revision: u64::try_from(self.revision).unwrap_or(0),
            owner: self.owner,
            created_at: from_micros(self.created_at)?,
            updated_at: from_micros(self.updated_at)?,
        })
    }
}

/// Is this row there for the caller? The document says where it points: its columns follow it.
pub(crate) fn is_in_sight(of: &Resource, row: &Stored, sight: &Sight) -> Result<bool, StoreError> {
    if sight.owner.is_some() && sight.owner != row.owner {
        return Ok(false);
    }
    let Some((place, above)) = sight.under else { return Ok(true) };
    let Some(column) = of.columns().get(place) else { return Ok(false) };
    let document = followed(&row.document, std::iter::once(column))?;
    Ok(column.cell(&document) == Cell::Id(above))
}

/// Does the condition hold?
pub(crate) fn holds(condition: &Precondition, row: &Stored) -> bool {
    match condition {
        Precondition::None => true,
        Precondition::Revision(revisions) => revisions.contains(&row.revision),
    }
}

/// What is to become of a row that was found, before anything is written.
pub(crate) enum Decision {
    /// It is answered at once.
    Answer(Changing),
    /// This row takes its place.
    Write(Box<Next>),
}

/// A row as it will be.
pub(crate) struct Next {
    pub(crate) row: Stored,
    /// Is anything to be written into it?
    pub(crate) changes: bool,
    pub(crate) edited: Edited,
}

/// Holds sight, condition and edit against the row, in this order.
pub(crate) fn decide(change: &Change, found: Option<Stored>) -> Result<Decision, StoreError> {
    let Some(row) = found else { return Ok(Decision::Answer(Changing::Missing)) };
    if !is_in_sight(&change.resource, &row, &change.sight)? {
        return Ok(Decision::Answer(Changing::Missing));
    }
    if !holds(&change.condition, &row) {
        return Ok(Decision::Answer(Changing::ConditionFailed(row.revision)));
    }
    let edited = match (change.edit)(&row) {
        Ok(edited) => edited,
        Err(problem) => return Ok(Decision::Answer(Changing::Refused(problem))),
    };
    let task = match &edited.task {
        TaskStep::None => row.task,
        TaskStep::Begin(task) => Some(task.id),
        TaskStep::Finish(id) if row.task == Some(*id) => None,
        TaskStep::Finish(_) => return Ok(Decision::Answer(Changing::Missing)),
    };
    let changes = edited.draft.is_some() || !matches!(edited.task, TaskStep::None);
    let mut next = row;
    if changes {
        next.revision += 1;
        next.updated_at = in_micros(change.now);
        next.task = task;
        if let Some(draft) = &edited.draft {
            next.document.clone_from(&draft.document);
        }
    }
    Ok(Decision::Write(Box::new(Next { row: next, changes, edited })))
}

/// Pointers at other rows. One at the row itself needs no look: it is there when the change is.
pub(crate) fn elsewhere<'a>(
    of: &'a Resource,
    id: Uuid,
    draft: &'a Draft,
) -> impl Iterator<Item = &'a Pointer> + Clone + 'a {
    draft.pointers.iter().filter(move |pointer| pointer.id != id || pointer.resource != of.name)
}

/// The draft of a row that points at nothing any more with this field.
pub(crate) fn cleared(of: &Resource, field: &str, document: &str, now: Timestamp) -> Result<Draft, StoreError> {
    let before = object(document)?;
    let mut object = before.clone();
    object.insert(field.to_owned(), Value::Null);
    for stamped in of.fields.iter().filter(|field| field.stamp == Some(Stamp::UpdatedAt)) {
        object.insert(stamped.name.clone(), Value::String(in_micros(now).to_string()));
    }
    Ok(Draft::after(of, &before, &object))
}

/// The subject of a key as it is stored.
pub(crate) fn key_subject(subject: Option<&String>) -> &str {
    subject.map_or("", String::as_str)
}

/// What is under a key, from its columns.
pub(crate) fn kept(keyed: &Keyed, fingerprint: &[u8], state: &str, answer: KeptAnswer) -> Kept {
    if fingerprint != keyed.fingerprint {
        Kept::OtherRequest
    } else if state == RUNNING {
        Kept::Running
    } else {
        Kept::Answer(answer)
    }
}

/// The state of a key whose request is being done.
pub(crate) const RUNNING: &str = "running";
/// The state of a key that has its answer.
pub(crate) const DONE: &str = "done";
