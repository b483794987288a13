//! What a provider says of itself (OpenID Connect Discovery): read, and believed only where it may be.

use serde::Deserialize;

use super::UpstreamRefusal;

/// The parts of the document that matter here.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Metadata {
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    pub jwks_uri: String,
    #[serde(default)]
    pub userinfo_endpoint: Option<String>,
    #[serde(default)]
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    #[serde(default)]
    response_types_supported: Option<Vec<String>>,
    #[serde(default)]
    prompt_values_supported: Option<Vec<String>>,
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
    #[serde(default)]
    pub claims_parameter_supported: bool,
}

/// Where the document of an issuer is.
pub(super) fn address(issuer: &str) -> String {
    format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'))
}

impl Metadata {
    /// Reads the document of this issuer.
    pub(super) fn read(issuer: &str, document: &[u8]) -> Result<Self, UpstreamRefusal> {
        let untrusted = |why| Err(UpstreamRefusal::Untrusted(why));
        let Ok(metadata) = serde_json::from_slice::<Self>(document) else {
            return untrusted("its discovery document is incomplete or no JSON");
        };
        // Discovery §4.3: exactly the one that was asked for, or someone speaks for someone else.
        if metadata.issuer != issuer {
            return untrusted("its discovery document names another issuer");
        }
        let mut endpoints = vec![&metadata.authorization_endpoint, &metadata.token_endpoint, &metadata.jwks_uri];
        endpoints.extend(&metadata.userinfo_endpoint);
        if !endpoints.into_iter().all(|endpoint| is_sound(issuer, endpoint)) {
            return untrusted("its discovery document names an endpoint that is not HTTPS");
        }
        if metadata.response_types_supported.as_ref().is_some_and(|types| !types.iter().any(|known| known == "code")) {
            return untrusted("it does not offer the code flow");
        }
        Ok(metadata)
    }

    /// What to ask for where someone is to choose an account, and to prove that it is theirs: with a choice where there is
    /// one to be had.
    pub(super) fn choice(&self) -> &'static str {
        let offered = self.prompt_values_supported.as_deref();
        let is_offered = offered.is_none_or(|words| words.iter().any(|word| word == "select_account"));
        if is_offered { "login select_account" } else { "login" }
    }

    /// Does the secret go into the header? That is the default, and the form is for those who say that they want it.
    pub(super) fn takes_basic(&self) -> bool {
        let methods = self.token_endpoint_auth_methods_supported.as_deref().unwrap_or_default();
        methods.is_empty() || methods.iter().any(|method| method == "client_secret_basic")
    }
}

/// HTTPS, or the plain HTTP of an issuer that is plain itself; and never with a fragment.
fn is_sound(issuer: &str, endpoint: &str) -> bool {
    let is_secure = endpoint.starts_with("https://");
    let is_plain = issuer.starts_with("http://") && endpoint.starts_with("http://");
    (is_secure || is_plain) && !endpoint.contains(['#', ' ', '\r', '\n'])
}

#[cfg(test)]
mod tests;
