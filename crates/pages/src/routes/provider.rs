//! `/login/{provider}`: people leave for another provider, and come back at `/login/{provider}/callback`.

use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Form};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use valetkey_oauth::Refusal;
use valetkey_oauth::accounts::{Browser, CarriedChange, SignInChange, SignInRefusal};
use valetkey_oauth::upstream::{Return, Start, UpstreamRefusal};

use super::afterwards::Afterwards;
use super::login::form;
use super::{Pages, go, refuse};
use crate::sign_in::SignInFault;

#[derive(Deserialize)]
pub(super) struct Leaving {
    #[serde(default)]
    csrf: String,
    #[serde(default)]
    request: String,
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
pub(super) struct Back {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

pub(super) async fn leave(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    Form(leaving): Form<Leaving>,
) -> Response {
    let afterwards = match Afterwards::read(pages.authority(), &leaving.request, &leaving.next) {
        Ok(afterwards) => afterwards,
        Err(refusal) => return refuse(refusal),
    };
    if !pages.is_own_form(&browser, &headers, &leaving.csrf) {
        return form(&pages, &browser, &headers, &afterwards, String::new(), Some(SignInFault::Expired)).await;
    }
    let (request, next) = (afterwards.request().unwrap_or_default(), afterwards.next().unwrap_or_default());
    let start = Start { provider: &provider, request: &request, next: &next, interaction: afterwards.interaction() };
    match pages.upstream.begin(&browser, &start).await {
        Ok(departure) => {
            let mut response = go(&departure.location, None);
            let take = Some((departure.carried, departure.patience));
            response.extensions_mut().insert(CarriedChange { take, drop: departure.dropped });
            response
        }
        Err(refusal) => explain(&pages, &browser, &headers, &provider, &afterwards, refusal).await,
    }
}

pub(super) async fn come_back(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    Query(back): Query<Back>,
) -> Response {
    let given = |value: &'_ Option<String>| value.clone().filter(|value| !value.is_empty());
    let (code, state, iss, error) = (given(&back.code), given(&back.state), given(&back.iss), given(&back.error));
    let back = Return { code: code.as_deref(), state: state.as_deref(), iss: iss.as_deref(), error: error.as_deref() };
    let returned = match pages.upstream.finish(&provider, &browser, &back).await {
        Ok(returned) => returned,
        Err(refusal) => {
            return explain(&pages, &browser, &headers, &provider, &Afterwards::Nothing, refusal).await;
        }
    };
    let afterwards = Afterwards::read(pages.authority(), &returned.request, &returned.next);
    let mut response = match (returned.outcome, afterwards) {
        (Ok(signed_in), afterwards) => {
            // Who is in is in, also where the app has waited for too long.
            let mut response = afterwards.map_or_else(refuse, |afterwards| go(&afterwards.path(), None));
            response.extensions_mut().insert(SignInChange::Set(signed_in.cookie));
            response
        }
        (Err(refusal), Ok(afterwards)) => explain(&pages, &browser, &headers, &provider, &afterwards, refusal).await,
        (Err(_), Err(refusal)) => refuse(refusal),
    };
    response.extensions_mut().insert(CarriedChange { take: None, drop: vec![returned.dropped] });
    response
}

/// The sign-in page once more, with what went wrong in our own words: nothing of what came is shown.
async fn explain(
    pages: &Pages,
    browser: &Browser,
    headers: &HeaderMap,
    provider: &str,
    afterwards: &Afterwards,
    refusal: UpstreamRefusal,
) -> Response {
    let at = |fault: fn(String) -> SignInFault| {
        let named = pages.upstream.providers().find(|known| known.id == provider);
        fault(named.map_or_else(String::new, |provider| provider.name.clone()))
    };
    let fault = match refusal {
        UpstreamRefusal::ProviderUnknown => return StatusCode::NOT_FOUND.into_response(),
        UpstreamRefusal::Throttled(wait) | UpstreamRefusal::SignIn(SignInRefusal::Throttled(wait)) => {
            SignInFault::Throttled { seconds: wait.as_secs() + 1 }
        }
        UpstreamRefusal::NotPending => return refuse(Refusal::InteractionExpired),
        UpstreamRefusal::Denied => at(SignInFault::Denied),
        UpstreamRefusal::Failed(_) | UpstreamRefusal::Untrusted(_) => at(SignInFault::Failed),
        UpstreamRefusal::Unreachable(_) => at(SignInFault::Unreachable),
        UpstreamRefusal::NotFresh => at(SignInFault::NotFresh),
        UpstreamRefusal::NoAccount(_) => at(SignInFault::NoAccount),
        UpstreamRefusal::SignIn(SignInRefusal::Wrong | SignInRefusal::Password(_)) => at(SignInFault::Failed),
        UpstreamRefusal::SignIn(SignInRefusal::Before(refusal)) => return refuse(refusal),
        UpstreamRefusal::SignIn(SignInRefusal::Store(error)) | UpstreamRefusal::Store(error) => return refuse(error),
        UpstreamRefusal::Key(error) => return refuse(error),
    };
    form(pages, browser, headers, afterwards, String::new(), Some(fault)).await
}
