//! `POST /revoke` (RFC 7009): 200 for whatever is dead afterwards, known or not.

use axum::extract::State;
use axum::response::Response;
use http::{HeaderMap, StatusCode};
use valetkey_oauth::grants::Caller;
use valetkey_oauth::{Authority, Refusal, clients, tokens};

use crate::calling::{Calling, Headers};
use crate::reader::Reader;
use crate::request::{self, Body};
use crate::wire_error::WireError;
use crate::{Endpoints, answer, credentials};

pub(crate) async fn post(
    State(endpoints): State<Endpoints>,
    Calling(caller): Calling,
    Headers(headers): Headers,
    body: Body,
) -> Response {
    let mut reader = Reader::of(&headers);
    let response = match take_back(&endpoints.authority, &caller, &headers, body, &mut reader).await {
        Ok(()) => answer::empty(StatusCode::OK),
        Err(error) => error.answer(&endpoints.authority),
    };
    reader.mark(response)
}

async fn take_back(
    authority: &Authority,
    caller: &Caller,
    headers: &HeaderMap,
    body: Body,
    reader: &mut Reader,
) -> Result<(), WireError> {
    let bytes = request::bytes(headers, body)?;
    let form = request::form(&bytes)?;
    let client = clients::identify(authority, &credentials::presented(headers, &form, caller)?).await?;
    reader.is(&client.id);
    let token = form.get("token").ok_or(Refusal::Missing("token"))?;
    Ok(tokens::revoke(authority, &client, token).await?)
}
