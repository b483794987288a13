//! Rows that change: as a whole or in part. What becomes of a row is decided on the row as it is in the transaction.

use std::sync::Arc;

use http::HeaderMap;
use serde_json::{Map, Value};
use uuid::Uuid;
use valetkey_rest::conditional::{self, IfMatch, IfNoneMatch};
use valetkey_rest::patch::Patch;
use valetkey_rest::problem::catalogue;
use valetkey_rest::{FieldCode, FieldError, Problem};

use super::access::missing;
use super::create::place_under;
use super::document::document;
use super::store_problem::{dangling, kept, not_unique};
use super::{Made, Served, Speaker};
use crate::model::{Operation, Resource};
use crate::ports::{Change, Changing, Draft, Edit, Edited, Keyed, Sight, Stored, TaskStep};
use crate::validate::{Ground, Stamps};

/// What must hold of a row before it changes (RFC 9110 §13).
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// It is one of these revisions.
    pub if_match: Option<IfMatch>,
    /// It is none of these.
    pub if_none_match: Option<IfNoneMatch>,
}

impl Conditions {
    /// Reads them.
    pub fn from_headers(headers: &HeaderMap) -> Result<Self, Problem> {
        let if_none_match = IfNoneMatch::from_headers(headers)?;
        Ok(Self { if_match: IfMatch::from_headers(headers)?, if_none_match })
    }
}

impl Speaker {
    /// Puts a whole new content into a row.
    pub async fn replace(
        &self,
        served: &Arc<Served>,
        id: Uuid,
        sight: Sight,
        conditions: &Conditions,
        mut body: Map<String, Value>,
    ) -> Result<Stored, Problem> {
        self.demand(served, Operation::Replace, id, &sight, conditions).await?;
        if let (Some((_, parent)), Some(field)) = (sight.under, served.parent_field()) {
            place_under(&mut body, field, parent)?;
        }
        let (speaker, kind) = (self.clone(), served.clone());
        let now = self.service.now();
        let edit: Edit = Arc::new(move |stored: &Stored| {
            let before = document(&kind.resource, stored)?;
            let ground = Ground::Replaced { id, before: &before };
            let stamps = Stamps { now, owner: stored.owner.as_deref() };
            let after = kind.compose(body.clone(), ground, stamps)?;
            Ok(speaker.edited(&kind.resource, &before, &after))
        });
        self.change(served, id, sight, conditions, edit).await
    }

    /// Changes a part of a row.
    pub async fn update(
        &self,
        served: &Arc<Served>,
        id: Uuid,
        sight: Sight,
        conditions: &Conditions,
        patch: Patch,
    ) -> Result<Stored, Problem> {
        self.demand(served, Operation::Update, id, &sight, conditions).await?;
        let (speaker, kind) = (self.clone(), served.clone());
        let (now, largest) = (self.service.now(), self.service.largest_body);
        let under = sight.under;
        let edit: Edit = Arc::new(move |stored: &Stored| {
            let before = document(&kind.resource, stored)?;
            let mut whole = kind.seen(&before);
            whole.insert("id".to_owned(), Value::String(id.hyphenated().to_string()));
            let Value::Object(mut patched) = patch.apply_within(largest, Value::Object(whole))? else {
                return Err(Problem::new(&catalogue::UNPROCESSABLE)
                    .detail("After the patch, nothing is left that could be a resource. It must stay an object.")
                    .field(FieldError::new("", FieldCode::InvalidType).pointer("")));
            };
            name_unknown(&kind.face, &patch, &mut patched);
            if let (Some((_, parent)), Some(field)) = (under, kind.parent_field()) {
                // What the patch took out is not what the path says.
                patched.entry(field).or_insert(Value::Null);
                place_under(&mut patched, field, parent)?;
            }
            let ground = Ground::Patched { id, before: &before };
            let stamps = Stamps { now, owner: stored.owner.as_deref() };
            let after = kind.compose(patched, ground, stamps)?;
            Ok(speaker.edited(&kind.resource, &before, &after))
        });
        self.change(served, id, sight, conditions, edit).await
    }

    async fn change(
        &self,
        served: &Served,
        id: Uuid,
        sight: Sight,
        conditions: &Conditions,
        edit: Edit,
    ) -> Result<Stored, Problem> {
        match self.transition(served, id, sight, conditions, edit, None).await? {
            Ok(stored) => Ok(stored),
            // Only a request with a key has a kept answer, and changes have none.
            Err(_) => Err(Problem::new(&catalogue::INTERNAL_ERROR)),
        }
    }

    /// Changes a row in one transaction: the row as it is then, or the answer that was kept under the key.
    pub(super) async fn transition(
        &self,
        served: &Served,
        id: Uuid,
        sight: Sight,
        conditions: &Conditions,
        edit: Edit,
        keyed: Option<Keyed>,
    ) -> Result<Result<Stored, Made>, Problem> {
        let of = &served.resource;
        let condition = self.precondition(conditions.if_match.as_ref());
        let edit = self.unless_matched(conditions, edit);
        let now = self.service.now();
        let change = Change { resource: of.clone(), id, sight, condition, now, edit, keyed };
        match self.service.ports.rows.change(change).await? {
            Changing::Changed(stored) => Ok(Ok(stored)),
            Changing::Missing => Err(missing(&served.face)),
            Changing::ConditionFailed(revision) => Err(conditional::precondition_failed(Some(&self.etag(revision)))),
            Changing::Refused(problem) => Err(problem),
            Changing::Kept(found) => kept(found).map(|answer| Err(Made::Before(answer))),
            Changing::NotUnique(field) => Err(not_unique(&served.face, served.name_of(field))),
            Changing::Dangling(field) => Err(dangling(served.name_of(field))),
        }
    }

    /// Where the declaration demands `If-Match`, a request without it is refused; unless there is no row anyway.
    pub(super) async fn demand(
        &self,
        served: &Served,
        operation: Operation,
        id: Uuid,
        sight: &Sight,
        conditions: &Conditions,
    ) -> Result<(), Problem> {
        if conditions.if_match.is_some() || !served.resource.needs_if_match.contains(&operation) {
            return Ok(());
        }
        self.find(served, id, sight).await?;
        Err(conditional::precondition_required())
    }

    /// `If-None-Match` on a change: a row that is one of these revisions stays as it is.
    pub(super) fn check_unmatched(&self, conditions: &Conditions, revision: u64) -> Result<(), Problem> {
        let current = self.etag(revision);
        match &conditions.if_none_match {
            Some(unwanted) if unwanted.matches(&current) => Err(conditional::there_already(&current)),
            _ => Ok(()),
        }
    }

    fn unless_matched(&self, conditions: &Conditions, edit: Edit) -> Edit {
        if conditions.if_none_match.is_none() {
            return edit;
        }
        let (speaker, conditions) = (self.clone(), conditions.clone());
        Arc::new(move |stored: &Stored| {
            speaker.check_unmatched(&conditions, stored.revision)?;
            edit(stored)
        })
    }

    /// What an edit makes of a row; nothing, if nothing changed.
    pub(super) fn edited(&self, of: &Resource, before: &Map<String, Value>, after: &Map<String, Value>) -> Edited {
        let draft = (before != after).then(|| {
            let mut draft = Draft::after(of, before, after);
            draft.pointers = self.pointers(of, after, Some(before));
            draft
        });
        Edited { draft, task: TaskStep::None, answer: None }
    }
}

/// A merge takes out what it sets to null, and there is nothing to take out under a name that no field has: it is told as
/// every other unknown name is.
fn name_unknown(of: &Resource, patch: &Patch, patched: &mut Map<String, Value>) {
    let Patch::Merge(Value::Object(members)) = patch else { return };
    let is_own = |name: &str| ["id", "links"].contains(&name);
    for (name, _) in members.iter().filter(|(name, value)| value.is_null() && of.field(name).is_none() && !is_own(name))
    {
        patched.insert(name.clone(), Value::Null);
    }
}
