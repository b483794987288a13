//! A resource, with what follows from its declaration worked out once.

use std::sync::Arc;

use crate::model::{Api, Resource};
use crate::validate::{RuleError, Rules};

/// A resource that is served.
#[derive(Debug)]
pub struct Served {
    /// What was declared.
    pub resource: Arc<Resource>,
    /// Its schemas, compiled.
    pub rules: Rules,
    /// The resources below it.
    pub children: Vec<Arc<Resource>>,
    /// What its fields point at: the place of the field, and the resource there.
    pub relations: Vec<(usize, Arc<Resource>)>,
}

impl Served {
    pub(super) fn new(resource: Arc<Resource>, api: &Api) -> Result<Self, RuleError> {
        let pointing = resource.fields.iter().enumerate();
        let relations = pointing.filter_map(|(place, field)| {
            let target = api.resource(&field.references.as_ref()?.resource)?;
            Some((place, target.clone()))
        });
        Ok(Self {
            rules: Rules::of(&resource)?,
            children: api.children(&resource).cloned().collect(),
            relations: relations.collect(),
            resource,
        })
    }

    /// The relation with this name in `include=`.
    pub fn relation(&self, name: &str) -> Option<(usize, &Arc<Resource>)> {
        self.relations.iter().find_map(|(place, target)| {
            let is_it = self.resource.fields[*place].references.as_ref().is_some_and(|to| to.name == name);
            is_it.then_some((*place, target))
        })
    }
}
