//! `/logout`: asks first, so that a link on another site signs nobody out. An app may have sent the browser here.

use axum::extract::{Query, State};
use axum::response::Response;
use axum::{Extension, Form};
use http::HeaderMap;
use serde::Deserialize;
use valetkey_oauth::Refusal;
use valetkey_oauth::accounts::{self, Browser, SignInChange};
use valetkey_oauth::openid::{Departure, LogoutRequest};

use super::{Pages, answer, go, language_of, refuse, with_request};
use crate::sign_out::{self, SignOutPage, SignedOutPage};

/// What an app sends, and what our own form sends back.
#[derive(Default, Deserialize)]
pub(super) struct Asked {
    csrf: Option<String>,
    /// The app's wish, sealed by us.
    request: Option<String>,
    id_token_hint: Option<String>,
    client_id: Option<String>,
    post_logout_redirect_uri: Option<String>,
    state: Option<String>,
    ui_locales: Option<String>,
}

pub(super) async fn get(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Response {
    match departure(&pages, &asked).await {
        Ok(departure) => ask(&pages, &browser, &headers, departure).await,
        Err(refusal) => refuse(refusal),
    }
}

pub(super) async fn post(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Form(asked): Form<Asked>,
) -> Response {
    let departure = match departure(&pages, &asked).await {
        Ok(departure) => departure,
        Err(refusal) => return refuse(refusal),
    };
    let Some(csrf) = &asked.csrf else {
        // An app's form comes without our cookies (they are `SameSite=Lax`); the browser brings them with the next GET.
        return match departure.seal(pages.authority()) {
            Ok(sealed) => go(&with_request("/logout", &sealed), None),
            Err(error) => refuse(error),
        };
    };
    let Some(sign_in) = &browser.sign_in else { return done(&pages, &headers, &departure) };
    if !pages.is_own_form(&browser, &headers, csrf) {
        return ask(&pages, &browser, &headers, departure).await;
    }
    if let Err(refusal) = accounts::sign_out(pages.authority(), sign_in).await {
        return refuse(refusal);
    }
    let mut response = done(&pages, &headers, &departure);
    response.extensions_mut().insert(SignInChange::Clear);
    response
}

async fn departure(pages: &Pages, asked: &Asked) -> Result<Departure, Refusal> {
    let given = |value: &'_ Option<String>| value.clone().filter(|value| !value.is_empty());
    if let Some(sealed) = given(&asked.request) {
        return Departure::open(pages.authority(), &sealed);
    }
    let [hint, client, uri, state, locales] =
        [&asked.id_token_hint, &asked.client_id, &asked.post_logout_redirect_uri, &asked.state, &asked.ui_locales]
            .map(given);
    let request = LogoutRequest {
        id_token_hint: hint.as_deref(),
        client_id: client.as_deref(),
        post_logout_redirect_uri: uri.as_deref(),
        state: state.as_deref(),
        ui_locales: locales.as_deref(),
    };
    Departure::check(pages.authority(), &request).await
}

async fn ask(pages: &Pages, browser: &Browser, headers: &HeaderMap, departure: Departure) -> Response {
    let Some(sign_in) = &browser.sign_in else { return done(pages, headers, &departure) };
    match question(pages, browser, headers, departure, sign_in.user).await {
        Ok(page) => sign_out::page(&page),
        Err(refusal) => refuse(refusal),
    }
}

async fn question(
    pages: &Pages,
    browser: &Browser,
    headers: &HeaderMap,
    departure: Departure,
    user: valetkey_oauth::model::UserId,
) -> Result<SignOutPage, Refusal> {
    let authority = pages.authority();
    let client_name = match &departure.client {
        Some(client) => Some(accounts::client_name(authority, client).await?),
        None => None,
    };
    Ok(SignOutPage {
        brand: pages.brand.clone(),
        language: language_of(headers, departure.ui_locales.as_deref()),
        csrf: pages.csrf(browser),
        request: Some(departure.seal(authority)?),
        username: accounts::person(authority, user).await?.map_or_else(String::new, |person| person.username),
        client_name,
        leads_to: departure.leads_to,
    })
}

/// Back to the app that asked, or a word that it is done.
fn done(pages: &Pages, headers: &HeaderMap, departure: &Departure) -> Response {
    match departure.response() {
        Some(response) => answer(Ok(response)),
        None => sign_out::signed_out(&SignedOutPage {
            brand: pages.brand.clone(),
            language: language_of(headers, departure.ui_locales.as_deref()),
        }),
    }
}
