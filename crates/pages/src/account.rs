//! The page where a person looks after their account: apps, sign-ins, alerts, password. Shows rows that others have read.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;

use crate::{Brand, Language, ScopeRow, respond, view::spoken};

mod samples;

/// The account. Its forms post `csrf` to `/account` with one of: `withdraw` (a client id), `end_session` (the id of a
/// session of an app), `unlink` (an issuer), `end` (the id of a sign-in), `end_all`, or `change_password` beside `current_password`, `new_password` and `new_password_again`.
#[derive(Debug, Clone, Template)]
#[template(path = "account.html")]
pub struct AccountPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// Comes back as `csrf`.
    pub csrf: String,
    /// Whose account it is.
    pub username: String,
    /// What has just been done.
    pub notice: Option<AccountNotice>,
    /// What the person should know, such as a stolen token; newest first.
    pub alerts: Vec<AlertRow>,
    /// The clients that have access.
    pub apps: Vec<AppRow>,
    /// Other providers through which the person can sign in.
    pub links: Vec<LinkedRow>,
    /// Can the person sign in with a password?
    pub has_password: bool,
    /// The browsers in which the person is signed in.
    pub sign_ins: Vec<SignInRow>,
    /// Are there more than are shown?
    pub has_more_sign_ins: bool,
    /// Why the password was not changed.
    pub password_fault: Option<PasswordFault>,
    /// How many characters a password has at least.
    pub least_password: u64,
}

/// A client that has access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppRow {
    /// What it is called.
    pub client_name: String,
    /// Comes back as `withdraw`.
    pub client_id: String,
    /// What it may do.
    pub scopes: Vec<ScopeRow>,
    /// When access was first given.
    pub since: Timestamp,
    /// Where it is in use.
    pub sessions: Vec<SessionRow>,
}

/// A place where a client is in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Comes back as `end_session`.
    pub id: String,
    /// What kind of browser or device it was allowed in, in a few words.
    pub agent: String,
    /// The address it was allowed from.
    pub address: String,
    /// When it was allowed.
    pub since: Timestamp,
    /// When the client last renewed its access.
    pub last_used: Timestamp,
}

/// Another provider through which the person can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedRow {
    /// Comes back as `unlink`.
    pub issuer: String,
    /// What it is called.
    pub name: String,
    /// Since when.
    pub since: Timestamp,
    /// When it was last used.
    pub last_used: Option<Timestamp>,
}

/// A browser in which the person is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInRow {
    /// Comes back as `end`.
    pub id: String,
    /// What kind of browser it is, in a few words.
    pub agent: String,
    /// The address it came from.
    pub address: String,
    /// When the person signed in.
    pub since: Timestamp,
    /// When it was last seen.
    pub last_used: Timestamp,
    /// Whether it is the one that shows this page.
    pub current: bool,
}

/// Something the person should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertRow {
    /// When it happened.
    pub when: Timestamp,
    /// What happened, and what to do.
    pub text: String,
}

/// What has just been done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountNotice {
    /// The password is another.
    PasswordChanged,
    /// A client lost its access.
    Withdrawn,
    /// One session of a client ended.
    SessionEnded,
    /// One sign-in ended.
    Ended,
    /// All other sign-ins ended.
    EndedAll,
    /// A provider is linked no more.
    Unlinked,
    /// Nothing: it was the last way to sign in.
    LastWay,
    /// Nothing: the form was older than its token.
    Expired,
}

/// Why a password was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordFault {
    /// The current password is another.
    Wrong,
    /// The two new ones differ.
    Differ,
    /// Too short, or known to be guessed.
    Weak,
    /// Too many attempts.
    Throttled {
        /// How long to wait.
        seconds: u64,
    },
}

impl AccountPage {
    fn notice_text(&self) -> Option<String> {
        Some(self.language.say(match self.notice? {
            AccountNotice::PasswordChanged => "account-notice-password",
            AccountNotice::Withdrawn => "account-notice-withdrawn",
            AccountNotice::SessionEnded => "account-notice-session-ended",
            AccountNotice::Ended => "account-notice-ended",
            AccountNotice::EndedAll => "account-notice-ended-all",
            AccountNotice::Unlinked => "account-notice-unlinked",
            AccountNotice::LastWay => "account-notice-last-way",
            AccountNotice::Expired => "account-notice-expired",
        }))
    }

    /// Was nothing done?
    fn is_refused(&self) -> bool {
        matches!(self.notice, Some(AccountNotice::Expired | AccountNotice::LastWay))
    }

    /// The fault of the current password, which stands under its field.
    fn current_fault(&self) -> Option<String> {
        match self.password_fault? {
            PasswordFault::Wrong => Some(self.language.say("account-password-wrong")),
            PasswordFault::Throttled { seconds } => {
                Some(self.language.fill("sign-in-throttled", &[("wait", &self.language.wait(seconds))]))
            }
            PasswordFault::Differ | PasswordFault::Weak => None,
        }
    }

    fn weak_fault(&self) -> Option<String> {
        (self.password_fault == Some(PasswordFault::Weak)).then(|| self.language.say("account-password-weak"))
    }

    fn differ_fault(&self) -> Option<String> {
        (self.password_fault == Some(PasswordFault::Differ)).then(|| self.language.say("account-password-differ"))
    }

    fn has_others(&self) -> bool {
        self.sign_ins.iter().any(|sign_in| !sign_in.current)
    }
}

/// Answers with the account. What was refused has status 400, or 429 after too many attempts.
pub fn page(view: &AccountPage) -> Response {
    match view.password_fault {
        Some(PasswordFault::Throttled { seconds }) => {
            respond::asking_to_wait(respond::html(StatusCode::TOO_MANY_REQUESTS, view), seconds)
        }
        Some(PasswordFault::Wrong | PasswordFault::Differ | PasswordFault::Weak) => {
            respond::html(StatusCode::BAD_REQUEST, view)
        }
        None if view.is_refused() => respond::html(StatusCode::BAD_REQUEST, view),
        None => respond::html(StatusCode::OK, view),
    }
}

spoken!(AccountPage);
