//! `/authz`: a proxy asks whether a request may pass, before it lets it through to a service of its own.
//!
//! nginx (`auth_request`), Traefik (`ForwardAuth`) and Caddy (`forward_auth`) send the headers of the request here. 200
//! lets it pass and names the caller; 401 and 403 refuse it, and are the only refusals that all three understand.

use std::sync::Arc;

use axum::extract::{RawQuery, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Extension, Router};
use http::header::{AUTHORIZATION, CACHE_CONTROL, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue};
use url::form_urlencoded;
use valetkey_oauth::Authority;
use valetkey_rest::api_key::X_API_KEY;
use valetkey_rest::bearer::{Caller, Challenge};
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
pub fn routes(authority: &Arc<Authority>) -> Router {
    let challenge = Arc::new(guard::challenge(authority));
    let routes = Router::new().route("/authz", any(answer)).with_state(challenge.clone());
    guard::guarded(routes, authority).layer(middleware::from_fn_with_state(challenge, sort_out))
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
    State(challenge): State<Arc<Challenge>>,
    RawQuery(query): RawQuery,
    caller: Option<Extension<Arc<Caller>>>,
) -> Result<Response, Problem> {
    let needed = needed(query.as_deref().unwrap_or_default())?;
    // Asked with OPTIONS, nobody was looked at.
    let Extension(caller) = caller.ok_or_else(|| challenge.missing())?;
    if needed.iter().any(|scope| !caller.has(scope)) {
        return Err(challenge.insufficient_scope(&needed.join(" ")));
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

/// The scopes that the proxy wants. Another parameter is a mistake in its settings, which must not open a door.
fn needed(query: &str) -> Result<Vec<String>, Problem> {
    let mut scopes = Vec::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if name != "scope" || value.trim().is_empty() {
            return Err(Problem::new(&catalogue::BAD_REQUEST).detail(format!(
                "/authz takes `scope` with names of scopes, and got `{name}`. Mend the settings of the proxy."
            )));
        }
        scopes.extend(value.split_ascii_whitespace().map(str::to_owned));
    }
    Ok(scopes)
}
