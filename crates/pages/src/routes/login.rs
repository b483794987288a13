//! `/login`

use axum::extract::{Query, State};
use axum::response::Response;
use axum::{Extension, Form};
use http::HeaderMap;
use serde::Deserialize;
use valetkey_oauth::accounts::{self, Attempt, Browser, SignInChange, SignInRefusal};
use valetkey_oauth::authorize::Interaction;
use valetkey_oauth::model::Secret;

use super::afterwards::Afterwards;
use super::{Pages, go, language, refuse};
use crate::sign_in::{self, ProviderButton, SignInFault, SignInPage, SignedInPage};

#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    request: String,
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
pub(super) struct Typed {
    #[serde(default)]
    csrf: String,
    #[serde(default)]
    request: String,
    #[serde(default)]
    next: String,
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
    match Afterwards::read(pages.authority(), &asked.request, &asked.next) {
        Ok(Afterwards::Nothing) => without_request(&pages, &browser, &headers).await,
        Ok(afterwards @ (Afterwards::Device(_) | Afterwards::Account)) if browser.sign_in.is_some() => {
            go(&afterwards.path(), None)
        }
        Ok(afterwards) => {
            let hint = afterwards.interaction().and_then(|interaction| interaction.login_hint.clone());
            form(&pages, &browser, &headers, &afterwards, hint.unwrap_or_default(), None).await
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
    let afterwards = match Afterwards::read(pages.authority(), &typed.request, &typed.next) {
        Ok(afterwards) => afterwards,
        Err(refusal) => return refuse(refusal),
    };
    // Where passwords are off, only an old page has a form for them.
    if !pages.passwords || !pages.is_own_form(&browser, &headers, &typed.csrf) {
        return form(&pages, &browser, &headers, &afterwards, typed.username, Some(SignInFault::Expired)).await;
    }
    let attempt = Attempt {
        username: typed.username.clone(),
        password: Secret::new(typed.password),
        address: browser.address.clone(),
        agent: browser.agent.clone(),
        before: browser.sign_in.clone(),
    };
    let fault = match pages.desk.sign_in(attempt).await {
        Ok(signed_in) => return go(&afterwards.path(), Some(SignInChange::Set(signed_in.cookie))),
        Err(SignInRefusal::Wrong) => SignInFault::Wrong,
        Err(SignInRefusal::Throttled(wait)) => SignInFault::Throttled { seconds: wait.as_secs() + 1 },
        Err(SignInRefusal::Store(error)) => return refuse(error),
        Err(SignInRefusal::Before(refusal)) => return refuse(refusal),
        Err(SignInRefusal::Password(_)) => SignInFault::Wrong,
    };
    form(&pages, &browser, &headers, &afterwards, typed.username, Some(fault)).await
}

/// The page.
pub(super) async fn form(
    pages: &Pages,
    browser: &Browser,
    headers: &HeaderMap,
    afterwards: &Afterwards,
    username: String,
    fault: Option<SignInFault>,
) -> Response {
    let interaction = afterwards.interaction();
    let client_name = match interaction {
        None => None,
        Some(interaction) => match accounts::client_name(pages.authority(), &interaction.client).await {
            Ok(name) => Some(name),
            Err(error) => return refuse(error),
        },
    };
    sign_in::page(&SignInPage {
        brand: pages.brand.clone(),
        language: language(headers, interaction),
        csrf: pages.csrf(browser),
        leads_to: leads_to(pages, interaction),
        request: afterwards.request(),
        next: afterwards.next(),
        username,
        client_name,
        is_someone_else: is_someone_else(browser, interaction),
        fault,
        passwords: pages.passwords,
        providers: pages
            .upstream
            .providers()
            .map(|provider| ProviderButton { id: provider.id.clone(), name: provider.name.clone() })
            .collect(),
    })
}

/// Where the forms of the page may lead: to the app, and to each provider. Of all of them the scheme counts.
fn leads_to(pages: &Pages, interaction: Option<&Interaction>) -> Vec<String> {
    let app = interaction.map(|interaction| interaction.redirect_uri.clone());
    app.into_iter().chain(pages.upstream.providers().map(|provider| provider.issuer.clone())).collect()
}

/// Is someone signed in whom the app does not mean? They would come back to this page for ever, and not know why.
fn is_someone_else(browser: &Browser, interaction: Option<&Interaction>) -> bool {
    let meant = interaction.and_then(|interaction| interaction.hinted.as_ref());
    let present = browser.sign_in.as_ref().map(|sign_in| sign_in.user.to_string());
    meant.zip(present).is_some_and(|(meant, present)| *meant != present)
}

/// Nothing to go on with: whoever is in sees that they are, everyone else may sign in.
async fn without_request(pages: &Pages, browser: &Browser, headers: &HeaderMap) -> Response {
    let Some(sign_in) = &browser.sign_in else {
        return form(pages, browser, headers, &Afterwards::Nothing, String::new(), None).await;
    };
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
