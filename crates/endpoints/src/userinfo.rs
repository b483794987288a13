//! `GET` and `POST /userinfo`: who the user behind an access token is.

use axum::extract::State;
use axum::response::Response;
use http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::{Map, Value};
use valetkey_oauth::grants::Caller;
use valetkey_oauth::{Authority, Refusal, openid, tokens};
use valetkey_rest::form::is_form;

use crate::calling::{Calling, Headers};
use crate::reader::Reader;
use crate::request::{self, Body};
use crate::wire_error::WireError;
use crate::{Endpoints, answer};

pub(crate) async fn get(
    State(endpoints): State<Endpoints>,
    Calling(caller): Calling,
    Headers(headers): Headers,
) -> Response {
    let token = bearer(&headers).map(|token| token.map(str::to_owned)).map_err(WireError::from);
    respond(&endpoints.authority, caller, Reader::of(&headers), token).await
}

pub(crate) async fn post(
    State(endpoints): State<Endpoints>,
    Calling(caller): Calling,
    Headers(headers): Headers,
    body: Body,
) -> Response {
    respond(&endpoints.authority, caller, Reader::of(&headers), from_post(&headers, body)).await
}

/// In the header or in a form (RFC 6750 §2), not in both.
fn from_post(headers: &HeaderMap, body: Body) -> Result<Option<String>, WireError> {
    let in_header = bearer(headers)?.map(str::to_owned);
    if !is_form(headers.get(http::header::CONTENT_TYPE)) {
        return Ok(in_header);
    }
    let bytes = request::bytes(headers, body)?;
    let form = request::form(&bytes)?;
    let in_form = form.get("access_token").map(str::to_owned);
    if in_header.is_some() && in_form.is_some() { Err(Refusal::TwoTokens.into()) } else { Ok(in_header.or(in_form)) }
}

async fn respond(
    authority: &Authority,
    caller: Caller,
    mut reader: Reader,
    token: Result<Option<String>, WireError>,
) -> Response {
    let response = match claims(authority, &caller, &mut reader, token).await {
        Ok(claims) => answer::json(&claims),
        Err(error) => challenged(error.answer(authority)),
    };
    reader.mark(response)
}

/// RFC 6750 §3: whoever sends tokens in a way that is not understood is told so in a challenge too.
fn challenged(mut response: Response) -> Response {
    if response.status() == StatusCode::BAD_REQUEST {
        let challenge = HeaderValue::from_static("Bearer realm=\"valetkey\", error=\"invalid_request\"");
        response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
    }
    response
}

async fn claims(
    authority: &Authority,
    caller: &Caller,
    reader: &mut Reader,
    token: Result<Option<String>, WireError>,
) -> Result<Map<String, Value>, WireError> {
    let text = token?.ok_or(Refusal::NoToken)?;
    let token = tokens::verify(authority, &text).await?.ok_or(Refusal::TokenInvalid)?;
    reader.is(&token.client);
    Ok(openid::userinfo(authority, &token, caller.certificate.as_deref()).await?)
}

/// The token in the Authorization header. Two headers are one too many.
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(_), Some(_)) => Err(Refusal::TwoTokens),
        (Some(value), None) => {
            let (scheme, token) =
                value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or(Refusal::TokenInvalid)?;
            if scheme.eq_ignore_ascii_case("Bearer") { Ok(Some(token.trim())) } else { Err(Refusal::TokenInvalid) }
        }
    }
}
