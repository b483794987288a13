//! `GET /jwks`: the public halves of the signing keys, those of tomorrow included.

use axum::extract::State;
use axum::response::Response;
use bytes::Bytes;

use crate::{Endpoints, public};

pub(crate) async fn get(State(endpoints): State<Endpoints>) -> Response {
    public::document(Bytes::copy_from_slice(endpoints.authority.ring().jwks().as_bytes()))
}
