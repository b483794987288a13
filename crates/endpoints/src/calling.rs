//! Who calls an endpoint. Whoever faces the network says it in an extension; without it, nobody in particular calls.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use valetkey_oauth::grants::Caller;

/// Takes the caller out of a request.
pub(crate) struct Calling(pub(crate) Caller);

impl<S: Sync> FromRequestParts<S> for Calling {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.remove().unwrap_or_default()))
    }
}
