//! Deliveries: messages on their way to a server that is not ours. They wait in the store until someone took them.

use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

/// Names a message. Stays the same over all attempts, so that its receiver can tell a repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeliveryId(pub Uuid);

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// What a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryKind {
    /// An alert for the operator's own systems.
    Webhook,
    /// A logout token for a client (OpenID Connect Back-Channel Logout).
    LogoutToken,
}

impl DeliveryKind {
    /// Each one.
    pub const ALL: [Self; 2] = [Self::Webhook, Self::LogoutToken];

    /// The word in the store, the log and the metrics.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::LogoutToken => "logout_token",
        }
    }

    /// Reads the word in the store.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A message that is to be posted to a URL.
#[derive(Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its name.
    pub id: DeliveryId,
    /// What it is.
    pub kind: DeliveryKind,
    /// Where it goes.
    pub url: String,
    /// The media type of what is sent.
    pub content_type: String,
    /// What is sent; of a logout token, what it is made of, sealed.
    pub body: Vec<u8>,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it is to be sent next.
    pub due_at: Timestamp,
    /// How often it was handed out for sending.
    pub attempts: u32,
    /// When nobody needs it any more.
    pub expires_at: Timestamp,
}

impl fmt::Debug for Delivery {
    /// The body may be a token and the URL may carry one, so neither is shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery")
            .field("id", &self.id)
            .field("kind", &self.kind)
            .field("due_at", &self.due_at)
            .field("attempts", &self.attempts)
            .finish_non_exhaustive()
    }
}
