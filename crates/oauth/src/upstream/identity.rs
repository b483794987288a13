//! What a provider says of a person, as attributes of an account.

use serde_json::{Map, Value};

use super::Provider;
use super::id_token::Claims;
use crate::accounts::is_email;
use crate::model::{User, VOUCHED_BY};

/// Longer values are not taken over.
const LONGEST: usize = 1024;

/// A person there.
#[derive(Debug, Clone)]
pub(super) struct Identity {
    /// Their `sub`.
    pub subject: String,
    /// What they are called at sign-in there.
    pub username: Option<String>,
    /// Their address, if it is one.
    pub email: Option<String>,
    /// Did the provider verify the address? The truth value counts, and no text that looks like it.
    pub email_verified: bool,
    /// Their full name.
    pub name: Option<String>,
    /// Other attributes, by our names.
    pub profile: Map<String, Value>,
}

impl Identity {
    /// Reads the claims by the provider's mapping.
    pub(super) fn read(provider: &Provider, subject: &str, claims: &Claims) -> Self {
        let given = |attribute: &str| text(claims, provider.claim_for(attribute)?);
        let email = given("email").filter(|email| is_email(email));
        // It speaks of the claim `email`: an address from elsewhere was verified by nobody.
        let is_verified =
            provider.claim_for("email") == Some("email") && claims.get("email_verified") == Some(&true.into());
        let mut profile = Map::new();
        for attribute in provider.attributes().filter(|name| !["username", "name", "email"].contains(name)) {
            if let Some(value) = given(attribute) {
                profile.insert(attribute.to_owned(), value.into());
            }
        }
        let email_verified = is_verified && email.is_some();
        if email.is_some() {
            profile.insert("email_verified".to_owned(), email_verified.into());
            profile.insert(VOUCHED_BY.to_owned(), provider.issuer.as_str().into());
        }
        Self {
            subject: subject.to_owned(),
            username: given("username"),
            email,
            email_verified,
            name: given("name"),
            profile,
        }
    }

    /// The address, if the provider has verified it.
    pub(super) fn verified_email(&self) -> Option<&str> {
        self.email.as_deref().filter(|_| self.email_verified)
    }

    /// The account with what the provider says today; what it does not say stays. So does the address, unless the new one
    /// may be `taken`.
    pub(super) fn renew(&self, user: &User, taken: bool) -> User {
        let mut renewed = user.clone();
        if taken && self.email.is_some() {
            renewed.email.clone_from(&self.email);
        }
        if self.name.is_some() {
            renewed.name.clone_from(&self.name);
        }
        renewed.profile.extend(self.profile.clone());
        // The same address as before: whoever vouched for it still does.
        if !taken || self.email.is_none() || self.email == user.email {
            for name in ["email_verified", VOUCHED_BY] {
                match user.profile.get(name) {
                    Some(before) => _ = renewed.profile.insert(name.to_owned(), before.clone()),
                    None => _ = renewed.profile.remove(name),
                }
            }
        }
        renewed
    }
}

fn text(claims: &Claims, name: &str) -> Option<String> {
    let value = claims.get(name)?.as_str()?.trim();
    let is_sound = !value.is_empty() && value.len() <= LONGEST && !value.chars().any(char::is_control);
    is_sound.then(|| value.to_owned())
}

#[cfg(test)]
mod tests;
