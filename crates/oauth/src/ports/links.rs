//! The port for links between accounts here and people at other providers.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::model::{Link, SecretDigest, User, UserId};

/// What became of a new link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkAddition {
    /// It is there now.
    Linked,
    /// That person there has an account here already, this one or another; nothing changed.
    SubjectTaken,
    /// The account is linked to someone else at this issuer; nothing changed.
    AccountLinked,
    /// There is no such account; nothing changed.
    AccountGone,
}

/// What became of a new account with its link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// Both are there now.
    Admitted,
    /// Someone has this name; nothing changed.
    NameTaken,
    /// That person there has an account already; nothing changed.
    SubjectTaken,
}

/// What must be left when a link goes.
#[derive(Debug, Clone)]
pub enum Keep {
    /// Nothing: an operator knows why.
    Nothing,
    /// A way to sign in.
    AWayIn {
        /// Is a password one?
        by_password: bool,
        /// Links to these issuers are.
        issuers: Vec<String>,
    },
}

impl Keep {
    /// Is enough left? `issuers` are those of the links that stay.
    pub fn is_met<'a>(&self, has_password: bool, mut issuers: impl Iterator<Item = &'a str>) -> bool {
        match self {
            Self::Nothing => true,
            Self::AWayIn { by_password, issuers: known } => {
                (*by_password && has_password) || issuers.any(|issuer| known.iter().any(|known| known == issuer))
            }
        }
    }
}

/// What became of a link that was to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlinking {
    /// It is gone.
    Unlinked,
    /// It is the last way to sign in, and stays.
    LastWay,
    /// The account has no such link.
    Unknown,
}

/// Stores links, and which answers of other providers were used.
#[async_trait]
pub trait Links: Send + Sync {
    /// Adds a link. A person there has one account, and an account is linked to one person at each issuer. Of many
    /// callers, exactly one adds.
    async fn link(&self, link: &Link) -> Result<LinkAddition, StoreError>;

    /// Adds an account together with its link, in one step: neither is there without the other.
    async fn admit(&self, user: &User, link: &Link) -> Result<Admission, StoreError>;

    /// The link of a person there.
    async fn find_link(&self, issuer: &str, subject: &str) -> Result<Option<Link>, StoreError>;

    /// Those of an account, by their issuers.
    async fn links_of(&self, user: UserId) -> Result<Vec<Link>, StoreError>;

    /// Notes that someone came in by a link, and what the provider says of them now, if that is to be kept: e-mail
    /// address, name and profile.
    async fn note_link_used(&self, link: &Link, at: Timestamp, renewed: Option<&User>) -> Result<(), StoreError>;

    /// Removes a link if enough is left. Of two callers with the last two links, at most one removes its own.
    async fn unlink(&self, user: UserId, issuer: &str, subject: &str, keep: &Keep) -> Result<Unlinking, StoreError>;

    /// Takes an answer that may be used once; it is remembered until the moment at which it is too old anyway. Of many
    /// callers, exactly one hears `true`.
    async fn spend(&self, answer: &SecretDigest, until: Timestamp, now: Timestamp) -> Result<bool, StoreError>;
}
