//! Why nobody came in through another provider: one variant for each rule. Pages choose the words.

use std::time::Duration;

use crate::accounts::SignInRefusal;
use crate::keys::KeyError;
use crate::ports::{CallFailed, StoreError};

/// A broken rule.
#[derive(Debug, thiserror::Error)]
pub enum UpstreamRefusal {
    /// There is no such provider.
    #[error("no such provider")]
    ProviderUnknown,
    /// Too many mistakes from there; this long to wait.
    #[error("too many mistakes")]
    Throttled(Duration),
    /// Nobody began this here, or too long ago, or it was finished before, or in another browser.
    #[error("nothing of the kind was begun in this browser, or it was finished before")]
    NotPending,
    /// The person said no there.
    #[error("denied at the provider")]
    Denied,
    /// The provider answered with an error; the word is one of a protocol.
    #[error("the provider answered with the error {0}")]
    Failed(String),
    /// The provider cannot be reached.
    #[error("the provider cannot be used: {0}")]
    Unreachable(#[from] CallFailed),
    /// What the provider said cannot be believed.
    #[error("the answer is not believed: {0}")]
    Untrusted(&'static str),
    /// The person was to sign in anew there, and did not.
    #[error("the sign-in at the provider is not as fresh as the app wants it")]
    NotFresh,
    /// Nobody here belongs to that person, and nobody may be made.
    #[error("no account: {0}")]
    NoAccount(&'static str),
    /// The account could not be signed in to.
    #[error(transparent)]
    SignIn(#[from] SignInRefusal),
    /// Something could not be sealed.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The store did not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl UpstreamRefusal {
    /// Does it look like someone who tries things out? Those who do wait longer each time.
    pub(super) fn is_mistake(&self) -> bool {
        matches!(self, Self::NotPending | Self::Failed(_) | Self::Untrusted(_) | Self::NoAccount(_))
    }
}

/// A word of a protocol that a stranger sent, if it is one: nothing else goes into a log.
pub(super) fn protocol_word(text: &str) -> String {
    let is_word = (1..=40).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if is_word { text.to_owned() } else { "other".to_owned() }
}
