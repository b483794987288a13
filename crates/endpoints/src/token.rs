//! `POST /token`: a grant in, tokens out.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use valetkey_oauth::clients;
use valetkey_oauth::grants::{self, Caller, DevicePoll, Redemption, Renewal, TokenRequest, TokenSet};
use valetkey_oauth::model::{Client, Secret};
use valetkey_oauth::protocol::{GrantType, Scope};
use valetkey_oauth::{Authority, Refusal};
use valetkey_rest::form::Form;

use crate::calling::{Calling, Headers};
use crate::object::Object;
use crate::reader::Reader;
use crate::request::{self, Body};
use crate::wire_error::WireError;
use crate::{Endpoints, answer, credentials};

/// Where it is.
pub(crate) const PATH: &str = "/token";
/// A key that a client makes up for one attempt and its retries.
const LONGEST_KEY: usize = 255;

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
    let (authority, limit) = (&endpoints.authority, &endpoints.token_limit);
    let mut reader = Reader::of(headers);
    let request = Request::read(authority, caller, headers, body).await;
    // Counted once it is known who asks, and before anything is done for them.
    let counted = limit.count(request.as_ref().ok().map(|request| &*request.client), caller).await;
    let verdict = match counted {
        Ok(verdict) => verdict,
        Err(held) => return held.into_response(),
    };
    let outcome = match request {
        Ok(request) => {
            reader.is(&request.client.id);
            request.exchange(authority, caller).await.map_err(WireError::from)
        }
        Err(error) => Err(error),
    };
    let mut response = match outcome {
        Ok(tokens) => answer::written(told(&tokens)),
        Err(error) => error.answer(authority),
    };
    verdict.write(response.headers_mut());
    reader.mark(response)
}

fn told(tokens: &TokenSet) -> Object {
    let told = Object::new()
        .text("access_token", tokens.access_token.expose())
        .text("token_type", "Bearer")
        .number("expires_in", tokens.expires_in);
    let scope = Some(tokens.scope.as_str()).filter(|scope| !scope.is_empty());
    told.text_if("scope", scope)
        .text_if("refresh_token", tokens.refresh_token.as_ref().map(Secret::expose))
        .text_if("id_token", tokens.id_token.as_ref().map(Secret::expose))
}

/// A request of a client that is known.
struct Request {
    client: Arc<Client>,
    /// What it asks for, or what is wrong with it.
    asked: Result<TokenRequest, Refusal>,
}

impl Request {
    async fn read(authority: &Authority, caller: &Caller, headers: &HeaderMap, body: Body) -> Result<Self, WireError> {
        let bytes = request::bytes(headers, body)?;
        let form = request::form(&bytes)?;
        // What no client may ask is refused before anyone is looked up.
        let grant = grants::offered(form.get("grant_type").ok_or(Refusal::Missing("grant_type"))?)?;
        let client = clients::identify(authority, &credentials::presented(headers, &form, caller)?).await?;
        Ok(Self { client, asked: token_request(grant, headers, &form) })
    }

    async fn exchange(self, authority: &Authority, caller: &Caller) -> Result<TokenSet, Refusal> {
        grants::exchange(authority, &self.client, caller, self.asked?).await
    }
}

fn token_request(grant: GrantType, headers: &HeaderMap, form: &Form<'_>) -> Result<TokenRequest, Refusal> {
    let needed = |name: &'static str| form.get(name).map(str::to_owned).ok_or(Refusal::Missing(name));
    let resource = || form.get("resource").map(str::to_owned);
    let scope = || form.get("scope").map(Scope::parse).transpose();
    match grant {
        GrantType::ClientCredentials => Ok(TokenRequest::ClientCredentials { scope: scope()?, resource: resource() }),
        GrantType::AuthorizationCode => Ok(TokenRequest::AuthorizationCode(Redemption {
            code: needed("code")?,
            verifier: needed("code_verifier")?,
            redirect_uri: needed("redirect_uri")?,
            resource: resource(),
            key: idempotency_key(headers)?,
        })),
        GrantType::RefreshToken => Ok(TokenRequest::RefreshToken(Renewal {
            token: needed("refresh_token")?,
            scope: form.get("scope").map(str::to_owned),
            resource: resource(),
            key: idempotency_key(headers)?,
        })),
        GrantType::DeviceCode => Ok(TokenRequest::DeviceCode(DevicePoll {
            code: needed("device_code")?,
            resource: resource(),
            key: idempotency_key(headers)?,
        })),
    }
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let mut values = headers.get_all("idempotency-key").iter();
    let bad = || Refusal::BadValue("Idempotency-Key");
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(_), Some(_)) => Err(bad()),
        (Some(value), None) => {
            let key = value.to_str().map_err(|_| bad())?.trim();
            if key.is_empty() || key.len() > LONGEST_KEY { Err(bad()) } else { Ok(Some(key.to_owned())) }
        }
    }
}
