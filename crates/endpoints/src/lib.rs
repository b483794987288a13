//! The OAuth wire: form in, use case, JSON out. One route per file; no rule is decided here.

mod answer;
pub mod authorization;
mod authorize;
mod calling;
mod credentials;
mod device_code;
mod introspect;
mod jwks;
mod limit;
pub mod metadata;
mod object;
pub mod problems;
mod protected_resource;
mod public;
mod reader;
mod request;
mod revoke;
mod straight;
mod token;
mod userinfo;
mod wire_error;

use std::ops::Deref;
use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use valetkey_oauth::Authority;
use valetkey_oauth::protocol::ErrorCode;
use valetkey_rest::problem::{Problem, catalogue};

pub use limit::TokenLimit;
pub use metadata::Documents;
pub use straight::Act;

/// What the handlers share: one count for each request that holds it.
#[derive(Clone)]
pub struct Endpoints(Arc<Shared>);

/// What stands behind [`Endpoints`].
pub struct Shared {
    authority: Arc<Authority>,
    documents: Documents,
    token_limit: TokenLimit,
}

impl Deref for Endpoints {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Endpoints {
    /// Prepares the documents that do not change while the server runs.
    pub fn new(authority: Arc<Authority>, token_limit: TokenLimit) -> Self {
        let documents = Documents::new(&authority.policy);
        Self(Arc::new(Shared { authority, documents, token_limit }))
    }

    /// The routes that act, as one table. Only listed origins may call them from a browser.
    pub fn routes(&self) -> Router {
        Router::new()
            .route(token::PATH, post(token::post))
            .route("/userinfo", get(userinfo::get).post(userinfo::post))
            .route(introspect::PATH, post(introspect::post))
            .route("/revoke", post(revoke::post))
            .method_not_allowed_fallback(other_method)
            .with_state(self.clone())
    }

    /// The route where devices ask. Needs a `SessionOrigin` with each request: a person is shown where it came from.
    pub fn for_devices(&self) -> Router {
        Router::new()
            .route("/device/code", post(device_code::post))
            .method_not_allowed_fallback(other_method)
            .with_state(self.clone())
    }

    /// The route that a browser comes to. Needs a `Browser` with each request.
    pub fn for_browsers(&self) -> Router {
        Router::new().route("/authorize", get(authorize::get).post(authorize::post)).with_state(self.clone())
    }

    /// The documents for everyone, from any origin.
    pub fn documents(&self) -> Router {
        Router::new()
            .route(jwks::PATH, get(jwks::get).options(public::preflight))
            .route(metadata::OPENID, get(metadata::openid_configuration).options(public::preflight))
            .route(metadata::OAUTH, get(metadata::oauth).options(public::preflight))
            .route(protected_resource::ORIGIN, get(protected_resource::origin).options(public::preflight))
            .route(protected_resource::API, get(protected_resource::api).options(public::preflight))
            .with_state(self.clone())
    }
}

/// RFC 6749 has no word for it; every library understands this one.
async fn other_method() -> Problem {
    Problem::new(&catalogue::METHOD_NOT_ALLOWED).error_code(ErrorCode::InvalidRequest.as_str())
}
