//! `GET` and `POST /authorize`: the browser arrives from an app.

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::header::LOCATION;
use http::{HeaderMap, HeaderValue, StatusCode};
use valetkey_oauth::authorize::{AuthorizationRequest, Verdict, judge};
use valetkey_oauth::{Authority, Event, Refusal};
use valetkey_rest::form::{Form, encode_component};

use crate::request::{self, Body};
use crate::wire_error::{WireError, word};
use crate::{Endpoints, answer};

pub(crate) async fn get(State(endpoints): State<Endpoints>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    match request::form(query.as_bytes()) {
        Ok(form) => respond(&endpoints.authority, &form).await,
        Err(error) => error.answer(&endpoints.authority),
    }
}

pub(crate) async fn post(State(endpoints): State<Endpoints>, headers: HeaderMap, body: Body) -> Response {
    let bytes = match request::bytes(&headers, body) {
        Ok(bytes) => bytes,
        Err(error) => return error.answer(&endpoints.authority),
    };
    match request::form(&bytes) {
        Ok(form) => respond(&endpoints.authority, &form).await,
        Err(error) => error.answer(&endpoints.authority),
    }
}

async fn respond(authority: &Authority, form: &Form<'_>) -> Response {
    let asked = AuthorizationRequest {
        client_id: form.get("client_id"),
        redirect_uri: form.get("redirect_uri"),
        response_type: form.get("response_type"),
        state: form.get("state"),
    };
    match judge(authority, &asked).await {
        Verdict::Page(refusal) => WireError::from(refusal).answer(authority),
        Verdict::Redirect { redirect_uri, refusal } => send_back(authority, &redirect_uri, asked.state, &refusal),
    }
}

/// An error for the app, at the URI it registered. `state` goes back unchanged; `iss` says who speaks (RFC 9207).
fn send_back(authority: &Authority, redirect_uri: &str, state: Option<&str>, refusal: &Refusal) -> Response {
    let (code, detail) = word(refusal);
    authority.observer.observe(&Event::Refused { code, why: &refusal.to_string() });
    let mut location = redirect_uri.to_owned();
    location.push(if redirect_uri.contains('?') { '&' } else { '?' });
    location += &format!("error={}&error_description={}", code.as_str(), encode_component(&detail));
    if let Some(state) = state {
        location += &format!("&state={}", encode_component(state));
    }
    location += &format!("&iss={}", encode_component(&authority.policy.issuer));
    match HeaderValue::try_from(location) {
        Ok(location) => {
            let mut response = answer::empty(StatusCode::SEE_OTHER);
            response.headers_mut().insert(LOCATION, location);
            response
        }
        Err(_) => WireError::from(Refusal::RedirectUriUnregistered).answer(authority),
    }
}
