//! `/logout`: asks first, so that a link on another site signs nobody out.

use axum::extract::State;
use axum::response::Response;
use axum::{Extension, Form};
use http::HeaderMap;
use serde::Deserialize;
use valetkey_oauth::accounts::{self, Browser, SignInChange};

use super::{Pages, language, refuse};
use crate::sign_out::{self, SignOutPage, SignedOutPage};

#[derive(Deserialize)]
pub(super) struct Confirmed {
    #[serde(default)]
    csrf: String,
}

pub(super) async fn get(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
) -> Response {
    let Some(sign_in) = &browser.sign_in else { return done(&pages, &headers) };
    match accounts::person(pages.authority(), sign_in.user).await {
        Ok(person) => sign_out::page(&SignOutPage {
            brand: pages.brand.clone(),
            language: language(&headers, None),
            csrf: pages.csrf(&browser),
            request: None,
            username: person.map_or_else(String::new, |person| person.username),
            client_name: None,
            leads_to: None,
        }),
        Err(error) => refuse(error),
    }
}

pub(super) async fn post(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Form(confirmed): Form<Confirmed>,
) -> Response {
    let Some(sign_in) = &browser.sign_in else { return done(&pages, &headers) };
    if !pages.is_own_form(&browser, &headers, &confirmed.csrf) {
        return get(State(pages), Extension(browser), headers).await;
    }
    if let Err(error) = accounts::sign_out(pages.authority(), sign_in).await {
        return refuse(error);
    }
    let mut response = done(&pages, &headers);
    response.extensions_mut().insert(SignInChange::Clear);
    response
}

fn done(pages: &Pages, headers: &HeaderMap) -> Response {
    sign_out::signed_out(&SignedOutPage { brand: pages.brand.clone(), language: language(headers, None) })
}
