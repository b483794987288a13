//! A form in the body of a POST, as every OAuth endpoint takes it.

use axum::extract::rejection::BytesRejection;
use axum::response::IntoResponse;
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use valetkey_rest::form::{Form, is_form};

use crate::wire_error::WireError;

/// What axum makes of a body: the bytes, or why there are none.
pub(crate) type Body = Result<Bytes, BytesRejection>;

/// The bytes, once they are known to be a form.
pub(crate) fn bytes(headers: &HeaderMap, body: Body) -> Result<Bytes, WireError> {
    if !is_form(headers.get(CONTENT_TYPE)) {
        return Err(WireError::NotAForm);
    }
    body.map_err(|rejection| WireError::Unreadable(rejection.into_response().status()))
}

/// The parameters.
pub(crate) fn form(bytes: &[u8]) -> Result<Form<'_>, WireError> {
    Form::parse(bytes).map_err(WireError::from)
}
