//! A resource as one version serves it, with what follows from its declaration worked out once.

use std::sync::Arc;

use serde_json::{Map, Value};
use valetkey_rest::{FieldCode, FieldError, Problem};

use crate::lens::{Lens, Untold};
use crate::model::{Api, Resource};
use crate::validate::{Faults, Ground, RuleError, Rules, Stamps};
use crate::view::Phrases;

/// A resource that is served.
#[derive(Debug)]
pub struct Served {
    /// As it is stored.
    pub resource: Arc<Resource>,
    /// As clients of this version see it.
    pub face: Arc<Resource>,
    /// From one to the other.
    pub lens: Lens,
    /// The schemas of what is stored, compiled.
    pub rules: Arc<Rules>,
    /// The schemas of what is seen, where that is something else.
    seen_rules: Option<Rules>,
    /// The resources below it, as they are seen.
    pub children: Vec<Arc<Resource>>,
    /// What its fields point at.
    pub relations: Vec<Relation>,
    /// For each action that is seen: its place among those that are stored.
    pub actions: Vec<usize>,
    /// What all of its rows have in common when they are written.
    pub phrases: Phrases,
}

/// A field that points at a row.
#[derive(Debug)]
pub struct Relation {
    /// The place of the field among those that are seen.
    pub place: usize,
    /// The field as it is stored.
    pub stored: String,
    /// The resource there, as it is seen.
    pub target: Arc<Resource>,
}

/// One resource of a version, on its way to be served.
pub(super) struct Making<'a> {
    pub(super) resource: Arc<Resource>,
    pub(super) face: Arc<Resource>,
    pub(super) lens: Lens,
    pub(super) rules: Arc<Rules>,
    pub(super) api: &'a Api,
    pub(super) actions: &'a [String],
}

impl Served {
    pub(super) fn new(making: Making<'_>) -> Result<Self, RuleError> {
        let Making { resource, face, lens, rules, api, actions } = making;
        let pointing = face.fields.iter().enumerate();
        let relations = pointing.filter_map(|(place, field)| {
            let target = api.resource(&field.references.as_ref()?.resource)?.clone();
            let stored = lens.column(&field.name)?.field.clone();
            Some(Relation { place, stored, target })
        });
        let stored_action = |name: &String| resource.actions.iter().position(|action| action.name == *name);
        let children: Vec<_> = api.children(&face).cloned().collect();
        Ok(Self {
            relations: relations.collect(),
            phrases: Phrases::of(&resource, &face, &lens, children.iter().map(|child| &**child)),
            children,
            actions: actions.iter().filter_map(stored_action).collect(),
            seen_rules: if lens.is_clear() { None } else { Some(Rules::of(&face)?) },
            resource,
            face,
            lens,
            rules,
        })
    }

    /// The relation with this name in `include=`.
    pub fn relation(&self, name: &str) -> Option<&Relation> {
        self.relations
            .iter()
            .find(|relation| self.face.fields[relation.place].references.as_ref().is_some_and(|to| to.name == name))
    }

    /// Where the column of a field that is seen, or of a value inside of one, stands among those that are stored.
    pub fn column(&self, seen: &str) -> Option<usize> {
        self.resource.column(&self.lens.key(seen)?.field)
    }

    /// The name of a stored action, as it is seen.
    pub fn seen_action(&self, stored: &str) -> Option<&str> {
        let place = self.actions.iter().position(|place| self.resource.actions[*place].name == stored)?;
        self.face.actions.get(place).map(|action| action.name.as_str())
    }

    /// The field that points at the row above, as it is seen.
    pub fn parent_field(&self) -> Option<&str> {
        self.face.parent.as_ref().map(|parent| parent.field.as_str())
    }

    /// A stored document as it is seen.
    pub(crate) fn seen(&self, stored: &Map<String, Value>) -> Map<String, Value> {
        if self.lens.is_clear() { stored.clone() } else { self.lens.down(stored.clone()) }
    }

    /// The document to store, from what a client of this version sent; or everything that is wrong with that, as this
    /// version calls it. `ground` is the row as it is stored.
    pub(super) fn compose(
        &self,
        sent: Map<String, Value>,
        ground: Ground<'_>,
        stamps: Stamps<'_>,
    ) -> Result<Map<String, Value>, Problem> {
        let Some(seen_rules) = &self.seen_rules else {
            return self.rules.compose(&self.resource, sent, ground, stamps);
        };
        let before = ground.before().map(|stored| (stored, self.seen(stored)));
        let seen_ground = match &before {
            Some((_, seen)) => ground.on(seen),
            None => ground,
        };
        let seen = seen_rules.compose(&self.face, sent, seen_ground, stamps)?;
        let before = before.as_ref().map(|(stored, seen)| (*stored, seen));
        let (mut document, untold) = self.lens.up(&self.resource, &seen, before);
        self.refuse(untold)?;
        let written = |field: &str, value: &Value| self.lens.value_down(field, value);
        let settled = self.rules.settle(&self.resource, &mut document, ground, stamps, &written);
        settled.map_err(|problem| self.told(problem))?;
        Ok(document)
    }

    /// The document to store after fields that a handler set, which speaks this version.
    pub(super) fn merge(
        &self,
        before: &Map<String, Value>,
        result: &Map<String, Value>,
    ) -> Result<Map<String, Value>, Problem> {
        let Some(seen_rules) = &self.seen_rules else {
            return self.rules.merge(&self.resource, before.clone(), result);
        };
        let seen = self.seen(before);
        let merged = seen_rules.merge(&self.face, seen.clone(), result)?;
        let (document, untold) = self.lens.up(&self.resource, &merged, Some((before, &seen)));
        self.refuse(untold)?;
        let written = |field: &str, value: &Value| self.lens.value_down(field, value);
        let fits = self.rules.check_merged(&self.resource, before, &document, &written);
        fits.map_err(|problem| self.told(problem))?;
        Ok(document)
    }

    /// Refuses what cannot be stored. What the server sets itself is none of the caller's business.
    fn refuse(&self, untold: Untold) -> Result<(), Problem> {
        let Untold { unwritable: mut names, taken } = untold;
        let stored = |name: &String| self.resource.field(&self.lens.column(name)?.field);
        names.retain(|name| stored(name).is_none_or(|field| field.stamp.is_none()));
        let mut faults = Faults::default();
        for name in names {
            let told = "It is not written in the way that this field has.";
            faults.add(&format!("/{name}"), FieldCode::InvalidFormat, told);
        }
        for pointer in taken {
            let told = "Newer versions have something else of this name here. Give this member another name.";
            faults.add(&pointer, FieldCode::Unknown, told);
        }
        faults.into_result()
    }

    /// A refusal of the stored model, with fields as this version calls them.
    pub(super) fn told(&self, problem: Problem) -> Problem {
        if self.lens.is_clear() {
            return problem;
        }
        problem.map_fields(|field| {
            let pointer = field.pointer.as_deref().map_or_else(|| format!("/{}", field.field), str::to_owned);
            let seen = self.lens.place(&pointer);
            let name = seen.trim_start_matches('/').replace('/', ".");
            FieldError { field: name.into(), pointer: Some(seen.into()), ..field }
        })
    }

    /// The name of a stored field, as this version calls it.
    pub(super) fn name_of(&self, stored: String) -> String {
        if self.lens.is_clear() {
            return stored;
        }
        self.lens.place(&format!("/{stored}")).trim_start_matches('/').replace('/', ".")
    }
}
