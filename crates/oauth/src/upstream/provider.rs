//! A provider, as the operator set it up.

use crate::model::Secret;
use crate::openid::SUPPORTED;

/// Whose accounts people may come in to without an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linking {
    /// The account with the e-mail address that both sides have verified.
    VerifiedEmail,
    /// None: operators make the links.
    Admin,
}

/// Which claim of the provider becomes which attribute of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimMapping {
    /// `username`, `name`, `email` or another claim of ours.
    pub attribute: String,
    /// The claim there; empty for none.
    pub claim: String,
}

impl ClaimMapping {
    /// What is not a matter of taste: who someone is, and what was verified.
    const FIXED: [&'static str; 5] =
        ["sub", "preferred_username", "updated_at", "email_verified", "phone_number_verified"];

    /// Is there such an attribute, and may it be set?
    pub fn knows(attribute: &str) -> bool {
        attribute == "username" || (SUPPORTED.contains(&attribute) && !Self::FIXED.contains(&attribute))
    }
}

/// What a new account takes over where nothing else is said; the claims have the same names there, but for the first.
const USUAL: [&str; 9] =
    ["username", "name", "email", "given_name", "family_name", "nickname", "picture", "locale", "zoneinfo"];

/// Another OpenID Connect provider.
#[derive(Debug, Clone)]
pub struct Provider {
    /// A short name, for addresses and commands.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Its `iss`, compared byte for byte.
    pub issuer: String,
    /// What it calls this server.
    pub client_id: String,
    /// What this server proves itself with there; a public client has none.
    pub secret: Option<Secret>,
    /// What is asked for, with spaces between.
    pub scopes: String,
    /// Who may come in to an account that is there.
    pub linking: Linking,
    /// May a first sign-in make an account?
    pub makes_accounts: bool,
    /// Only verified addresses of these domains link or make accounts; empty for any.
    pub domains: Vec<String>,
    /// What differs from the usual mapping.
    pub claims: Vec<ClaimMapping>,
    /// Do name, address and the like follow the provider at each sign-in?
    pub renews_claims: bool,
}

impl Provider {
    /// The claim there that becomes this attribute here.
    pub(super) fn claim_for<'a>(&'a self, attribute: &'a str) -> Option<&'a str> {
        let usual = match attribute {
            "username" => Some("preferred_username"),
            other => USUAL.contains(&other).then_some(other),
        };
        let own = self.claims.iter().find(|mapping| mapping.attribute == attribute);
        own.map_or(usual, |mapping| Some(mapping.claim.as_str())).filter(|claim| !claim.is_empty())
    }

    /// Every attribute that is taken over.
    pub(super) fn attributes(&self) -> impl Iterator<Item = &str> {
        let own = self.claims.iter().map(|mapping| mapping.attribute.as_str());
        USUAL.into_iter().chain(own.filter(|attribute| !USUAL.contains(attribute)))
    }

    /// Is this an address of a domain that may come in by itself?
    pub(super) fn welcomes(&self, email: Option<&str>) -> bool {
        let domain = email.and_then(|email| email.rsplit_once('@')).map(|(_, domain)| domain);
        self.domains.is_empty()
            || domain.is_some_and(|domain| self.domains.iter().any(|known| known.eq_ignore_ascii_case(domain)))
    }
}

#[cfg(test)]
mod tests;
