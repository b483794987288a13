//! What goes back to the app, and how.

use super::Interaction;
use crate::Authority;
use crate::protocol::{ErrorCode, ResponseMode};

/// Parameters for the redirect URI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationResponse {
    /// The registered URI.
    pub redirect_uri: String,
    /// How they travel.
    pub mode: ResponseMode,
    /// The parameters, in order: `code` or `error`, then `state` and `iss`.
    pub parameters: Vec<(&'static str, String)>,
}

impl AuthorizationResponse {
    pub(super) fn code(authority: &Authority, interaction: &Interaction, code: String) -> Self {
        Self::new(authority, interaction, vec![("code", code)])
    }

    /// An error; the wire decides its word and sentence.
    pub(super) fn error(authority: &Authority, interaction: &Interaction) -> Self {
        Self::new(authority, interaction, Vec::new())
    }

    pub(super) fn bare(authority: &Authority, redirect_uri: &str, mode: ResponseMode, state: Option<&str>) -> Self {
        let mut response = Self { redirect_uri: redirect_uri.to_owned(), mode, parameters: Vec::new() };
        response.sign(authority, state);
        response
    }

    fn new(authority: &Authority, interaction: &Interaction, parameters: Vec<(&'static str, String)>) -> Self {
        let mut response = Self { redirect_uri: interaction.redirect_uri.clone(), mode: interaction.mode, parameters };
        response.sign(authority, interaction.state.as_deref());
        response
    }

    /// `state` unchanged, and `iss`: who speaks (RFC 9207).
    fn sign(&mut self, authority: &Authority, state: Option<&str>) {
        self.parameters.extend(state.map(|state| ("state", state.to_owned())));
        self.parameters.push(("iss", authority.policy.issuer.clone()));
    }

    /// Puts an error in front.
    #[must_use]
    pub fn with_error(mut self, code: ErrorCode, description: &str) -> Self {
        let front = [("error", code.as_str().to_owned()), ("error_description", description.to_owned())];
        self.parameters.splice(0..0, front);
        self
    }
}
