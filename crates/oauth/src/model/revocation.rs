//! What was taken back before its time. Remembered only as long as a token it concerns could still be alive.

use jiff::Timestamp;

use super::{AccessToken, ClientId, SessionId, TokenId};

/// What a revocation covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RevocationTarget {
    /// One access token.
    Token(TokenId),
    /// Every token of a session.
    Session(SessionId),
    /// Every token of a subject that was issued up to this moment.
    Subject(String, Timestamp),
    /// Every token of a client that was issued up to this moment.
    Client(ClientId, Timestamp),
}

/// A target and how long it must be remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revocation {
    /// What is revoked.
    pub target: RevocationTarget,
    /// When the last token it concerns has expired by itself.
    pub expires_at: Timestamp,
}

impl RevocationTarget {
    /// Does it cover this token?
    pub fn covers(&self, token: &AccessToken) -> bool {
        match self {
            Self::Token(id) => token.id == *id,
            Self::Session(id) => token.session == Some(*id),
            Self::Subject(subject, moment) => token.subject == *subject && token.issued_at <= *moment,
            Self::Client(client, moment) => token.client == *client && token.issued_at <= *moment,
        }
    }
}
