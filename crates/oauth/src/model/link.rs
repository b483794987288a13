//! Links: which account is whose at another provider. A pair of issuer and subject is one person, for ever.

use jiff::Timestamp;

use super::UserId;

/// An account here and a person at another provider, who are the same.
///
/// The issuer stands here and no name from the settings: a provider that is renamed keeps its links, and a name that is
/// given to another issuer brings none along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The account here.
    pub user: UserId,
    /// The provider, by its `iss`.
    pub issuer: String,
    /// The person there, by their `sub`.
    pub subject: String,
    /// Who made it.
    pub maker: LinkMaker,
    /// When it was made.
    pub made_at: Timestamp,
    /// When someone last came in by it.
    pub used_at: Option<Timestamp>,
}

/// Who made a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkMaker {
    /// The first sign-in: both sides had verified the same e-mail address.
    Email,
    /// The first sign-in, which made the account too.
    Account,
    /// An operator.
    Operator,
}

impl LinkMaker {
    /// The word in the store, the log and commands.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Account => "account",
            Self::Operator => "operator",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Email, Self::Account, Self::Operator].into_iter().find(|maker| maker.as_str() == word)
    }
}
