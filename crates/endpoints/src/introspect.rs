//! `POST /introspect` (RFC 7662).

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde::Serialize;
use valetkey_oauth::clients;
use valetkey_oauth::grants::Caller;
use valetkey_oauth::model::{AccessToken, Session};
use valetkey_oauth::tokens::{self, Introspection};
use valetkey_oauth::{Authority, Refusal, openid};

use crate::calling::{Calling, Headers};
use crate::request::{self, Body};
use crate::wire_error::WireError;
use crate::{Endpoints, answer, credentials};

/// Where it is.
pub(crate) const PATH: &str = "/introspect";

/// All that is said of a token that is not good, or not the caller's to see.
#[derive(Serialize)]
struct Inactive {
    active: bool,
}

#[derive(Serialize)]
struct Active<'a> {
    active: bool,
    scope: &'a str,
    client_id: &'a str,
    token_type: &'static str,
    exp: i64,
    iat: i64,
    sub: &'a str,
    aud: &'a str,
    iss: &'a str,
    jti: uuid::Uuid,
    #[serde(skip_serializing_if = "Option::is_none")]
    api_version: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cnf: Option<Confirmation<'a>>,
    /// RFC 9470 §6.2: when the user signed in, and how strongly.
    #[serde(skip_serializing_if = "Option::is_none")]
    auth_time: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    acr: Option<&'static str>,
}

/// RFC 8705 §3.2: the certificate that must come with the token.
#[derive(Serialize)]
struct Confirmation<'a> {
    #[serde(rename = "x5t#S256")]
    thumbprint: &'a str,
}

impl<'a> Confirmation<'a> {
    fn of(binding: Option<&'a String>) -> Option<Self> {
        binding.map(|thumbprint| Self { thumbprint })
    }
}

#[derive(Serialize)]
struct ActiveRefresh<'a> {
    active: bool,
    scope: &'a str,
    client_id: &'a str,
    exp: i64,
    iat: i64,
    sub: &'a str,
    iss: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cnf: Option<Confirmation<'a>>,
}

pub(crate) async fn post(
    State(endpoints): State<Endpoints>,
    Calling(caller): Calling,
    Headers(headers): Headers,
    body: Body,
) -> Response {
    answer(&endpoints, &caller, &headers, body).await
}

/// The answer to a form.
pub(crate) async fn answer(endpoints: &Endpoints, caller: &Caller, headers: &HeaderMap, body: Body) -> Response {
    match look(&endpoints.authority, caller, headers, body).await {
        Ok(Introspection::Active(token)) => answer::json(&active(&endpoints.authority, &token)),
        Ok(Introspection::ActiveRefresh(session)) => answer::json(&active_refresh(&endpoints.authority, &session)),
        Ok(Introspection::Inactive) => answer::json(&Inactive { active: false }),
        Err(error) => error.answer(&endpoints.authority),
    }
}

async fn look(
    authority: &Authority,
    caller: &Caller,
    headers: &HeaderMap,
    body: Body,
) -> Result<Introspection, WireError> {
    let bytes = request::bytes(headers, body)?;
    let form = request::form(&bytes)?;
    let client = clients::authenticate(authority, &credentials::presented(headers, &form, caller)?).await?;
    let token = form.get("token").ok_or(Refusal::Missing("token"))?;
    Ok(tokens::introspect(authority, &client, token).await?)
}

/// A refresh token has no type on the wire and no audience but this server.
fn active_refresh<'a>(authority: &'a Authority, session: &'a Session) -> ActiveRefresh<'a> {
    ActiveRefresh {
        active: true,
        scope: session.scope.as_str(),
        client_id: session.client.as_str(),
        exp: session.expires_at.as_second(),
        iat: session.used_at.as_second(),
        sub: &session.subject,
        iss: &authority.policy.issuer,
        cnf: Confirmation::of(session.key_binding.as_ref()),
    }
}

fn active<'a>(authority: &'a Authority, token: &'a AccessToken) -> Active<'a> {
    Active {
        active: true,
        scope: token.scope.as_str(),
        client_id: token.client.as_str(),
        token_type: "Bearer",
        exp: token.expires_at.as_second(),
        iat: token.issued_at.as_second(),
        sub: &token.subject,
        aud: &token.audience,
        iss: &authority.policy.issuer,
        jti: token.id.0,
        api_version: token.version_pin.as_deref(),
        cnf: Confirmation::of(token.key_binding.as_ref()),
        auth_time: token.authenticated_at.map(|moment| moment.as_second()),
        acr: token.authenticated_at.map(|_| openid::ACR),
    }
}
