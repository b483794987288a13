//! Scopes in plain words. Owns the words of the scopes that OpenID Connect names; the others bring their own.

use crate::Language;

/// A permission, as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeRow {
    /// The scope value, such as `orders:read`.
    pub name: String,
    /// What it allows, in the words of the API. Not used for the scopes of OpenID Connect, whose words are translated.
    pub description: String,
    /// Whether the client did not have it before.
    pub is_new: bool,
    /// Whether it deserves a second look.
    pub is_sensitive: bool,
}

impl ScopeRow {
    /// A scope that is neither new nor sensitive.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self { name: name.into(), description: description.into(), is_new: false, is_sensitive: false }
    }

    /// What the scope allows.
    pub fn text(&self, language: Language) -> String {
        match self.name.as_str() {
            "openid" => language.say("scope-openid"),
            "profile" => language.say("scope-profile"),
            "email" => language.say("scope-email"),
            "address" => language.say("scope-address"),
            "phone" => language.say("scope-phone"),
            "offline_access" => language.say("scope-offline_access"),
            name if self.description.trim().is_empty() => language.fill("scope-unknown", &[("scope", name)]),
            _ => self.description.clone(),
        }
    }

    /// Whether the name stands beside the text: for scopes of the API, whose names their documentation uses.
    pub fn shows_name(&self) -> bool {
        let standard = ["openid", "profile", "email", "address", "phone", "offline_access"];
        !standard.contains(&self.name.as_str()) && !self.description.trim().is_empty()
    }

    pub(crate) fn samples() -> Vec<Self> {
        vec![
            Self::new("openid", ""),
            Self::new("profile", ""),
            Self::new("orders:read", "See your orders and what they contain"),
            Self { is_new: true, is_sensitive: true, ..Self::new("payments:write", "Pay and refund orders for you") },
            Self { is_new: true, ..Self::new("offline_access", "") },
        ]
    }
}
