//! Which scope each operation at each path needs, for those who count before anyone is let in.

use std::collections::HashMap;

use http::Method;

use super::target::{self, Place};
use crate::model::Operation;
use crate::service::Service;

/// The scope of each operation, by the path of its route.
#[derive(Debug, Default)]
pub struct Needs(HashMap<String, Vec<(Method, String)>>);

impl Needs {
    /// Those of every route below `base`.
    pub fn of(service: &Service, base: &str) -> Self {
        let mut needs = HashMap::new();
        // The newest comes first, and is what a path means that names no version.
        for edition in &service.editions {
            for prefix in [base.to_owned(), format!("{base}/v{}", edition.number())] {
                for (path, place) in target::places(edition) {
                    let scopes = place.methods().iter().filter_map(|(method, operation)| {
                        Some((method.clone(), needed(&place, *operation)?.to_owned()))
                    });
                    needs.entry(format!("{prefix}{path}")).or_insert_with(|| scopes.collect());
                }
            }
        }
        Self(needs)
    }

    /// The scope that this method needs at the route with this path, if any.
    pub fn scope(&self, method: &Method, route: &str) -> Option<&str> {
        self.0.get(route)?.iter().find(|(known, _)| known == method).map(|(_, scope)| scope.as_str())
    }
}

fn needed(place: &Place, operation: Operation) -> Option<&str> {
    match place {
        Place::Collection { served, .. } | Place::Item { served, .. } => served.face.scopes.of(operation),
        Place::Action { served, action, .. } => {
            let own = served.face.actions.get(*action).and_then(|action| action.scope.as_deref());
            own.or_else(|| served.face.scopes.of(operation))
        }
        Place::Operation => None,
    }
}
