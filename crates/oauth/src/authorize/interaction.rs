//! An authorization request that was found sound, on its way through the pages.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::keys::{KeyError, SealPurpose};
use crate::model::ClientId;
use crate::moment::later;
use crate::protocol::{Challenge, Prompt, ResponseMode, Scope};
use crate::tokens::seal::{self, Passing};
use crate::{Authority, Refusal};

/// A person has this long for sign-in and consent.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30 * 60);

/// What the app asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Interaction {
    /// The app.
    pub client: ClientId,
    /// Where the answer goes: a registered value.
    pub redirect_uri: String,
    /// Could another program on the machine get the answer just as well (RFC 8252 §8.6)? Then a person is asked each time.
    #[serde(default)]
    pub is_anyones: bool,
    /// How it goes there.
    pub mode: ResponseMode,
    /// Returned unchanged.
    pub state: Option<String>,
    /// What it wants to be allowed.
    pub scope: Scope,
    /// Scopes that open the claims it asks for one by one; not granted, and asked about all the same.
    #[serde(default)]
    pub implied: Scope,
    /// The proof that it must bring with the code.
    pub challenge: Challenge,
    /// Returned in the id_token.
    pub nonce: Option<String>,
    /// What the user is to be asked.
    pub prompt: Vec<Prompt>,
    /// How old a sign-in may be, in seconds.
    pub max_age: Option<u64>,
    /// Whom the app expects.
    pub login_hint: Option<String>,
    /// The subject that an `id_token_hint` named.
    pub hinted: Option<String>,
    /// Languages the app asks for.
    pub ui_locales: Option<String>,
    /// Claims asked for one by one, as JSON.
    pub claims: Option<String>,
    /// The API it wants to call.
    pub resource: Option<String>,
    /// When the request came, in milliseconds since 1970.
    pub asked_at: Timestamp,
}

impl Passing for Interaction {
    fn made_at(&self) -> Option<Timestamp> {
        Some(self.asked_at)
    }
}

impl Interaction {
    /// Seals it for a hidden field or a query.
    pub fn seal(&self, authority: &Authority) -> Result<String, KeyError> {
        seal::value(authority, SealPurpose::Interaction, self)
    }

    /// Opens it again, unless the person took too long.
    pub fn open(authority: &Authority, text: &str) -> Result<Self, Refusal> {
        let opened: Self =
            seal::open_value(authority, SealPurpose::Interaction, text).ok_or(Refusal::InteractionExpired)?;
        if later(opened.asked_at, PATIENCE) <= authority.now() {
            return Err(Refusal::InteractionExpired);
        }
        Ok(opened)
    }

    /// All that a person is asked about.
    pub fn asked(&self) -> Scope {
        Scope::parse(&format!("{} {}", self.scope, self.implied)).unwrap_or_else(|_| self.scope.clone())
    }

    /// Is this to be asked?
    pub fn asks(&self, prompt: Prompt) -> bool {
        self.prompt.contains(&prompt)
    }
}
