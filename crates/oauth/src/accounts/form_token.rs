//! Form tokens: a form is only taken from a page of ours, in the browser that the page was shown to.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Authority;
use crate::keys::{KeyError, SealPurpose};
use crate::model::SecretDigest;
use crate::moment::later;
use crate::tokens::seal::{self, Passing};

/// A page may stay open over lunch.
const LIFE: Duration = Duration::from_secs(2 * 60 * 60);

#[derive(Serialize, Deserialize)]
struct FormToken {
    browser: Vec<u8>,
    made_at: Timestamp,
}

impl Passing for FormToken {
    fn made_at(&self) -> Option<Timestamp> {
        Some(self.made_at)
    }
}

/// Makes a token for the browser that holds this cookie.
pub fn form_token(authority: &Authority, browser: &str) -> Result<String, KeyError> {
    let browser = SecretDigest::of(browser).as_bytes().to_vec();
    seal::value(authority, SealPurpose::FormToken, &FormToken { browser, made_at: authority.now() })
}

/// Was this token made for the browser that holds this cookie, not too long ago?
pub fn is_form_token(authority: &Authority, browser: &str, token: &str) -> bool {
    let Some(token) = seal::open_value::<FormToken>(authority, SealPurpose::FormToken, token) else { return false };
    let own = SecretDigest::from_bytes(&token.browser).is_some_and(|digest| digest.matches(&SecretDigest::of(browser)));
    own && later(token.made_at, LIFE) > authority.now()
}
