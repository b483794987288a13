//! `/device`: a person types the code that a device shows, sees what asks and from where, and decides.
//!
//! A link may bring the code along. It fills the field and does no more: what a link could approve, a letter could too.

use axum::extract::{Query, State};
use axum::response::Response;
use axum::{Extension, Form};
use http::HeaderMap;
use serde::Deserialize;
use valetkey_oauth::accounts::{self, Browser, SignInChange};
use valetkey_oauth::devices::{DeskRefusal, Waiting};
use valetkey_oauth::model::{Device, UserCode};

use super::afterwards::Afterwards;
use super::{Pages, go, language, refuse};
use crate::device::{self, DeviceConfirmPage, DeviceDonePage, DeviceFault, DevicePage};
use crate::scopes::ScopeRow;

/// What stands in the field is cut to what fits there.
const LONGEST: usize = 32;

#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    user_code: String,
}

#[derive(Deserialize)]
pub(super) struct Typed {
    #[serde(default)]
    csrf: String,
    #[serde(default)]
    user_code: String,
    #[serde(default)]
    decision: String,
}

pub(super) async fn get(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Response {
    if browser.sign_in.is_none() {
        return go(&Afterwards::device(&asked.user_code).sign_in(), None);
    }
    form(&pages, &browser, &headers, &asked.user_code, None)
}

pub(super) async fn post(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Form(typed): Form<Typed>,
) -> Response {
    let code = &typed.user_code;
    if browser.sign_in.is_none() {
        return go(&Afterwards::device(code).sign_in(), None);
    }
    if !pages.is_personal_form(&browser, &headers, &typed.csrf) {
        return form(&pages, &browser, &headers, code, Some(DeviceFault::Expired));
    }
    match typed.decision.as_str() {
        "approve" => done(&pages, &browser, &headers, code, pages.devices.approve(code, &browser).await, true).await,
        "deny" => done(&pages, &browser, &headers, code, pages.devices.deny(code, &browser).await, false).await,
        "switch" => switch(&pages, &browser, code).await,
        _ => match pages.devices.find(code, &browser).await {
            Ok(waiting) => confirm(&pages, &browser, &headers, waiting).await,
            Err(refusal) => refused(&pages, &browser, &headers, code, refusal),
        },
    }
}

/// Someone else wants to sign in.
async fn switch(pages: &Pages, browser: &Browser, code: &str) -> Response {
    if let Some(sign_in) = &browser.sign_in
        && let Err(error) = accounts::sign_out(pages.authority(), sign_in).await
    {
        return refuse(error);
    }
    go(&Afterwards::device(code).sign_in(), Some(SignInChange::Clear))
}

fn form(pages: &Pages, browser: &Browser, headers: &HeaderMap, code: &str, fault: Option<DeviceFault>) -> Response {
    let shown = UserCode::parse(code).map_or_else(|| code.chars().take(LONGEST).collect(), |code| code.to_string());
    device::page(&DevicePage {
        brand: pages.brand.clone(),
        language: language(headers, None),
        csrf: pages.personal_csrf(browser),
        user_code: shown,
        fault,
    })
}

fn refused(pages: &Pages, browser: &Browser, headers: &HeaderMap, code: &str, refusal: DeskRefusal) -> Response {
    let fault = match refusal {
        DeskRefusal::Nobody => return go(&Afterwards::device(code).sign_in(), None),
        DeskRefusal::Refused(refusal) => return refuse(refusal),
        DeskRefusal::Unknown => DeviceFault::Unknown,
        DeskRefusal::Throttled(wait) => DeviceFault::Throttled { seconds: wait.as_secs() + 1 },
    };
    form(pages, browser, headers, code, Some(fault))
}

async fn confirm(pages: &Pages, browser: &Browser, headers: &HeaderMap, waiting: Waiting) -> Response {
    let (authority, Waiting { device, code, before }) = (pages.authority(), waiting);
    let client_name = match accounts::client_name(authority, &device.client).await {
        Ok(name) => name,
        Err(error) => return refuse(error),
    };
    let person = match &browser.sign_in {
        None => None,
        Some(sign_in) => match accounts::person(authority, sign_in.user).await {
            Ok(person) => person,
            Err(error) => return refuse(error),
        },
    };
    let row = |name: &str| ScopeRow {
        is_new: before.as_ref().is_none_or(|before| !before.scope.contains(name)),
        ..pages.scope(name)
    };
    device::confirm(&DeviceConfirmPage {
        brand: pages.brand.clone(),
        language: language(headers, None),
        csrf: pages.personal_csrf(browser),
        user_code: code.to_string(),
        client_name,
        username: person.map_or_else(String::new, |person| person.username),
        scopes: device.scope.names().map(row).collect(),
        is_first_time: before.is_none(),
        address: device.origin.address,
        agent: device.origin.agent,
        asked_at: device.asked_at,
    })
}

async fn done(
    pages: &Pages,
    browser: &Browser,
    headers: &HeaderMap,
    code: &str,
    decided: Result<Device, DeskRefusal>,
    is_approved: bool,
) -> Response {
    let device = match decided {
        Ok(device) => device,
        Err(refusal) => return refused(pages, browser, headers, code, refusal),
    };
    match accounts::client_name(pages.authority(), &device.client).await {
        Ok(client_name) => device::done(&DeviceDonePage {
            brand: pages.brand.clone(),
            language: language(headers, None),
            client_name,
            is_approved,
        }),
        Err(error) => refuse(error),
    }
}
