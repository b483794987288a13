//! `/consent`: goes on with a request once someone is signed in, and asks them if they must be asked.

use axum::extract::{Query, State};
use axum::response::Response;
use axum::{Extension, Form};
use http::HeaderMap;
use serde::Deserialize;
use valetkey_oauth::accounts::{self, Browser, SignInChange};
use valetkey_oauth::authorize::{Interaction, Step, approve, decide, deny};
use valetkey_oauth::model::Consent;
use valetkey_oauth::ports::StoreError;

use super::{Pages, answer_in, go, language, refuse, with_request};
use crate::consent::{self, ConsentPage};
use crate::scopes::ScopeRow;

#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    request: String,
}

#[derive(Deserialize)]
pub(super) struct Decided {
    #[serde(default)]
    csrf: String,
    #[serde(default)]
    request: String,
    #[serde(default)]
    decision: String,
}

pub(super) async fn get(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Response {
    match Interaction::open(pages.authority(), &asked.request) {
        Ok(interaction) => go_on(&pages, &browser, &headers, asked.request, interaction).await,
        Err(refusal) => refuse(refusal),
    }
}

pub(super) async fn post(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Form(decided): Form<Decided>,
) -> Response {
    let authority = pages.authority();
    let interaction = match Interaction::open(authority, &decided.request) {
        Ok(interaction) => interaction,
        Err(refusal) => return refuse(refusal),
    };
    if !pages.is_personal_form(&browser, &headers, &decided.csrf) {
        // Asked once more, on a page that is fresh; nothing was decided.
        return go_on(&pages, &browser, &headers, decided.request, interaction).await;
    }
    let language = language(&headers, Some(&interaction));
    match decided.decision.as_str() {
        "approve" => answer_in(language, approve(authority, &interaction, &browser).await),
        "deny" => answer_in(language, deny(authority, &interaction)),
        "switch" => switch(&pages, &browser, &decided.request).await,
        _ => go_on(&pages, &browser, &headers, decided.request, interaction).await,
    }
}

/// Someone else wants to sign in.
async fn switch(pages: &Pages, browser: &Browser, request: &str) -> Response {
    if let Some(sign_in) = &browser.sign_in
        && let Err(error) = accounts::sign_out(pages.authority(), sign_in).await
    {
        return refuse(error);
    }
    go(&with_request("/login", request), Some(SignInChange::Clear))
}

async fn go_on(
    pages: &Pages,
    browser: &Browser,
    headers: &HeaderMap,
    request: String,
    interaction: Interaction,
) -> Response {
    let language = language(headers, Some(&interaction));
    match decide(pages.authority(), interaction, browser).await {
        Ok(Step::SignIn(_)) => go(&with_request("/login", &request), None),
        Ok(Step::Respond(response)) => answer_in(language, Ok(response)),
        Err(refused) => answer_in(language, Err(refused)),
        Ok(Step::Consent(interaction, before)) => {
            match view(pages, browser, headers, request, &interaction, before).await {
                Ok(view) => consent::page(&view),
                Err(error) => refuse(error),
            }
        }
    }
}

async fn view(
    pages: &Pages,
    browser: &Browser,
    headers: &HeaderMap,
    request: String,
    interaction: &Interaction,
    before: Option<Consent>,
) -> Result<ConsentPage, StoreError> {
    let authority = pages.authority();
    let person = match &browser.sign_in {
        Some(sign_in) => accounts::person(authority, sign_in.user).await?,
        None => None,
    };
    let row = |name: &str| ScopeRow {
        is_new: before.as_ref().is_none_or(|before| !before.scope.contains(name)),
        ..pages.scope(name)
    };
    Ok(ConsentPage {
        brand: pages.brand.clone(),
        language: language(headers, Some(interaction)),
        csrf: pages.personal_csrf(browser),
        request,
        client_name: accounts::client_name(authority, &interaction.client).await?,
        client_host: host(&interaction.redirect_uri),
        username: person.map_or_else(String::new, |person| person.username),
        scopes: interaction.asked().names().map(row).collect(),
        leads_to: interaction.redirect_uri.clone(),
        is_first_time: before.is_none(),
    })
}

/// The host of a web address; an app on a device has none.
fn host(uri: &str) -> Option<String> {
    let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    // What stands before an @ is made to look like a host, and is none.
    Some(authority.rsplit('@').next()?.to_owned())
}
