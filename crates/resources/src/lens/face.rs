//! The API as clients of one version see it, made from the newest by going back change by change.

mod relocate;
mod retrace;

use std::sync::Arc;

use super::table::Lens;
use super::turn::Turn;
use crate::model::{Api, Change, Resource, Step, Version};
use crate::suggest::nearest;

/// One version of an API.
#[derive(Debug, Clone)]
pub struct Face {
    /// Which.
    pub version: Version,
    /// As its clients see it: complete, and right in itself.
    pub api: Arc<Api>,
    /// For each of its resources: the name of the stored one, and how its rows are seen.
    pub lenses: Vec<(String, Lens)>,
    /// For each of its resources: the stored name of each of its actions.
    pub actions: Vec<Vec<String>>,
}

/// A change that does not fit what is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misstep {
    /// The version whose change it is.
    pub version: u32,
    /// Which of its changes; none if it is all of them together.
    pub step: Option<usize>,
    /// What is wrong.
    pub told: String,
    /// What was probably meant.
    pub suggestion: Option<String>,
}

/// A resource on the way back.
#[derive(Debug, Clone)]
pub(super) struct Side {
    /// As it is stored.
    pub(super) stored: Arc<Resource>,
    /// As it is seen. What it points at is named as it is stored.
    pub(super) face: Resource,
    /// The stored name of each of its actions.
    pub(super) actions: Vec<String>,
    /// The way here.
    pub(super) turns: Vec<Turn>,
    /// Does this version have it?
    pub(super) is_served: bool,
}

/// Why a change cannot be gone back: what is wrong, and what was probably meant.
pub(super) type Wrong = (String, Option<String>);

/// Every version, from the newest to the oldest.
pub fn faces(api: &Api) -> Result<Vec<Face>, Vec<Misstep>> {
    let mut sides = newest(api);
    let (mut faces, mut missteps) = (Vec::new(), Vec::new());
    let mut newer: Option<&Version> = None;
    for version in api.versions.iter().rev() {
        let changes = newer.into_iter().flat_map(|newer| newer.changes.iter().enumerate().rev());
        for (place, step) in changes {
            if let Err((told, suggestion)) = go_back(&mut sides, step) {
                let number = newer.map_or(version.number, |newer| newer.number);
                missteps.push(Misstep { version: number, step: Some(place), told, suggestion });
            }
        }
        match face(api, version, &sides) {
            Ok(face) => faces.push(face),
            Err(misstep) => missteps.push(misstep),
        }
        newer = Some(version);
    }
    if missteps.is_empty() { Ok(faces) } else { Err(missteps) }
}

/// The newest version: what is stored, without what only older versions show.
pub(super) fn newest(api: &Api) -> Vec<Side> {
    let mut sides: Vec<Side> = api.resources.iter().map(Side::new).collect();
    let steps: Vec<&Step> = api.versions.iter().flat_map(|version| &version.changes).collect();
    for (place, step) in steps.iter().enumerate() {
        let stored = stored_name(&step.resource, &steps[place + 1..]);
        let Some(side) = sides.iter_mut().find(|side| side.stored.name == stored) else { continue };
        match &step.change {
            Change::ResourceRemoved => side.is_served = false,
            Change::Removed { field, from: None } => side.hide(field),
            Change::ActionRemoved(action) => side.drop_action(action),
            Change::OperationRemoved(operation) => side.face.operations.retain(|offered| offered != operation),
            _ => {}
        }
    }
    sides
}

/// The name that a resource has in the end, after these changes.
fn stored_name<'a>(name: &'a str, later: &[&'a Step]) -> &'a str {
    later.iter().fold(name, |name, step| match &step.change {
        Change::ResourceRenamed { from, .. } if from == name => &step.resource,
        _ => name,
    })
}

/// One change, gone back.
pub(super) fn go_back(sides: &mut [Side], step: &Step) -> Result<(), Wrong> {
    let is_removal = matches!(step.change, Change::ResourceRemoved);
    let found = sides.iter().position(|side| side.is_served != is_removal && side.face.name == step.resource);
    let Some(found) = found else {
        let known = sides.iter().filter(|side| side.is_served).map(|side| side.face.name.as_str());
        let meant = nearest(&step.resource, known).map(str::to_owned);
        return Err((format!("There is no resource `{}` in this version.", step.resource), meant));
    };
    if let Change::ResourceRenamed { from, .. } = &step.change
        && sides.iter().any(|side| side.is_served && side.face.name == *from)
    {
        return Err((format!("The version before has another resource `{from}`."), None));
    }
    sides[found].go_back(&step.change)
}

fn face(api: &Api, version: &Version, sides: &[Side]) -> Result<Face, Misstep> {
    let served: Vec<&Side> = sides.iter().filter(|side| side.is_served).collect();
    let name_of = |stored: &str| served.iter().find(|side| side.stored.name == stored).map(|side| &side.face.name);
    let mut resources = Vec::new();
    for side in &served {
        let mut face = side.face.clone();
        for field in &mut face.fields {
            let Some(to) = &mut field.references else { continue };
            let Some(name) = name_of(&to.resource) else {
                let told = format!(
                    "In version {}, `{}.{}` points at `{}`, which that version does not have. Say that the field is new \
                     as well: `- {{ add: {}.{} }}`.",
                    version.number, face.name, field.name, to.resource, face.name, field.name
                );
                return Err(Misstep { version: version.number, step: None, told, suggestion: None });
            };
            to.resource.clone_from(name);
        }
        face.parent = face.parent.and_then(|mut parent| {
            parent.resource.clone_from(name_of(&parent.resource)?);
            face.fields.iter().any(|field| field.name == parent.field).then_some(parent)
        });
        let fields = std::mem::take(&mut face.fields);
        resources.push(Arc::new(face.with_fields(fields)));
    }
    let lenses = served.iter().zip(&resources);
    let lenses = lenses.map(|(side, face)| (side.stored.name.clone(), Lens::new(side.turns.clone(), face)));
    Ok(Face {
        version: version.clone(),
        lenses: lenses.collect(),
        actions: served.iter().map(|side| side.actions.clone()).collect(),
        api: Arc::new(Api { resources, ..api.clone() }),
    })
}
