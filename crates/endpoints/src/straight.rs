//! What is asked most needs no router: documents that are ready before anyone asks, and the endpoints of tokens.

use std::mem;
use std::pin::Pin;

use axum::extract::{FromRequest as _, Request};
use axum::response::Response;
use bytes::Bytes;
use http::Method;
use valetkey_oauth::grants::Caller;

use crate::{Endpoints, introspect, jwks, metadata, protected_resource, public, token};

/// An endpoint that acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// `POST /token`.
    Token,
    /// `POST /introspect`.
    Introspect,
}

impl Act {
    /// What a request asks for, if it is one of these.
    pub fn of(method: &Method, path: &str) -> Option<Self> {
        match path {
            token::PATH if method == Method::POST => Some(Self::Token),
            introspect::PATH if method == Method::POST => Some(Self::Introspect),
            _ => None,
        }
    }

    /// Where it is.
    pub fn route(self) -> &'static str {
        match self {
            Self::Token => token::PATH,
            Self::Introspect => introspect::PATH,
        }
    }
}

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

    /// Answers as the route in [`Endpoints::routes`] does. In boxes, each as large as its own work.
    pub fn act(self, act: Act, caller: Caller, mut request: Request) -> Pin<Box<dyn Future<Output = Response> + Send>> {
        let headers = mem::take(request.headers_mut());
        let arriving = Bytes::from_request(request, &());
        match act {
            Act::Token => Box::pin(async move { token::answer(&self, &caller, &headers, arriving.await).await }),
            Act::Introspect => {
                Box::pin(async move { introspect::answer(&self, &caller, &headers, arriving.await).await })
            }
        }
    }
}
