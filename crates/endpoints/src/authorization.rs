//! How an authorization request ends on the wire: a redirect, a form that posts itself, or a page.

use axum::response::Response;
use http::header::LOCATION;
use http::{HeaderValue, StatusCode};
use valetkey_oauth::authorize::{Answer, AuthorizationResponse, Refused};
use valetkey_oauth::protocol::ResponseMode;
use valetkey_oauth::{Authority, Event, Refusal};
use valetkey_rest::form::encode_component;

use crate::answer;
use crate::wire_error::{WireError, word};

/// Turns an answer into a response. In the mode `form_post` the [`AuthorizationResponse`] stays attached to an empty
/// response: whoever makes pages shows the form.
pub fn finish(authority: &Authority, answer: Answer) -> Response {
    match answer {
        Ok(response) => send(authority, response),
        Err(Refused::Page(refusal)) => WireError::from(refusal).answer(authority),
        Err(Refused::Respond(response, refusal)) => {
            let (code, detail) = word(&refusal);
            authority.observer.observe(&Event::Refused { code, why: &refusal.to_string() });
            send(authority, response.with_error(code, &detail))
        }
    }
}

fn send(authority: &Authority, response: AuthorizationResponse) -> Response {
    match response.mode {
        ResponseMode::FormPost => {
            let mut form = answer::empty(StatusCode::OK);
            form.extensions_mut().insert(response);
            form
        }
        ResponseMode::Query => {
            let joint = if response.redirect_uri.contains('?') { '&' } else { '?' };
            let pairs = response.parameters.iter().map(|(name, value)| format!("{name}={}", encode_component(value)));
            let pairs = pairs.collect::<Vec<_>>().join("&");
            let location = match pairs.is_empty() {
                true => response.redirect_uri.clone(),
                false => format!("{}{joint}{pairs}", response.redirect_uri),
            };
            if HeaderValue::try_from(&location).is_err() {
                return WireError::from(Refusal::RedirectUriUnregistered).answer(authority);
            }
            redirect(&location)
        }
    }
}

/// 303: the browser goes on with a GET, whatever it came with.
pub(crate) fn redirect(location: &str) -> Response {
    let mut response = answer::empty(StatusCode::SEE_OTHER);
    if let Ok(location) = HeaderValue::try_from(location) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}
