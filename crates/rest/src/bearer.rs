//! Bearer tokens (RFC 6750): who calls, by the token in the `Authorization` header. Never knows what a token is made of.
//!
//! A [`Verify`] looks at tokens; [`BearerLayer`] puts `Arc<Caller>` into the extensions of the request, or refuses with
//! a challenge that says what to do. A request with the method OPTIONS passes in any case: browsers send it without tokens.
//!
//! A token that is bound to a certificate is good only together with it: [`BearerLayer::shown_by`] says where a request
//! has the certificate that its client proved. Without that, bound tokens are refused.
//!
//! With the feature `jwks` there is a verifier of JWT access tokens (RFC 9068), with `introspection` one that asks the
//! server that issued the token (RFC 7662).
//!
//! ```
//! use std::sync::Arc;
//! use axum::{Extension, Router, body::Body, routing::get};
//! use http::Request;
//! use tower::ServiceExt;
//! use valetkey_rest::bearer::{BearerLayer, Caller, Challenge, Unverifiable, Verify, async_trait};
//!
//! struct OneToken;
//!
//! #[async_trait]
//! impl Verify for OneToken {
//!     async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
//!         Ok((token == "s3cret").then(|| Caller { client: "app".into(), ..Caller::default() }))
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let challenge = Challenge { realm: "orders".into(), resource_metadata: None };
//! let app = Router::new()
//!     .route("/", get(|Extension(caller): Extension<Arc<Caller>>| async move { caller.client.clone() }))
//!     .layer(BearerLayer::new(Arc::new(OneToken), challenge));
//!
//! let request = |token| Request::get("/").header("authorization", format!("Bearer {token}")).body(Body::empty()).unwrap();
//! assert_eq!(app.clone().oneshot(request("s3cret")).await.unwrap().status(), 200);
//! assert_eq!(app.oneshot(request("guess")).await.unwrap().status(), 401);
//! # }
//! ```

use std::sync::Arc;

pub use async_trait::async_trait;

use crate::problem::{Problem, catalogue};

#[cfg(feature = "introspection")]
pub mod introspection;
#[cfg(feature = "jwks")]
pub mod jwks;

mod challenge;
#[cfg(any(feature = "introspection", feature = "jwks"))]
mod confirmation;
mod credentials;
#[cfg(any(feature = "introspection", feature = "jwks"))]
mod fetch;
mod layer;
mod sign_in;
#[cfg(test)]
mod tests;

pub use challenge::Challenge;
pub use layer::{BearerLayer, BearerService, KeyOf};
pub use sign_in::SignInNeed;

/// Who calls, as a token says it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    /// The client that the token was issued to.
    pub client: String,
    /// The user it speaks for; none if the client speaks for itself.
    pub subject: Option<String>,
    /// What it may do.
    pub scopes: Vec<String>,
    /// The version of the API that the client is pinned to.
    pub version_pin: Option<String>,
    /// When the token ends, in seconds of Unix time.
    pub expires_at: Option<i64>,
    /// The certificate that must come with the token, by its `x5t#S256` (RFC 8705 §3). [`BearerLayer`] checks it.
    pub key_binding: Option<String>,
    /// When its user signed in, in seconds of Unix time, if the token says so.
    pub authenticated_at: Option<i64>,
    /// How strongly, in the issuer's words, if the token says so.
    pub acr: Option<String>,
}

impl Caller {
    /// Whether the token has this scope.
    pub fn has(&self, scope: &str) -> bool {
        self.scopes.iter().any(|known| known == scope)
    }
}

/// Looks at tokens.
#[async_trait]
pub trait Verify: Send + Sync {
    /// Who calls; none for a token that is not valid, for whatever reason. The token is not empty and has no spaces.
    async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable>;

    /// The same, if nobody has to be waited for.
    fn verify_at_once(&self, _token: &str) -> Option<Result<Option<Arc<Caller>>, Unverifiable>> {
        None
    }
}

/// Nobody knows whether a token is valid. The words are for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unverifiable {
    /// Whoever knows does not answer at the moment.
    #[error("tokens cannot be verified at the moment: {0}")]
    Unavailable(String),
    /// Verification itself is broken.
    #[error("tokens cannot be verified: {0}")]
    Failed(String),
}

impl From<Unverifiable> for Problem {
    fn from(error: Unverifiable) -> Self {
        let kind = match error {
            Unverifiable::Unavailable(_) => &catalogue::UNAVAILABLE,
            Unverifiable::Failed(_) => &catalogue::INTERNAL_ERROR,
        };
        Problem::new(kind).detail(error.to_string())
    }
}
