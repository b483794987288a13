//! What can go wrong for a person, in words of their language. Knows statuses, and nothing of OAuth.

use http::StatusCode;

use crate::Language;

/// What went wrong, as far as it makes a difference to what a person does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// An app sent its user with a request that cannot be answered, nor sent back.
    App,
    /// A sign-out that cannot go on: the page is old, or the app asked in a wrong way.
    SignOut,
    /// A page that was open for too long, or of someone else.
    Expired,
    /// A request that makes no sense.
    Unreadable,
    /// No page has this address.
    NotFound,
    /// The page exists, but not for this method.
    Method,
    /// The body, the address or the headers are too long.
    TooLarge,
    /// Too many requests in a short time.
    TooMany,
    /// The server failed; the reason stays in the log.
    Internal,
    /// The server, or what it needs, is away for a moment.
    Unavailable,
}

impl Trouble {
    /// What a status says by itself.
    pub fn of_status(status: StatusCode) -> Self {
        match status.as_u16() {
            404 | 410 => Self::NotFound,
            405 => Self::Method,
            413 | 414 | 431 => Self::TooLarge,
            429 => Self::TooMany,
            502..=504 => Self::Unavailable,
            500.. => Self::Internal,
            _ => Self::Unreadable,
        }
    }

    /// A few words.
    pub(super) fn title(self, language: Language) -> String {
        language.say(match self {
            Self::App => "error-app-title",
            Self::SignOut => "error-sign-out-title",
            Self::Expired => "error-expired-title",
            Self::Unreadable => "error-unreadable-title",
            Self::NotFound => "error-not-found-title",
            Self::Method => "error-method-title",
            Self::TooLarge => "error-too-large-title",
            Self::TooMany => "error-too-many-title",
            Self::Internal => "error-internal-title",
            Self::Unavailable => "error-unavailable-title",
        })
    }

    /// What it means and what to do next.
    pub(super) fn text(self, language: Language) -> String {
        language.say(match self {
            Self::App => "error-app-text",
            Self::SignOut => "error-sign-out-text",
            Self::Expired => "error-expired-text",
            Self::Unreadable => "error-unreadable-text",
            Self::NotFound => "error-not-found-text",
            Self::Method => "error-method-text",
            Self::TooLarge => "error-too-large-text",
            Self::TooMany => "error-too-many-text",
            Self::Internal => "error-internal-text",
            Self::Unavailable => "error-unavailable-text",
        })
    }
}
