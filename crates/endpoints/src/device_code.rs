//! `POST /device/code` (RFC 8628 §3.1): a device asks, and gets one code for its screen and one for its polls.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde::Serialize;
use valetkey_oauth::devices::{self, DeviceRequest, Question};
use valetkey_oauth::grants::Caller;
use valetkey_oauth::model::SessionOrigin;
use valetkey_oauth::{Authority, clients};

use crate::calling::{Calling, Headers};
use crate::reader::Reader;
use crate::request::{self, Body};
use crate::wire_error::WireError;
use crate::{Endpoints, answer, credentials};

#[derive(Serialize)]
struct DeviceResponse<'a> {
    device_code: &'a str,
    user_code: String,
    verification_uri: &'a str,
    verification_uri_complete: &'a str,
    /// A picture of the complete link, for screens that cannot draw one. Our own addition.
    verification_qr_uri: &'a str,
    expires_in: u64,
    interval: u32,
}

pub(crate) async fn post(
    State(endpoints): State<Endpoints>,
    Extension(origin): Extension<SessionOrigin>,
    Calling(caller): Calling,
    Headers(headers): Headers,
    body: Body,
) -> Response {
    let mut reader = Reader::of(&headers);
    let response = match ask(&endpoints.authority, origin, &caller, &headers, body, &mut reader).await {
        Ok(question) => answer::json(&DeviceResponse {
            device_code: question.device_code.expose(),
            user_code: question.user_code.to_string(),
            verification_uri: &question.page,
            verification_uri_complete: &question.complete_page,
            verification_qr_uri: &question.picture,
            expires_in: question.expires_in,
            interval: question.interval,
        }),
        Err(error) => error.answer(&endpoints.authority),
    };
    reader.mark(response)
}

async fn ask(
    authority: &Authority,
    origin: SessionOrigin,
    caller: &Caller,
    headers: &HeaderMap,
    body: Body,
    reader: &mut Reader,
) -> Result<Question, WireError> {
    let bytes = request::bytes(headers, body)?;
    let form = request::form(&bytes)?;
    let client = clients::identify(authority, &credentials::presented(headers, &form, caller)?).await?;
    reader.is(&client.id);
    let request = DeviceRequest { scope: form.get("scope"), resource: form.get("resource"), origin };
    Ok(devices::ask(authority, &client, request).await?)
}
