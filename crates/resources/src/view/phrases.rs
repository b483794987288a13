//! What is the same in the text of every row of a resource, worked out once.

use crate::lens::Lens;
use crate::model::Resource;

/// The texts of a resource as a version serves it.
#[derive(Debug)]
pub struct Phrases {
    /// `"name":` of each stored field, in their order.
    pub(super) names: Vec<String>,
    /// Are the fields seen as they are stored, in the same order?
    pub(super) are_as_stored: bool,
    /// Where the state of a row stands among its fields.
    pub(super) state: Option<usize>,
    /// To the resources below, in their order.
    pub(super) children: Vec<Below>,
    /// To the actions that are seen, in their order.
    pub(super) actions: Vec<Below>,
}

/// A link to what is below a row: what stands before the address of the row, and behind it.
#[derive(Debug)]
pub(super) struct Below {
    pub(super) before: String,
    pub(super) after: String,
}

impl Below {
    /// Names are declared, and have no letters that JSON would escape.
    fn named(name: &str) -> Self {
        Self { before: format!(",\"{name}\":\""), after: format!("/{name}\"") }
    }
}

impl Phrases {
    /// Those of a resource and what is below it.
    pub(crate) fn of<'a>(
        resource: &Resource,
        face: &Resource,
        lens: &Lens,
        children: impl Iterator<Item = &'a Resource>,
    ) -> Self {
        let stored = resource.fields.iter().map(|field| &field.name);
        let state = resource.state.as_ref();
        Self {
            are_as_stored: lens.is_clear() && stored.clone().eq(face.fields.iter().map(|field| &field.name)),
            state: state.and_then(|state| stored.clone().position(|name| name == state)),
            names: stored.map(|name| format!("\"{name}\":")).collect(),
            children: children.map(|child| Below::named(&child.name)).collect(),
            actions: face.actions.iter().map(|action| Below::named(&action.name)).collect(),
        }
    }
}
