//! What a path means, and which methods it has.

use std::sync::Arc;

use http::Method;

use valetkey_rest::version::Lifecycle;

use crate::model::Operation;
use crate::service::{Edition, Served, Service};

/// What is served at a path.
pub struct Target {
    /// By whom.
    pub service: Arc<Service>,
    /// The path before it.
    pub prefix: Arc<str>,
    /// The version that is spoken there.
    pub edition: Arc<Edition>,
    /// What it is.
    pub place: Place,
}

/// The row above, where a path has one: its resource, and the column that points there.
pub type Above = Option<(Arc<Served>, usize)>;

/// The kinds of path.
pub enum Place {
    /// `/orders`, `/users/{id}/orders`.
    Collection {
        /// What it holds.
        served: Arc<Served>,
        /// Under which row.
        above: Above,
    },
    /// `/orders/{id}`, `/users/{id}/orders/{id}`.
    Item {
        /// What it is.
        served: Arc<Served>,
        /// Under which row.
        above: Above,
    },
    /// `/orders/{id}/cancel`.
    Action {
        /// Of what.
        served: Arc<Served>,
        /// Which one, by its place among the actions that are seen.
        action: usize,
        /// Under which row.
        above: Above,
    },
    /// `/operations/{id}`.
    Operation,
}

/// Every path below the prefix.
pub(super) fn places(edition: &Edition) -> Vec<(String, Place)> {
    let mut places = vec![("/operations/{id}".to_owned(), Place::Operation)];
    for served in &edition.served {
        let name = &served.face.name;
        add(&mut places, format!("/{name}"), served, &None);
        let above = served
            .face
            .parent
            .as_ref()
            .and_then(|parent| Some((edition.seen(&parent.resource)?.clone(), served.column(&parent.field)?)));
        if let Some((parent, _)) = &above {
            add(&mut places, format!("/{}/{{above}}/{name}", parent.face.name), served, &above);
        }
    }
    places
}

fn add(places: &mut Vec<(String, Place)>, path: String, served: &Arc<Served>, above: &Above) {
    let (served, above) = (served.clone(), above.clone());
    for (action, declared) in served.face.actions.iter().enumerate() {
        let place = Place::Action { served: served.clone(), action, above: above.clone() };
        places.push((format!("{path}/{{id}}/{}", declared.name), place));
    }
    places.push((format!("{path}/{{id}}"), Place::Item { served: served.clone(), above: above.clone() }));
    places.push((path, Place::Collection { served, above }));
}

impl Place {
    /// Every method that such a place can have, with what it means.
    pub fn methods(&self) -> &'static [(Method, Operation)] {
        use Operation::{Act, Create, Delete, List, Read, Replace, Update};
        match self {
            Self::Collection { .. } => &[(Method::GET, List), (Method::HEAD, List), (Method::POST, Create)],
            Self::Item { .. } => &[
                (Method::GET, Read),
                (Method::HEAD, Read),
                (Method::PUT, Replace),
                (Method::PATCH, Update),
                (Method::DELETE, Delete),
            ],
            Self::Action { .. } => &[(Method::POST, Act)],
            Self::Operation => &[(Method::GET, Read), (Method::HEAD, Read)],
        }
    }
}

impl Target {
    /// The methods that are offered here, with what they mean.
    pub fn operations(&self) -> impl Iterator<Item = (Method, Operation)> {
        let all = self.all();
        let is_past = self.edition.loses_anything() && self.is_past_sunset();
        let is_there = move |operation: Operation| self.offers(operation) && !(is_past && self.goes_early(operation));
        all.iter().filter(move |(_, operation)| is_there(*operation)).cloned()
    }

    /// The methods of this place, those that went with the sunset among them.
    pub fn once(&self, method: &Method) -> Option<Operation> {
        self.all().iter().find(|(offered, operation)| offered == method && self.offers(*operation)).map(|(_, of)| *of)
    }

    fn is_past_sunset(&self) -> bool {
        let versions = &self.service.versions;
        let version = versions.version(self.edition.number());
        version.is_some_and(|version| version.state(versions.today()) == Lifecycle::Sunset)
    }

    fn all(&self) -> &'static [(Method, Operation)] {
        self.place.methods()
    }

    fn offers(&self, operation: Operation) -> bool {
        match &self.place {
            Place::Collection { served, .. } | Place::Item { served, .. } | Place::Action { served, .. } => {
                served.face.offers(operation)
            }
            Place::Operation => true,
        }
    }

    /// Does this part of the version go with its sunset?
    pub fn goes_early(&self, operation: Operation) -> bool {
        match &self.place {
            Place::Collection { served, .. } | Place::Item { served, .. } => {
                self.edition.loses(&served.face, operation, None)
            }
            Place::Action { served, action, .. } => {
                self.edition.loses(&served.face, operation, served.face.actions.get(*action))
            }
            Place::Operation => false,
        }
    }

    /// The row above, where the path has one.
    pub fn above(&self) -> Option<&(Arc<Served>, usize)> {
        match &self.place {
            Place::Collection { above, .. } | Place::Item { above, .. } | Place::Action { above, .. } => above.as_ref(),
            Place::Operation => None,
        }
    }
}
