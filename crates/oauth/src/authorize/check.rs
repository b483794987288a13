//! Is an authorization request sound?

use super::{AuthorizationResponse, Interaction, Refused};
use crate::model::{Client, ClientId, ClientKind};
use crate::openid::{self, ClaimsRequest};
use crate::protocol::{Challenge, GrantType, Prompt, ResponseMode, Scope, is_registered};
use crate::{Authority, Refusal};

/// Beyond this a request does not fit through the pages.
const LONGEST_STATE: usize = 4096;
/// The same for a nonce.
const LONGEST_NONCE: usize = 2048;
/// The same for a name and for languages.
const LONGEST_WORD: usize = 512;

/// What the browser brought. Empty parameters are absent.
#[derive(Debug, Default)]
pub struct AuthorizationRequest<'a> {
    /// `client_id`
    pub client_id: Option<&'a str>,
    /// `redirect_uri`
    pub redirect_uri: Option<&'a str>,
    /// `response_type`
    pub response_type: Option<&'a str>,
    /// `response_mode`
    pub response_mode: Option<&'a str>,
    /// `state`
    pub state: Option<&'a str>,
    /// `scope`
    pub scope: Option<&'a str>,
    /// `code_challenge`
    pub code_challenge: Option<&'a str>,
    /// `code_challenge_method`
    pub code_challenge_method: Option<&'a str>,
    /// `nonce`
    pub nonce: Option<&'a str>,
    /// `prompt`
    pub prompt: Option<&'a str>,
    /// `max_age`
    pub max_age: Option<&'a str>,
    /// `login_hint`
    pub login_hint: Option<&'a str>,
    /// `id_token_hint`
    pub id_token_hint: Option<&'a str>,
    /// `ui_locales`
    pub ui_locales: Option<&'a str>,
    /// `claims`
    pub claims: Option<&'a str>,
    /// `resource` (RFC 8707)
    pub resource: Option<&'a str>,
    /// `request`
    pub request: Option<&'a str>,
    /// `request_uri`
    pub request_uri: Option<&'a str>,
}

/// Judges a request. The client and its redirect URI come first: only then may an error be sent there.
pub async fn check(authority: &Authority, request: &AuthorizationRequest<'_>) -> Result<Interaction, Refused> {
    let (client, redirect_uri) = destination(authority, request).await.map_err(Refused::Page)?;
    let mode = request.response_mode.map(ResponseMode::parse);
    let answer_mode = mode.flatten().unwrap_or_default();
    sound(authority, request, &client, redirect_uri, mode).map_err(|refusal| {
        let response = AuthorizationResponse::bare(authority, redirect_uri, answer_mode, request.state);
        Refused::Respond(response, refusal)
    })
}

/// The redirect URI, once it equals a registered one byte for byte (but for a native app's port). Prefixes never count.
async fn destination<'a>(
    authority: &Authority,
    request: &AuthorizationRequest<'a>,
) -> Result<(std::sync::Arc<Client>, &'a str), Refusal> {
    let id = ClientId::new(request.client_id.ok_or(Refusal::Missing("client_id"))?);
    let wanted = request.redirect_uri.ok_or(Refusal::Missing("redirect_uri"))?;
    let client = authority.ports.clients.find(&id).await?.ok_or(Refusal::AuthorizingClientUnknown)?;
    if client.redirect_uris.iter().any(|uri| is_registered(uri, wanted, client.loopback_any_port)) {
        Ok((client, wanted))
    } else {
        Err(Refusal::RedirectUriUnregistered)
    }
}

/// Does nothing show that whoever gets the answer is this app? It has no secret, and the answer goes to a scheme that any app
/// may claim, or to a port that any program may open.
fn is_anyones(client: &Client, redirect_uri: &str) -> bool {
    let is_known =
        redirect_uri.starts_with("https://") || redirect_uri.starts_with("http://") && !client.loopback_any_port;
    client.kind == ClientKind::Public && !is_known
}

fn sound(
    authority: &Authority,
    request: &AuthorizationRequest<'_>,
    client: &Client,
    redirect_uri: &str,
    mode: Option<Option<ResponseMode>>,
) -> Result<Interaction, Refusal> {
    if request.request.is_some() {
        return Err(Refusal::RequestObject);
    }
    if request.request_uri.is_some() {
        return Err(Refusal::RequestUri);
    }
    match request.response_type {
        Some("code") => {}
        None => return Err(Refusal::Missing("response_type")),
        Some(_) => return Err(Refusal::ResponseTypeUnsupported),
    }
    if !client.may_use(GrantType::AuthorizationCode) {
        return Err(Refusal::GrantNotRegistered);
    }
    let owned = |value: Option<&str>| value.map(str::to_owned);
    let claims = claims(client, request.claims)?;
    Ok(Interaction {
        client: client.id.clone(),
        redirect_uri: redirect_uri.to_owned(),
        is_anyones: is_anyones(client, redirect_uri),
        mode: mode.map_or(Ok(ResponseMode::Query), |mode| mode.ok_or(Refusal::BadValue("response_mode")))?,
        state: owned(request.state.filter(|state| state.len() <= LONGEST_STATE)),
        scope: scope(client, request.scope)?,
        implied: Scope::parse(&claims.scopes().into_iter().collect::<Vec<_>>().join(" "))?,
        challenge: challenge(request)?,
        nonce: short("nonce", request.nonce, LONGEST_NONCE)?,
        prompt: request.prompt.map_or(Some(Vec::new()), Prompt::parse).ok_or(Refusal::BadValue("prompt"))?,
        max_age: request.max_age.map(str::parse).transpose().map_err(|_| Refusal::BadValue("max_age"))?,
        login_hint: short("login_hint", request.login_hint, LONGEST_WORD)?,
        hinted: hinted(authority, client, request.id_token_hint)?.or_else(|| meant(authority, client, &claims)),
        ui_locales: short("ui_locales", request.ui_locales, LONGEST_WORD)?,
        claims: claims.kept(),
        resource: resource(authority, request.resource)?,
        asked_at: authority.now(),
    })
    .and_then(|interaction| {
        let fits = request.state.is_none_or(|state| state.len() <= LONGEST_STATE);
        if fits { Ok(interaction) } else { Err(Refusal::TooLong("state")) }
    })
}

fn challenge(request: &AuthorizationRequest<'_>) -> Result<Challenge, Refusal> {
    let challenge = request.code_challenge.ok_or(Refusal::ChallengeMissing)?;
    // RFC 7636 says that a missing method means plain, and plain is not offered.
    if request.code_challenge_method != Some("S256") {
        return Err(Refusal::ChallengeMethod);
    }
    Challenge::parse(challenge).ok_or(Refusal::BadValue("code_challenge"))
}

/// What is asked for claim by claim, as far as this app may know it at all.
fn claims(client: &Client, asked: Option<&str>) -> Result<ClaimsRequest, Refusal> {
    let Some(asked) = asked else { return Ok(ClaimsRequest::default()) };
    let claims = ClaimsRequest::parse(asked).ok_or(Refusal::BadValue("claims"))?;
    if !claims.insists_on_known_acr() {
        return Err(Refusal::AcrUnknown);
    }
    Ok(claims.within(&client.scope))
}

/// The one user whom the app wants to hear of. A name that it was never told means nobody who could sign in.
fn meant(authority: &Authority, client: &Client, claims: &ClaimsRequest) -> Option<String> {
    let name = claims.subject()?;
    Some(openid::subject::meant_by(authority, client, name).unwrap_or_else(|| name.to_owned()))
}

/// What is carried along must fit through the pages.
fn short(name: &'static str, value: Option<&str>, most: usize) -> Result<Option<String>, Refusal> {
    let fits = value.is_none_or(|value| value.len() <= most);
    if fits { Ok(value.map(str::to_owned)) } else { Err(Refusal::TooLong(name)) }
}

/// What is asked for, once it is within what the client is registered for; all of that if nothing is named.
pub(crate) fn scope(client: &Client, asked: Option<&str>) -> Result<Scope, Refusal> {
    let Some(asked) = asked else { return Ok(client.scope.clone()) };
    let asked = Scope::parse(asked)?;
    if let Some(name) = asked.names().find(|name| !client.scope.contains(name)) {
        return Err(Refusal::ScopeNotRegistered(name.to_owned()));
    }
    Ok(asked)
}

/// An id_token of ours says whom the app means; its expiry does not matter here.
fn hinted(authority: &Authority, client: &Client, hint: Option<&str>) -> Result<Option<String>, Refusal> {
    let Some(hint) = hint else { return Ok(None) };
    openid::subject_of(authority, client, hint).map(Some).ok_or(Refusal::BadValue("id_token_hint"))
}

/// The API that is named, once it is one of ours.
pub(crate) fn resource(authority: &Authority, resource: Option<&str>) -> Result<Option<String>, Refusal> {
    match resource {
        Some(resource) if !authority.policy.serves(resource) => Err(Refusal::ResourceUnknown),
        other => Ok(other.map(str::to_owned)),
    }
}
