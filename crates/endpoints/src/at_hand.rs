//! Answers that need no router: documents that are ready before anyone asks.

use axum::response::Response;

use crate::{Endpoints, jwks, metadata, protected_resource, public};

impl Endpoints {
    /// What `GET` of this path answers, if that is at hand, and the route that it stands for. The same as
    /// [`Endpoints::documents`] answers, without the way there.
    pub fn at_hand(&self, path: &str) -> Option<(&'static str, Response)> {
        let (route, bytes) = match path {
            jwks::PATH => (jwks::PATH, jwks::bytes(self)),
            metadata::OPENID => (metadata::OPENID, self.documents.openid.clone()),
            metadata::OAUTH => (metadata::OAUTH, self.documents.oauth.clone()),
            protected_resource::ORIGIN => (protected_resource::ORIGIN, self.documents.origin.clone()),
            protected_resource::API => (protected_resource::API, self.documents.api.clone()),
            _ => return None,
        };
        Some((route, public::document(bytes)))
    }
}
