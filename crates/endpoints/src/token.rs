//! `POST /token`: a grant in, tokens out.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use serde::Serialize;
use valetkey_oauth::clients;
use valetkey_oauth::grants::{self, TokenRequest, TokenSet};
use valetkey_oauth::protocol::{GrantType, Scope};
use valetkey_oauth::{Authority, Refusal};
use valetkey_rest::form::Form;

use crate::request::{self, Body};
use crate::wire_error::WireError;
use crate::{Endpoints, answer, credentials};

#[derive(Serialize)]
struct TokenResponse<'a> {
    access_token: &'a str,
    token_type: &'static str,
    expires_in: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    scope: &'a str,
}

pub(crate) async fn post(State(endpoints): State<Endpoints>, headers: HeaderMap, body: Body) -> Response {
    match exchange(&endpoints.authority, &headers, body).await {
        Ok(tokens) => answer::json(&TokenResponse {
            access_token: tokens.access_token.expose(),
            token_type: "Bearer",
            expires_in: tokens.expires_in,
            scope: tokens.scope.as_str(),
        }),
        Err(error) => error.answer(&endpoints.authority),
    }
}

async fn exchange(authority: &Authority, headers: &HeaderMap, body: Body) -> Result<TokenSet, WireError> {
    let bytes = request::bytes(headers, body)?;
    let form = request::form(&bytes)?;
    // What no client may ask is refused before anyone is looked up.
    let grant = grants::offered(form.get("grant_type").ok_or(Refusal::Missing("grant_type"))?)?;
    let client = clients::identify(authority, &credentials::presented(headers, &form)?).await?;
    Ok(grants::exchange(authority, &client, token_request(grant, &form)?)?)
}

fn token_request(grant: GrantType, form: &Form<'_>) -> Result<TokenRequest, Refusal> {
    match grant {
        GrantType::ClientCredentials => Ok(TokenRequest::ClientCredentials {
            scope: form.get("scope").map(Scope::parse).transpose()?,
            resource: form.get("resource").map(str::to_owned),
        }),
        GrantType::AuthorizationCode | GrantType::RefreshToken | GrantType::DeviceCode => {
            Err(Refusal::GrantUnsupported)
        }
    }
}
