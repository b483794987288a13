//! `/login`

use axum::extract::{Query, State};
use axum::response::Response;
use axum::{Extension, Form};
use http::HeaderMap;
use serde::Deserialize;
use valetkey_oauth::accounts::{self, Attempt, Browser, SignInChange, SignInRefusal};
use valetkey_oauth::authorize::Interaction;
use valetkey_oauth::model::Secret;

use super::{Pages, go, language, refuse, with_request};
use crate::sign_in::{self, SignInFault, SignInPage, SignedInPage};

#[derive(Deserialize)]
pub(super) struct Asked {
    request: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Typed {
    #[serde(default)]
    csrf: String,
    #[serde(default)]
    request: String,
    #[serde(default)]
    username: String,
    #[serde(default)]
    password: String,
}

pub(super) async fn get(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Response {
    let Some(request) = asked.request else { return without_request(&pages, &browser, &headers).await };
    match Interaction::open(pages.authority(), &request) {
        Ok(interaction) => {
            let username = interaction.login_hint.clone().unwrap_or_default();
            form(&pages, &browser, &headers, Some((request, interaction)), username, None).await
        }
        Err(refusal) => refuse(refusal),
    }
}

pub(super) async fn post(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Form(typed): Form<Typed>,
) -> Response {
    let request = match typed.request.as_str() {
        "" => None,
        sealed => match Interaction::open(pages.authority(), sealed) {
            Ok(interaction) => Some((sealed.to_owned(), interaction)),
            Err(refusal) => return refuse(refusal),
        },
    };
    if !pages.is_own_form(&browser, &headers, &typed.csrf) {
        return form(&pages, &browser, &headers, request, typed.username, Some(SignInFault::Expired)).await;
    }
    let attempt = Attempt {
        username: typed.username.clone(),
        password: Secret::new(typed.password),
        address: browser.address.clone(),
        agent: browser.agent.clone(),
        before: browser.sign_in.clone(),
    };
    let fault = match pages.desk.sign_in(attempt).await {
        Ok(signed_in) => {
            let next = request.map_or_else(|| "/login".to_owned(), |(sealed, _)| with_request("/consent", &sealed));
            return go(&next, Some(SignInChange::Set(signed_in.cookie)));
        }
        Err(SignInRefusal::Wrong) => SignInFault::Wrong,
        Err(SignInRefusal::Throttled(wait)) => SignInFault::Throttled { seconds: wait.as_secs() + 1 },
        Err(SignInRefusal::Store(error)) => return refuse(error),
        Err(SignInRefusal::Before(refusal)) => return refuse(refusal),
        Err(SignInRefusal::Password(_)) => SignInFault::Wrong,
    };
    form(&pages, &browser, &headers, request, typed.username, Some(fault)).await
}

async fn form(
    pages: &Pages,
    browser: &Browser,
    headers: &HeaderMap,
    request: Option<(String, Interaction)>,
    username: String,
    fault: Option<SignInFault>,
) -> Response {
    let client_name = match &request {
        None => None,
        Some((_, interaction)) => match accounts::client_name(pages.authority(), &interaction.client).await {
            Ok(name) => Some(name),
            Err(error) => return refuse(error),
        },
    };
    sign_in::page(&SignInPage {
        brand: pages.brand.clone(),
        language: language(headers, request.as_ref().map(|(_, interaction)| interaction)),
        csrf: pages.csrf(browser),
        leads_to: request.as_ref().map(|(_, interaction)| interaction.redirect_uri.clone()),
        request: request.map(|(sealed, _)| sealed),
        username,
        client_name,
        fault,
    })
}

/// Nothing to go on with: whoever is in sees that they are, everyone else may sign in.
async fn without_request(pages: &Pages, browser: &Browser, headers: &HeaderMap) -> Response {
    let Some(sign_in) = &browser.sign_in else { return form(pages, browser, headers, None, String::new(), None).await };
    match accounts::person(pages.authority(), sign_in.user).await {
        Ok(person) => sign_in::signed_in(&SignedInPage {
            brand: pages.brand.clone(),
            language: language(headers, None),
            csrf: pages.csrf(browser),
            username: person.map_or_else(String::new, |person| person.username),
        }),
        Err(error) => refuse(error),
    }
}
