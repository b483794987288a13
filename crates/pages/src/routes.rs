//! The addresses for people: `/login`, `/consent`, `/device`, `/account`, `/logout`. Each reads, calls a use case and shows a view.
//!
//! Cookies are not known here: a [`Browser`] comes with each request, and a [`SignInChange`] goes with an answer. How an
//! authorization request ends is not known here either: an [`Answer`] goes with an otherwise empty response, beside the
//! [`Language`] of its reader, and whoever faces the network turns it into one.

mod account;
mod afterwards;
mod consent;
mod device;
mod device_qr;
mod login;
mod logout;
mod provider;

use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::response::Response;
use axum::routing::{get, post};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use valetkey_oauth::accounts::{Browser, SignInChange, SignInDesk, form_token, is_form_token};
use valetkey_oauth::authorize::{Answer, Interaction, Refused};
use valetkey_oauth::devices::{self, DeviceDesk};
use valetkey_oauth::upstream::UpstreamDesk;
use valetkey_oauth::{Authority, Refusal};

use crate::{Brand, Language, ScopeRow};

/// What the handlers share.
#[derive(Clone)]
pub struct Pages {
    /// Where people sign in.
    pub desk: SignInDesk,
    /// Where people come in through other providers.
    pub upstream: UpstreamDesk,
    /// May people sign in with a password?
    pub passwords: bool,
    /// Where people answer devices.
    pub devices: DeviceDesk,
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// What each scope of the API allows, in plain words, by its name.
    pub scopes: Arc<HashMap<String, ScopeRow>>,
}

/// The routes.
pub fn routes(pages: Pages) -> Router {
    Router::new()
        .route("/login", get(login::get).post(login::post))
        .route("/login/{provider}", post(provider::leave))
        .route("/login/{provider}/callback", get(provider::come_back))
        .route("/consent", get(consent::get).post(consent::post))
        .route(devices::PAGE, get(device::get).post(device::post))
        .route("/account", get(account::get).post(account::post))
        .route("/logout", get(logout::get).post(logout::post))
        .with_state(pages)
}

/// The picture for devices. Apart from the others: other sites may show it, and it neither reads nor sets a cookie.
pub fn picture(issuer: &str) -> Router {
    Router::new().route(devices::PICTURE, get(device_qr::get)).with_state(device_qr::Issuer(issuer.into()))
}

impl Pages {
    /// A scope, as a person reads it.
    fn scope(&self, name: &str) -> ScopeRow {
        self.scopes.get(name).cloned().unwrap_or_else(|| ScopeRow::new(name, ""))
    }

    fn authority(&self) -> &Authority {
        self.desk.authority()
    }

    /// A token for the forms of this browser. Without one no form is taken, so an error costs only that.
    fn csrf(&self, browser: &Browser) -> String {
        form_token(self.authority(), &browser.key).unwrap_or_default()
    }

    /// Did this form come from a page of ours, in this browser?
    fn is_own_form(&self, browser: &Browser, headers: &HeaderMap, csrf: &str) -> bool {
        self.is_form_of(&browser.key, headers, csrf)
    }

    /// A token for a form that speaks for the person who is signed in: it is worth nothing once another one is.
    fn personal_csrf(&self, browser: &Browser) -> String {
        form_token(self.authority(), &personal_key(browser)).unwrap_or_default()
    }

    /// Did this form come from a page that was shown, in this browser, to the person who is signed in now?
    fn is_personal_form(&self, browser: &Browser, headers: &HeaderMap, csrf: &str) -> bool {
        self.is_form_of(&personal_key(browser), headers, csrf)
    }

    fn is_form_of(&self, key: &str, headers: &HeaderMap, csrf: &str) -> bool {
        !is_foreign(headers, &self.authority().policy.issuer) && is_form_token(self.authority(), key, csrf)
    }
}

fn personal_key(browser: &Browser) -> String {
    let person = browser.sign_in.as_ref().map(|sign_in| sign_in.user.to_string());
    format!("{} {}", browser.key, person.unwrap_or_default())
}

/// Does the browser itself say that another site sent this form?
fn is_foreign(headers: &HeaderMap, origin: &str) -> bool {
    let says = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let other_site = says("sec-fetch-site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
    // `null` is what a page without referrer sends; the form token decides then.
    let other_origin = says("origin").is_some_and(|sender| sender != origin && sender != "null");
    other_site || other_origin
}

/// The language of this person, and of the app that sent them.
fn language(headers: &HeaderMap, interaction: Option<&Interaction>) -> Language {
    language_of(headers, interaction.and_then(|interaction| interaction.ui_locales.as_deref()))
}

/// The language of this person, and the ones that an app asks for.
fn language_of(headers: &HeaderMap, ui_locales: Option<&str>) -> Language {
    Language::of_reader(ui_locales, headers)
}

/// Leaves the end of a request to whoever faces the network.
fn answer(answer: Answer) -> Response {
    let mut response = Response::default();
    response.extensions_mut().insert(answer);
    response
}

/// The same, with the language that the end is to be told in: only here the app's wish is known.
fn answer_in(language: Language, end: Answer) -> Response {
    let mut response = answer(end);
    response.extensions_mut().insert(language);
    response
}

/// A request that cannot go on.
fn refuse(refusal: impl Into<Refusal>) -> Response {
    answer(Err(Refused::Page(refusal.into())))
}

/// On to another page.
fn go(location: &str, change: Option<SignInChange>) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(location) = location.parse() {
        response.headers_mut().insert(header::LOCATION, location);
    }
    if let Some(change) = change {
        response.extensions_mut().insert(change);
    }
    response
}

/// The address of a page that goes on with this request. Sealed texts need no escaping.
fn with_request(path: &str, request: &str) -> String {
    format!("{path}?request={request}")
}
