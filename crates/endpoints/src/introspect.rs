//! `POST /introspect` (RFC 7662).

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use valetkey_oauth::clients;
use valetkey_oauth::grants::Caller;
use valetkey_oauth::model::{AccessToken, Session};
use valetkey_oauth::tokens::{self, Introspection};
use valetkey_oauth::{Authority, Refusal, openid};

use crate::calling::{Calling, Headers};
use crate::object::Object;
use crate::reader::Reader;
use crate::request::{self, Body};
use crate::wire_error::WireError;
use crate::{Endpoints, answer, credentials};

/// Where it is.
pub(crate) const PATH: &str = "/introspect";

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
    let mut reader = Reader::of(headers);
    let response = match look(&endpoints.authority, caller, headers, body, &mut reader).await {
        Ok(Introspection::Active(token)) => answer::written(active(&endpoints.authority, &token)),
        Ok(Introspection::ActiveRefresh(session)) => answer::written(active_refresh(&endpoints.authority, &session)),
        // All that is said of a token that is not good, or not the caller's to see.
        Ok(Introspection::Inactive) => answer::written(Object::new().flag("active", false)),
        Err(error) => error.answer(&endpoints.authority),
    };
    reader.mark(response)
}

async fn look(
    authority: &Authority,
    caller: &Caller,
    headers: &HeaderMap,
    body: Body,
    reader: &mut Reader,
) -> Result<Introspection, WireError> {
    let bytes = request::bytes(headers, body)?;
    let form = request::form(&bytes)?;
    let client = clients::authenticate(authority, &credentials::presented(headers, &form, caller)?).await?;
    reader.is(&client.id);
    let token = form.get("token").ok_or(Refusal::Missing("token"))?;
    Ok(tokens::introspect(authority, &client, token).await?)
}

/// A refresh token has no type on the wire and no audience but this server. What it is must be said: a service that takes
/// whatever is active would take it for an access token.
fn active_refresh(authority: &Authority, session: &Session) -> Object {
    let said = Object::new()
        .flag("active", true)
        .text("scope", session.scope.as_str())
        .text("client_id", session.client.as_str())
        .number("exp", session.expires_at.as_second())
        .number("iat", session.used_at.as_second())
        .text("sub", &session.subject)
        .text("iss", &authority.policy.issuer)
        .text("token_use", "refresh_token");
    confirmed(said, session.key_binding.as_deref())
}

fn active(authority: &Authority, token: &AccessToken) -> Object {
    let said = Object::new()
        .flag("active", true)
        .text("scope", token.scope.as_str())
        .text("client_id", token.client.as_str())
        .text("token_type", "Bearer")
        .number("exp", token.expires_at.as_second())
        .number("iat", token.issued_at.as_second())
        .text("sub", &token.subject)
        .text("aud", &token.audience)
        .text("iss", &authority.policy.issuer)
        .id("jti", token.id.0)
        .text_if("api_version", token.version_pin.as_deref());
    let said = confirmed(said, token.key_binding.as_deref());
    // RFC 9470 §6.2: when the user signed in, and how strongly.
    match token.authenticated_at {
        Some(moment) => said.number("auth_time", moment.as_second()).text("acr", openid::ACR),
        None => said,
    }
}

/// RFC 8705 §3.2: the certificate that must come with the token.
fn confirmed(said: Object, thumbprint: Option<&str>) -> Object {
    match thumbprint {
        Some(thumbprint) => said.object("cnf", Object::new().text("x5t#S256", thumbprint)),
        None => said,
    }
}
