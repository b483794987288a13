//! `GET` and `POST /authorize`: the browser arrives from an app.

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::HeaderMap;
use valetkey_oauth::accounts::Browser;
use valetkey_oauth::authorize::{AuthorizationRequest, Step, check, decide};
use valetkey_rest::form::{Form, encode_component};

use crate::Endpoints;
use crate::authorization::{finish, redirect};
use crate::request::{self, Body};
use crate::wire_error::WireError;

pub(crate) async fn get(
    State(endpoints): State<Endpoints>,
    Extension(browser): Extension<Browser>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    match request::form(query.as_bytes()) {
        Ok(form) => respond(&endpoints, &browser, &form).await,
        Err(error) => error.answer(&endpoints.authority),
    }
}

pub(crate) async fn post(
    State(endpoints): State<Endpoints>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let bytes = match request::bytes(&headers, body) {
        Ok(bytes) => bytes,
        Err(error) => return error.answer(&endpoints.authority),
    };
    let form = match request::form(&bytes) {
        Ok(form) => form,
        Err(error) => return error.answer(&endpoints.authority),
    };
    if browser.sign_in.is_some() {
        return respond(&endpoints, &browser, &form).await;
    }
    // A form of another site comes without our cookies (they are `SameSite=Lax`); the next GET brings them.
    match check(&endpoints.authority, &asked(&form)).await {
        Ok(interaction) => page(&endpoints, "/consent", interaction.seal(&endpoints.authority)),
        Err(refused) => finish(&endpoints.authority, Err(refused)),
    }
}

async fn respond(endpoints: &Endpoints, browser: &Browser, form: &Form<'_>) -> Response {
    let authority = &endpoints.authority;
    let interaction = match check(authority, &asked(form)).await {
        Ok(interaction) => interaction,
        Err(refused) => return finish(authority, Err(refused)),
    };
    match decide(authority, interaction, browser).await {
        Ok(Step::Respond(response)) => finish(authority, Ok(response)),
        Err(refused) => finish(authority, Err(refused)),
        Ok(Step::SignIn(interaction)) => page(endpoints, "/login", interaction.seal(authority)),
        Ok(Step::Consent(interaction, _)) => page(endpoints, "/consent", interaction.seal(authority)),
    }
}

/// On to a page, with the request in its hand.
fn page(endpoints: &Endpoints, path: &str, sealed: Result<String, valetkey_oauth::keys::KeyError>) -> Response {
    match sealed {
        Ok(sealed) => redirect(&format!("{path}?request={}", encode_component(&sealed))),
        Err(error) => WireError::from(valetkey_oauth::Refusal::from(error)).answer(&endpoints.authority),
    }
}

fn asked<'a>(form: &'a Form<'_>) -> AuthorizationRequest<'a> {
    AuthorizationRequest {
        client_id: form.get("client_id"),
        redirect_uri: form.get("redirect_uri"),
        response_type: form.get("response_type"),
        response_mode: form.get("response_mode"),
        state: form.get("state"),
        scope: form.get("scope"),
        code_challenge: form.get("code_challenge"),
        code_challenge_method: form.get("code_challenge_method"),
        nonce: form.get("nonce"),
        prompt: form.get("prompt"),
        max_age: form.get("max_age"),
        login_hint: form.get("login_hint"),
        id_token_hint: form.get("id_token_hint"),
        ui_locales: form.get("ui_locales"),
        claims: form.get("claims"),
        resource: form.get("resource"),
        request: form.get("request"),
        request_uri: form.get("request_uri"),
    }
}
