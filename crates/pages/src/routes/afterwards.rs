//! What a person goes on with after signing in. A few words of ours and no address, so that no link leads elsewhere.

use valetkey_oauth::authorize::Interaction;
use valetkey_oauth::devices;
use valetkey_oauth::model::UserCode;
use valetkey_oauth::{Authority, Refusal};

use super::with_request;

const DEVICE: &str = "device";
const ACCOUNT: &str = "account";

/// What comes after a sign-in.
pub(super) enum Afterwards {
    /// Nothing in particular.
    Nothing,
    /// The request of an app, as it was sealed and as it was read.
    Request(String, Box<Interaction>),
    /// A device, with its code if it is known.
    Device(Option<UserCode>),
    /// The account.
    Account,
}

impl Afterwards {
    /// Reads the two fields in which it travels. What is not understood is nothing.
    pub(super) fn read(authority: &Authority, request: &str, next: &str) -> Result<Self, Refusal> {
        if !request.is_empty() {
            let interaction = Interaction::open(authority, request)?;
            return Ok(Self::Request(request.to_owned(), Box::new(interaction)));
        }
        Ok(match next.split_once(' ').unwrap_or((next, "")) {
            (ACCOUNT, _) => Self::Account,
            (DEVICE, code) => Self::Device(UserCode::parse(code)),
            _ => Self::Nothing,
        })
    }

    /// The device whose code someone typed or was sent, if it is a code at all.
    pub(super) fn device(typed: &str) -> Self {
        Self::Device(UserCode::parse(typed))
    }

    /// The request of an app.
    pub(super) fn interaction(&self) -> Option<&Interaction> {
        match self {
            Self::Request(_, interaction) => Some(interaction),
            Self::Nothing | Self::Device(_) | Self::Account => None,
        }
    }

    /// The field `request`.
    pub(super) fn request(&self) -> Option<String> {
        match self {
            Self::Request(sealed, _) => Some(sealed.clone()),
            Self::Nothing | Self::Device(_) | Self::Account => None,
        }
    }

    /// The field `next`.
    pub(super) fn next(&self) -> Option<String> {
        match self {
            Self::Nothing | Self::Request(..) => None,
            Self::Account => Some(ACCOUNT.to_owned()),
            Self::Device(None) => Some(DEVICE.to_owned()),
            Self::Device(Some(code)) => Some(format!("{DEVICE} {code}")),
        }
    }

    /// The sign-in page that goes on with it. Neither field needs escaping, but for the space.
    pub(super) fn sign_in(&self) -> String {
        match (self.request(), self.next()) {
            (Some(request), _) => with_request("/login", &request),
            (None, Some(next)) => format!("/login?next={}", next.replace(' ', "+")),
            (None, None) => "/login".to_owned(),
        }
    }

    /// Where it goes on.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Nothing => "/login".to_owned(),
            Self::Request(sealed, _) => with_request("/consent", sealed),
            Self::Account => "/account".to_owned(),
            Self::Device(None) => devices::PAGE.to_owned(),
            Self::Device(Some(code)) => devices::complete_link("", code),
        }
    }
}
