//! What clients see of an API, without what is only for people: sorted and written one way, so that two states of it can
//! be compared and kept. Knows nothing of what has changed.

mod field;
mod normal;
mod operations;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::model::{Api, Ownership, Resource};

pub use field::{FieldSurface, InnerSurface, RelationSurface};
pub use operations::{ActionSurface, OperationSurface};

/// Everything that clients of one version see.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// The name in media types.
    pub name: String,
    /// How clients prove who they are.
    pub authentication: String,
    /// What they can ask to be allowed.
    pub scopes: BTreeSet<String>,
    /// What is served, by its plural.
    pub resources: BTreeMap<String, ResourceSurface>,
}

/// What clients see of one resource.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResourceSurface {
    /// The resource whose paths it also stands under, and the field that points there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<(String, String)>,
    /// Do users see only rows of their own?
    #[serde(default, skip_serializing_if = "is_false")]
    pub own: bool,
    /// Does `PUT` make rows?
    #[serde(default, skip_serializing_if = "is_false")]
    pub put_creates: bool,
    /// What can be done, by its word in declarations. Actions are apart.
    pub operations: BTreeMap<String, OperationSurface>,
    /// What rows hold.
    pub fields: BTreeMap<String, FieldSurface>,
    /// What can be done besides.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub actions: BTreeMap<String, ActionSurface>,
}

impl Surface {
    /// What clients of this API see.
    pub fn of(face: &Api) -> Self {
        Self {
            name: face.name.clone(),
            authentication: "bearer".to_owned(),
            scopes: face.scopes.iter().map(|scope| scope.name.clone()).collect(),
            resources: face.resources.iter().map(|one| (one.name.clone(), ResourceSurface::of(one))).collect(),
        }
    }
}

impl ResourceSurface {
    fn of(resource: &Resource) -> Self {
        Self {
            parent: resource.parent.as_ref().map(|above| (above.resource.clone(), above.field.clone())),
            own: resource.ownership == Ownership::Own,
            put_creates: resource.put_creates,
            operations: operations::operations(resource),
            fields: resource.fields.iter().map(|field| (field.name.clone(), FieldSurface::of(field))).collect(),
            actions: operations::actions(resource),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
