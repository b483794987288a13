//! `/authz`: a proxy asks whether a request may pass, before it lets it through to a service of its own.
//!
//! nginx (`auth_request`), Traefik (`ForwardAuth`) and Caddy (`forward_auth`) send the headers of the request here. 200
//! lets it pass and names the caller; 401 and 403 refuse it, and are the only refusals that all three understand.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{RawQuery, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Extension, Router};
use http::header::{AUTHORIZATION, CACHE_CONTROL, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue};
use url::form_urlencoded;
use valetkey_oauth::Authority;
use valetkey_resources::model::Api;
use valetkey_rest::api_key::X_API_KEY;
use valetkey_rest::bearer::{Caller, Challenge, SignInNeed};
use valetkey_rest::problem::{Problem, catalogue};
use valetkey_rest::token_in_url::carries_token;

use super::guard;

/// Who calls.
const SUBJECT: HeaderName = HeaderName::from_static("x-auth-subject");
/// Through which client or key.
const CLIENT: HeaderName = HeaderName::from_static("x-auth-client");
/// What it may do.
const SCOPE: HeaderName = HeaderName::from_static("x-auth-scope");
/// Where proxies put the address that was asked for: nginx by custom, Traefik and Caddy by themselves.
const ASKED: [&str; 2] = ["x-original-uri", "x-forwarded-uri"];

/// The route, behind the same layers as the API.
pub fn routes(authority: &Arc<Authority>, api: &Arc<Api>) -> Router {
    let challenge = Arc::new(guard::challenge(authority));
    let door = Door { challenge: challenge.clone(), authority: authority.clone(), api: api.clone() };
    let routes = Router::new().route("/authz", any(answer)).with_state(door);
    guard::guarded(routes, authority).layer(middleware::from_fn_with_state(challenge, sort_out))
}

/// What the answer depends on.
#[derive(Clone)]
struct Door {
    challenge: Arc<Challenge>,
    authority: Arc<Authority>,
    api: Arc<Api>,
}

/// Refuses what the layers within would refuse with a status that a proxy takes for a fault of ours.
async fn sort_out(State(challenge): State<Arc<Challenge>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let credentials = headers.get_all(AUTHORIZATION).iter().chain(headers.get_all(X_API_KEY)).count();
    if credentials > 1 {
        let detail = "The request carries credentials in more than one place. Send one key or one token.";
        return refusal(&challenge, "invalid_request", detail).into_response();
    }
    if asked_with_token(headers) {
        let detail = "The address carries a token. Send it in the `Authorization: Bearer` header, and renew it: \
                      addresses end up in logs.";
        return refusal(&challenge, "invalid_request", detail).into_response();
    }
    next.run(request).await
}

fn refusal(challenge: &Challenge, error: &str, detail: &'static str) -> Problem {
    let value = challenge.value(&[("error", error), ("error_description", detail)]);
    Problem::new(&catalogue::UNAUTHORIZED).detail(detail).header(WWW_AUTHENTICATE, value)
}

fn asked_with_token(headers: &HeaderMap) -> bool {
    let addresses = ASKED.iter().flat_map(|name| headers.get_all(*name));
    addresses.filter_map(|address| address.to_str().ok()?.split_once('?')).any(|(_, query)| carries_token(query))
}

async fn answer(
    State(Door { challenge, authority, api }): State<Door>,
    RawQuery(query): RawQuery,
    caller: Option<Extension<Arc<Caller>>>,
) -> Result<Response, Problem> {
    let Needed { scopes: needed, max_age } = Needed::read(query.as_deref().unwrap_or_default())?;
    // Asked with OPTIONS, nobody was looked at.
    let Extension(caller) = caller.ok_or_else(|| challenge.missing())?;
    if needed.iter().any(|scope| !caller.has(scope)) {
        return Err(challenge.insufficient_scope(&needed.join(" ")));
    }
    let ages = needed.iter().filter_map(|scope| api.max_age(scope)).chain(max_age);
    if let Some(need) = ages.min().map(SignInNeed::fresh)
        && !need.is_met_by(&caller, authority.now().as_second())
    {
        return Err(challenge.insufficient_user_authentication(&need));
    }
    let mut response = ().into_response();
    let mut tell = |name, value: &str| {
        // Always set, even if empty: otherwise some proxies would pass on what the caller claimed.
        let value = HeaderValue::from_str(value).unwrap_or(HeaderValue::from_static(""));
        response.headers_mut().insert(name, value);
    };
    tell(SUBJECT, caller.subject.as_deref().unwrap_or_default());
    tell(CLIENT, &caller.client);
    tell(SCOPE, &caller.scopes.join(" "));
    tell(CACHE_CONTROL, "no-store");
    Ok(response)
}

/// What the proxy wants. A parameter that means nothing is a mistake in its settings, which must not open a door.
struct Needed {
    scopes: Vec<String>,
    max_age: Option<Duration>,
}

impl Needed {
    fn read(query: &str) -> Result<Self, Problem> {
        let mut needed = Self { scopes: Vec::new(), max_age: None };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let names = value.split_ascii_whitespace();
            match (&*name, value.parse()) {
                ("scope", _) if names.clone().next().is_some() => needed.scopes.extend(names.map(str::to_owned)),
                ("max_age", Ok(seconds)) if needed.max_age.is_none() => {
                    needed.max_age = Some(Duration::from_secs(seconds));
                }
                _ => {
                    return Err(Problem::new(&catalogue::BAD_REQUEST).detail(format!(
                        "/authz takes `scope` with names of scopes and `max_age` with seconds, and got `{name}`. Mend the \
                         settings of the proxy."
                    )));
                }
            }
        }
        Ok(needed)
    }
}
