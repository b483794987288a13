//! Who calls an endpoint, and with which headers. Whoever faces the network says in an extension who it is; without it, nobody
//! in particular calls.

use std::convert::Infallible;
use std::mem;

use axum::extract::FromRequestParts;
use http::HeaderMap;
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

/// Takes the headers out of a request: nobody after the endpoint reads them, and copies cost.
pub(crate) struct Headers(pub(crate) HeaderMap);

impl<S: Sync> FromRequestParts<S> for Headers {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(mem::take(&mut parts.headers)))
    }
}
