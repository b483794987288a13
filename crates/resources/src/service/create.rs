//! New rows.

use std::mem;

use serde_json::{Map, Value};
use uuid::Uuid;
use valetkey_rest::problem::catalogue;
use valetkey_rest::{FieldCode, Problem};

use super::access::missing;
use super::store_problem::{dangling, kept, not_unique};
use super::{Served, Speaker};
use crate::model::Resource;
use crate::ports::{self, Creating, Draft, KeptAnswer, Keyed, Pointer, StoreError};
use crate::validate::{Faults, Ground, Stamps};
use crate::view::{Row, Seen};

/// Bytes of a document that is not brought to the store for nothing.
const LARGE: usize = 64 * 1024;

/// What was asked for.
pub struct Creation {
    /// The fields.
    pub body: Map<String, Value>,
    /// The row above, by the path: the field that points there, and its id.
    pub under: Option<(String, Uuid)>,
    /// The id, where the caller chooses it.
    pub id: Option<Uuid>,
    /// The key of the request.
    pub keyed: Option<Keyed>,
}

/// What a request that makes or does something is answered with.
#[derive(Debug)]
pub enum Made {
    /// It was done now.
    Now(KeptAnswer),
    /// It was done before, under the same key.
    Before(KeptAnswer),
}

impl Speaker {
    /// Makes a row.
    pub async fn create(&self, served: &Served, creation: Creation) -> Result<Made, Problem> {
        let Creation { body, under, id, keyed } = creation;
        let (row, answer) = match self.drafted(served, body, under.as_ref(), id, keyed.as_ref()) {
            Ok(drafted) => drafted,
            // Whoever makes the row looks under the key first. What was answered there stands, whatever would be said today.
            Err(problem) => return self.answered(keyed.as_ref()).await?.ok_or(problem),
        };
        // The store looks there, too; but to bring it a large row for nothing takes much longer than to look twice.
        if row.draft.document.len() > LARGE
            && let Some(before) = self.answered(keyed.as_ref()).await?
        {
            return Ok(before);
        }
        let made = match self.service.ports.rows.create(*row).await {
            // What was done before can be told even while nothing can be written.
            Err(error @ StoreError::Unavailable(_)) => {
                let before = self.answered(keyed.as_ref()).await.ok().flatten();
                return before.ok_or_else(|| error.into());
            }
            made => made?,
        };
        match made {
            Creating::Created => Ok(Made::Now(answer)),
            Creating::Kept(found) => kept(found).map(Made::Before),
            Creating::NotUnique(field) => Err(not_unique(&served.face, served.name_of(field))),
            Creating::Dangling(field) => match &under {
                // The path names it: a wrong parent is no wrong field.
                Some((parent, _)) if *parent == served.name_of(field.clone()) => Err(self.missing_parent(served)),
                _ => Err(dangling(served.name_of(field))),
            },
            Creating::IdTaken => Err(Problem::new(&catalogue::CONFLICT).detail("This id is taken.")),
        }
    }

    /// The row as it is to be, in a box so that whoever waits need not have room for it, and what is answered once it is there.
    fn drafted(
        &self,
        served: &Served,
        mut body: Map<String, Value>,
        under: Option<&(String, Uuid)>,
        id: Option<Uuid>,
        keyed: Option<&Keyed>,
    ) -> Result<(Box<ports::Creation>, KeptAnswer), Problem> {
        let of = &served.resource;
        let now = self.service.now();
        let owner = self.caller.subject.clone();
        under.map_or(Ok(()), |(field, id)| place_under(&mut body, field, *id))?;
        let document = served.compose(body, Ground::New, Stamps { now, owner: owner.as_deref() })?;
        let mut draft = Draft::new(of, &document);
        draft.pointers = self.pointers(of, &document, None);
        // An id that the caller chose may have been that of a row that is gone, whose tags must not come again.
        let revision = if id.is_some() { now.as_microsecond().unsigned_abs() } else { 1 };
        let id = id.unwrap_or_else(|| self.service.ids.next(now));
        let stored = ports::Stored {
            shown: ports::Shown { id, task: None, document: mem::take(&mut draft.document) },
            revision,
            owner: owner.clone(),
            created_at: now,
            updated_at: now,
        };
        // It is refused unless all that it points at is in sight.
        let answer = self.answer(served, &stored, &Seen::All);
        draft.document = stored.shown.document;
        let keyed = keyed.map(|keyed| (keyed.clone(), answer.clone()));
        Ok((Box::new(ports::Creation { resource: of.clone(), id, owner, now, revision, draft, keyed }), answer))
    }

    /// What was answered under this key before.
    async fn answered(&self, keyed: Option<&Keyed>) -> Result<Option<Made>, Problem> {
        let Some(keyed) = keyed else { return Ok(None) };
        let found = self.service.ports.answers.kept(keyed).await?;
        found.map(|found| kept(found).map(Made::Before)).transpose()
    }

    /// How a row is told after it was made or changed.
    pub(super) fn answer(&self, served: &Served, stored: &ports::Stored, seen: &Seen) -> KeptAnswer {
        let mut id = Uuid::encode_buffer();
        let id: &str = stored.id.hyphenated().encode_lower(&mut id);
        KeptAnswer {
            location: Some([&*self.prefix, "/", &served.face.name, "/", id].concat()),
            etag: Some(self.etag(stored.revision).text()),
            body: Row::new(self, served).linking(seen).text(stored).into_bytes(),
        }
    }

    /// What a document points at and did not before, with what the caller can see of it.
    pub(super) fn pointers(
        &self,
        of: &Resource,
        document: &Map<String, Value>,
        before: Option<&Map<String, Value>>,
    ) -> Vec<Pointer> {
        let pointing = of.fields.iter().filter_map(|field| Some((field, field.references.as_ref()?)));
        pointing
            .filter(|(field, _)| before.is_none_or(|before| before.get(&field.name) != document.get(&field.name)))
            .filter_map(|(field, to)| {
                let id = document.get(&field.name)?.as_str()?.parse().ok()?;
                let owner = self.service.api.resource(&to.resource).and_then(|target| self.sight(target).owner);
                Some(Pointer { field: field.name.clone(), resource: to.resource.clone(), id, owner })
            })
            .collect()
    }

    pub(super) fn missing_parent(&self, served: &Served) -> Problem {
        let parent = served.face.parent.as_ref().and_then(|parent| self.edition.api.resource(&parent.resource));
        missing(parent.unwrap_or(&served.face))
    }
}

/// The path says where the row belongs; a body that says it too must agree.
pub(super) fn place_under(body: &mut Map<String, Value>, field: &str, id: Uuid) -> Result<(), Problem> {
    let is_here = |value: &Value| value.as_str().and_then(|text| text.parse().ok()) == Some(id);
    match body.get(field) {
        Some(other) if !is_here(other) => {
            let mut faults = Faults::default();
            let told = "The path names another one. Leave this field out, or send the same id.";
            faults.add(&format!("/{field}"), FieldCode::InvalidValue, told);
            faults.into_result()
        }
        _ => {
            body.insert(field.to_owned(), Value::String(id.hyphenated().to_string()));
            Ok(())
        }
    }
}
