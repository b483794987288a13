//! Which scope a request needs, for those who count before anyone is let in.

use http::Method;
use valetkey_rest::version::VersionChoice;

use super::board::Found;
use super::target::Place;
use crate::model::Operation;

impl Found {
    /// The scope that this method needs there in the version that was chosen, if any.
    pub fn scope(&self, method: &Method, choice: Option<&VersionChoice>) -> Option<&str> {
        let place = &self.target(choice)?.place;
        let (_, operation) = place.methods().iter().find(|(known, _)| known == method)?;
        needed(place, *operation)
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
