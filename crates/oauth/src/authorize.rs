//! The authorization endpoint's first question: is the request sound, and whom may an error be told?
//!
//! Until the client and its redirect URI are known to belong together, nothing is ever sent to that URI.

use crate::model::ClientId;
use crate::{Authority, Refusal};

/// What the browser brought. Empty parameters are absent.
#[derive(Debug, Default)]
pub struct AuthorizationRequest<'a> {
    /// Which app sends the user.
    pub client_id: Option<&'a str>,
    /// Where the app wants the answer.
    pub redirect_uri: Option<&'a str>,
    /// What the app wants: a code, and nothing else is offered.
    pub response_type: Option<&'a str>,
    /// Returned unchanged.
    pub state: Option<&'a str>,
}

/// Where a refused request ends.
#[derive(Debug)]
pub enum Verdict {
    /// On a page: the redirect URI cannot be trusted.
    Page(Refusal),
    /// Back at the app, with `error`, `state` and `iss`.
    Redirect {
        /// The registered URI.
        redirect_uri: String,
        /// Which rule was broken.
        refusal: Refusal,
    },
}

/// Response types that work. Metadata advertises exactly these.
pub const RESPONSE_TYPES: [&str; 0] = [];

/// Judges a request.
pub async fn judge(authority: &Authority, request: &AuthorizationRequest<'_>) -> Verdict {
    match destination(authority, request).await {
        Err(refusal) => Verdict::Page(refusal),
        Ok(redirect_uri) => {
            let refusal = match request.response_type {
                None => Refusal::Missing("response_type"),
                Some(_) => Refusal::ResponseTypeUnsupported,
            };
            Verdict::Redirect { redirect_uri, refusal }
        }
    }
}

/// The redirect URI, once it equals a registered one byte for byte. Prefixes never count.
async fn destination(authority: &Authority, request: &AuthorizationRequest<'_>) -> Result<String, Refusal> {
    let id = ClientId::new(request.client_id.ok_or(Refusal::Missing("client_id"))?);
    let wanted = request.redirect_uri.ok_or(Refusal::Missing("redirect_uri"))?;
    let client = authority.ports.clients.find(&id).await?.ok_or(Refusal::AuthorizingClientUnknown)?;
    let registered = client.redirect_uris.iter().find(|uri| *uri == wanted);
    registered.cloned().ok_or(Refusal::RedirectUriUnregistered)
}
