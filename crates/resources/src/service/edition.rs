//! One version of the API, ready to serve.

use std::collections::HashMap;
use std::sync::Arc;

use super::Served;
use super::served::Making;
use crate::lens::{self, Face, Misstep};
use crate::model::{Action, Api, Gone, Operation, Resource, Version};
use crate::validate::{RuleError, Rules};

/// One version.
#[derive(Debug)]
pub struct Edition {
    /// Its number, and the days of its life.
    pub version: Version,
    /// As its clients see it.
    pub api: Arc<Api>,
    /// Its resources, in the order of the declaration.
    pub served: Vec<Arc<Served>>,
}

/// Why an API cannot be served. The declaration is checked before, so this is a defect of that check.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// A schema cannot be used.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A change between versions does not fit.
    #[error("version {}: {}", .0.version, .0.told)]
    Change(Misstep),
}

/// All versions, from the newest.
pub(super) fn editions(api: &Api) -> Result<Vec<Arc<Edition>>, ServiceError> {
    let mut rules = HashMap::new();
    for resource in &api.resources {
        rules.insert(resource.name.clone(), (resource.clone(), Arc::new(Rules::of(resource)?)));
    }
    let faces = lens::faces(api).map_err(|missteps| {
        let nothing = Misstep { version: 0, step: None, told: "nothing fits".to_owned(), suggestion: None };
        ServiceError::Change(missteps.into_iter().next().unwrap_or(nothing))
    })?;
    faces.into_iter().map(|face| Ok(Arc::new(Edition::new(face, &rules)?))).collect()
}

impl Edition {
    fn new(face: Face, rules: &HashMap<String, (Arc<Resource>, Arc<Rules>)>) -> Result<Self, ServiceError> {
        let Face { version, api, lenses, actions } = face;
        let mut served = Vec::new();
        for ((seen, (stored, lens)), actions) in api.resources.iter().zip(lenses).zip(&actions) {
            let Some((resource, rules)) = rules.get(&stored) else { continue };
            // What is seen as it is stored is one thing, not two.
            let face = if lens.is_clear() && is_same(seen, resource) { resource.clone() } else { seen.clone() };
            let (resource, rules) = (resource.clone(), rules.clone());
            let making = Making { resource, face, lens, rules, api: &api, actions };
            served.push(Arc::new(Served::new(making)?));
        }
        Ok(Self { version, api, served })
    }

    /// The N of `/v<N>/`.
    pub fn number(&self) -> u32 {
        self.version.number
    }

    /// The resource that is stored under this name, if this version has it.
    pub fn stored(&self, name: &str) -> Option<&Arc<Served>> {
        self.served.iter().find(|served| served.resource.name == name)
    }

    /// The resource that is seen under this name.
    pub fn seen(&self, name: &str) -> Option<&Arc<Served>> {
        self.served.iter().find(|served| served.face.name == name)
    }

    /// Does anything go with the sunset of this version?
    pub fn loses_anything(&self) -> bool {
        !self.version.gone.is_empty()
    }

    /// Is this gone once the sunset of this version has come?
    pub fn loses(&self, resource: &Resource, operation: Operation, action: Option<&Action>) -> bool {
        self.version.gone.iter().any(|gone: &Gone| {
            gone.resource == resource.name
                && gone.operation.is_none_or(|named| named == operation)
                && gone.action.as_ref().is_none_or(|named| action.is_some_and(|action| action.name == *named))
        })
    }
}

fn is_same(seen: &Resource, stored: &Resource) -> bool {
    seen.name == stored.name
        && seen.actions.len() == stored.actions.len()
        && seen.operations == stored.operations
        && seen.statuses == stored.statuses
        && seen.parent == stored.parent
        && seen.actions.iter().zip(&stored.actions).all(|(one, other)| one.name == other.name)
        && seen.fields == stored.fields
}
