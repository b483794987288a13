//! The whole declaration: a name, the scopes, the resources.

use std::sync::Arc;
use std::time::Duration;

use valetkey_rest::rate_limit::Quota;

use super::{Resource, Version};

/// A declared API.
#[derive(Debug, Clone)]
pub struct Api {
    /// Short, for machines: `application/vnd.<name>+json`.
    pub name: String,
    /// For people.
    pub title: String,
    /// What it is for, in Markdown.
    pub description: String,
    /// What a client can be allowed to do, in the order of the declaration.
    pub scopes: Vec<Scope>,
    /// In the order of the declaration.
    pub resources: Vec<Arc<Resource>>,
    /// From the oldest to the newest, which is the one that is stored. There is at least one.
    pub versions: Vec<Version>,
    /// The version of requests that say none; without it, the newest that is out.
    pub default_version: Option<u32>,
    /// How often each caller may ask.
    pub limits: Limits,
    /// Is it the one that is served where none is named? It leaves alone what another one has made.
    pub is_demonstration: bool,
}

/// How often each caller may ask, by what the request does; none is left to the server's own limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// GET and HEAD, searches among them.
    pub read: Option<Quota>,
    /// Lists that search by words.
    pub search: Option<Quota>,
    /// Everything that may change something.
    pub write: Option<Quota>,
}

/// One permission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The name in tokens, `<action>:<object>`.
    pub name: String,
    /// What it allows, in plain words, for the person who consents.
    pub description: String,
    /// Does the consent page set it apart?
    pub is_sensitive: bool,
    /// How often each caller may do what needs it.
    pub limit: Option<Quota>,
    /// How old the sign-in of a user may be who does what needs it.
    pub max_age: Option<Duration>,
}

impl Api {
    /// How old the sign-in of a user may be who does what needs this scope.
    pub fn max_age(&self, scope: &str) -> Option<Duration> {
        self.scopes.iter().find(|known| known.max_age.is_some() && known.name == scope)?.max_age
    }

    /// The resource with this plural name.
    pub fn resource(&self, name: &str) -> Option<&Arc<Resource>> {
        self.resources.iter().find(|resource| resource.name == name)
    }

    /// The resources whose rows stand under rows of this one.
    pub fn children<'a>(&'a self, parent: &'a Resource) -> impl Iterator<Item = &'a Arc<Resource>> {
        self.resources.iter().filter(|child| child.parent.as_ref().is_some_and(|link| link.resource == parent.name))
    }

    /// Every field of any resource that points at rows of this one: (the resource that points, its field).
    pub fn references_to<'a>(
        &'a self,
        target: &Resource,
    ) -> impl Iterator<Item = (&'a Arc<Resource>, &'a super::Field)> {
        self.resources.iter().flat_map(move |resource| {
            let fields = resource.fields.iter();
            fields
                .filter(|field| field.references.as_ref().is_some_and(|to| to.resource == target.name))
                .map(move |field| (resource, field))
        })
    }
}
