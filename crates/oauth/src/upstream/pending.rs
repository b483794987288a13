//! A sign-in that waits for another provider: sealed, and carried by the browser that began it.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Authority;
use crate::accounts::{Browser, Carried};
use crate::keys::{KeyError, SealPurpose};
use crate::model::{Secret, SecretDigest};
use crate::moment::later;
use crate::tokens::seal::{self, Passing};

/// A person has this long at the provider.
pub(super) const PATIENCE: Duration = Duration::from_secs(20 * 60);
/// What a browser carries begins with this.
pub(super) const NAME: &str = "sign_on_";
/// So many characters of the state tell one from another.
const MARK: usize = 10;
/// What is longer travels in the state instead. Browsers keep 4096 bytes, and several may wait at once.
const LONGEST: usize = 2600;
/// So many wait in one browser at most; the oldest go.
const MOST: usize = 4;

/// What must be known when the browser comes back.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Pending {
    /// Digest of the state.
    state: String,
    /// Digest of what the browser is known by.
    browser: String,
    /// Which provider: an answer of another one is none.
    pub provider: String,
    pub nonce: String,
    pub verifier: String,
    /// What to go on with afterwards; empty if the state has it.
    request: String,
    pub next: String,
    /// Was the person to sign in anew?
    pub anew: bool,
    /// Does the app count on it, so that the provider must say when?
    #[serde(default)]
    pub is_counted_on: bool,
    /// How old their sign-in may be, in seconds.
    pub max_age: Option<u64>,
    pub began_at: Timestamp,
}

impl Passing for Pending {
    fn made_at(&self) -> Option<Timestamp> {
        Some(self.began_at)
    }
}

/// What is to be remembered beside the secrets.
pub(super) struct Errand<'a> {
    pub provider: &'a str,
    pub request: &'a str,
    pub next: &'a str,
    pub anew: bool,
    pub is_counted_on: bool,
    pub max_age: Option<u64>,
}

/// Begins: answers what to remember, the state for the provider, and what the browser has to carry.
pub(super) fn begin(
    authority: &Authority,
    browser: &Browser,
    errand: &Errand<'_>,
) -> Result<(Pending, String, Carried), KeyError> {
    let fresh = || Secret::generate("", &*authority.random).expose().to_owned();
    let mut state = fresh();
    let mut pending = Pending {
        state: digest(&state),
        browser: digest(&browser.key),
        provider: errand.provider.to_owned(),
        nonce: fresh(),
        verifier: fresh(),
        request: errand.request.to_owned(),
        next: errand.next.to_owned(),
        anew: errand.anew,
        is_counted_on: errand.is_counted_on,
        max_age: errand.max_age,
        began_at: authority.now(),
    };
    let mut value = seal::value(authority, SealPurpose::Upstream, &pending)?;
    if value.len() > LONGEST {
        // The request is sealed itself and was in an address before: the provider may see it.
        state = format!("{state}.{}", std::mem::take(&mut pending.request));
        pending.state = digest(&state);
        value = seal::value(authority, SealPurpose::Upstream, &pending)?;
    }
    let carried = Carried { name: name(&state), value };
    Ok((pending, state, carried))
}

/// Finds what was begun under this state, in this browser, not too long ago. Answers it with its request.
pub(super) fn find(authority: &Authority, browser: &Browser, state: &str) -> Option<(Pending, String)> {
    let name = name(state);
    let carried = browser.carried.iter().find(|carried| carried.name == name)?;
    let pending: Pending = seal::open_value(authority, SealPurpose::Upstream, &carried.value)?;
    let is_own = is(&pending.state, state) && is(&pending.browser, &browser.key);
    let is_timely = authority.now() < later(pending.began_at, PATIENCE);
    let request = match state.split_once('.') {
        Some((_, request)) => request.to_owned(),
        None => pending.request.clone(),
    };
    (is_own && is_timely).then_some((pending, request))
}

/// What a browser carries under this state. Nothing but letters and digits of ours, whatever the state is.
pub(super) fn name(state: &str) -> String {
    let mark: String = state.chars().take_while(char::is_ascii_alphanumeric).take(MARK).collect();
    format!("{NAME}{mark}")
}

/// Which of those that wait must go, so that another fits. Browsers send the oldest first.
pub(super) fn crowd(browser: &Browser) -> Vec<String> {
    let waiting: Vec<_> = browser.carried.iter().filter(|carried| carried.name.starts_with(NAME)).collect();
    let excess = (waiting.len() + 1).saturating_sub(MOST);
    waiting.into_iter().take(excess).map(|carried| carried.name.clone()).collect()
}

fn digest(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(SecretDigest::of(text).as_bytes())
}

/// In constant time.
fn is(digest: &str, text: &str) -> bool {
    let known = URL_SAFE_NO_PAD.decode(digest).ok().and_then(|bytes| SecretDigest::from_bytes(&bytes));
    known.is_some_and(|known| known.matches(&SecretDigest::of(text)))
}
