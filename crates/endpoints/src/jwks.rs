//! `GET /jwks`: the public halves of the signing keys, those of tomorrow included.

use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;

use crate::{Endpoints, public};

pub(crate) const PATH: &str = "/jwks";

pub(crate) async fn get(State(endpoints): State<Endpoints>) -> Response {
    public::document(bytes(&endpoints))
}

/// The document as it is now.
pub(crate) fn bytes(endpoints: &Endpoints) -> Bytes {
    Bytes::copy_from_slice(endpoints.authority.ring().jwks().as_bytes())
}
