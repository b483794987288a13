//! Devices without a keyboard (RFC 8628): the question of the device, and the desk where a person answers it.
//!
//! How the device then gets its tokens is a grant: see [`crate::grants`].

mod ask;
mod desk;

pub use ask::{DeviceRequest, Question, ask};
pub use desk::{DeskRefusal, DeviceDesk, Waiting};

use crate::keys::KeyError;
use crate::model::{SecretDigest, UserCode};
use crate::{Authority, Refusal};

/// The page where people type the code of a device, below the issuer.
pub const PAGE: &str = "/device";
/// The picture for people who point a camera instead, below the issuer.
pub const PICTURE: &str = "/device/qr";

/// Where the code stands in the link already: the page still asks.
pub fn complete_link(issuer: &str, code: &UserCode) -> String {
    format!("{issuer}{PAGE}?user_code={code}")
}

/// What is stored in the place of a user code. Codes are short, so the digest needs a key that the store does not have.
fn digest(authority: &Authority, code: &UserCode) -> Result<SecretDigest, KeyError> {
    authority.root.digest("valetkey user code v1", code.letters())
}

impl From<KeyError> for DeskRefusal {
    fn from(error: KeyError) -> Self {
        Self::Refused(Refusal::Keys(error))
    }
}
