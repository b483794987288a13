//! An app asks to sign its user out (OpenID Connect RP-Initiated Logout), and where the browser goes afterwards.
//!
//! Nothing is ever sent to an address that is not registered for a client that is named by an id_token of ours or by
//! its id; the person is asked before anything ends.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::id_token;
use crate::authorize::AuthorizationResponse;
use crate::keys::{KeyError, SealPurpose};
use crate::model::{Client, ClientId};
use crate::moment::later;
use crate::protocol::ResponseMode;
use crate::tokens::seal::{self, Passing};
use crate::{Authority, Refusal};

/// A person has this long to answer.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30 * 60);
/// Beyond this a request does not fit through the pages.
const LONGEST_STATE: usize = 4096;

/// What the browser brought. Empty parameters are absent.
#[derive(Debug, Default)]
pub struct LogoutRequest<'a> {
    /// `id_token_hint`
    pub id_token_hint: Option<&'a str>,
    /// `client_id`
    pub client_id: Option<&'a str>,
    /// `post_logout_redirect_uri`
    pub post_logout_redirect_uri: Option<&'a str>,
    /// `state`
    pub state: Option<&'a str>,
    /// `ui_locales`
    pub ui_locales: Option<&'a str>,
}

/// A request that was found sound, on its way through the page.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Departure {
    /// The app that asks, if it is known.
    pub client: Option<ClientId>,
    /// Where the browser goes afterwards: a registered value.
    pub leads_to: Option<String>,
    /// Returned unchanged.
    pub state: Option<String>,
    /// Languages the app asks for.
    pub ui_locales: Option<String>,
    /// When the request came.
    pub asked_at: Timestamp,
}

impl Passing for Departure {
    fn made_at(&self) -> Option<Timestamp> {
        Some(self.asked_at)
    }
}

impl Departure {
    /// Judges a request.
    pub async fn check(authority: &Authority, request: &LogoutRequest<'_>) -> Result<Self, Refusal> {
        let client = client(authority, request).await?;
        if request.state.is_some_and(|state| state.len() > LONGEST_STATE) {
            return Err(Refusal::TooLong("state"));
        }
        let owned = |value: Option<&str>| value.map(str::to_owned);
        Ok(Self {
            leads_to: owned(destination(client.as_deref(), request.post_logout_redirect_uri)?),
            client: client.map(|client| client.id.clone()),
            state: owned(request.state),
            ui_locales: owned(request.ui_locales),
            asked_at: authority.now(),
        })
    }

    /// Seals it for a hidden field or a query.
    pub fn seal(&self, authority: &Authority) -> Result<String, KeyError> {
        seal::value(authority, SealPurpose::Departure, self)
    }

    /// Opens it again, unless the person took too long.
    pub fn open(authority: &Authority, text: &str) -> Result<Self, Refusal> {
        let opened: Self =
            seal::open_value(authority, SealPurpose::Departure, text).ok_or(Refusal::InteractionExpired)?;
        if later(opened.asked_at, PATIENCE) <= authority.now() {
            return Err(Refusal::InteractionExpired);
        }
        Ok(opened)
    }

    /// The way back to the app, if it named one.
    pub fn response(&self) -> Option<AuthorizationResponse> {
        Some(AuthorizationResponse {
            redirect_uri: self.leads_to.clone()?,
            mode: ResponseMode::Query,
            parameters: self.state.iter().map(|state| ("state", state.clone())).collect(),
        })
    }
}

/// The app: whom the id_token was issued to, and whom `client_id` names, are one.
async fn client(authority: &Authority, request: &LogoutRequest<'_>) -> Result<Option<std::sync::Arc<Client>>, Refusal> {
    let named = match request.id_token_hint {
        Some(hint) => Some(id_token::audience_of(authority, hint).ok_or(Refusal::BadValue("id_token_hint"))?),
        None => None,
    };
    let id = match (named, request.client_id) {
        (None, None) => return Ok(None),
        (Some(named), Some(id)) if named.as_str() != id => return Err(Refusal::BadValue("client_id")),
        (Some(named), _) => named,
        (None, Some(id)) => ClientId::new(id),
    };
    authority.ports.clients.find(&id).await?.map(Some).ok_or(Refusal::AuthorizingClientUnknown)
}

fn destination<'a>(client: Option<&Client>, wanted: Option<&'a str>) -> Result<Option<&'a str>, Refusal> {
    let Some(wanted) = wanted else { return Ok(None) };
    let client = client.ok_or(Refusal::Missing("id_token_hint"))?;
    if client.post_logout_redirect_uris.iter().any(|uri| uri == wanted) {
        Ok(Some(wanted))
    } else {
        Err(Refusal::LogoutUriUnregistered)
    }
}
