//! What our signed texts begin with (RFC 7515 §4): one head for each kind of text and each key, written once. A text with any
//! other is not ours, whatever algorithm or extension it names.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

use crate::model::Algorithm;

/// What is signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Signed {
    /// RFC 9068.
    AccessToken,
    /// OpenID Connect Core §2.
    IdToken,
    /// OpenID Connect Back-Channel Logout §2.4.
    LogoutToken,
}

impl Signed {
    pub(super) const ALL: [Self; 3] = [Self::AccessToken, Self::IdToken, Self::LogoutToken];

    fn typ(self) -> &'static str {
        match self {
            Self::AccessToken => "at+jwt",
            Self::IdToken => "JWT",
            Self::LogoutToken => "logout+jwt",
        }
    }
}

/// The heads under one key.
pub(super) struct Heads([String; Signed::ALL.len()]);

impl Heads {
    pub(super) fn new(algorithm: Algorithm, kid: &str) -> Self {
        #[derive(Serialize)]
        struct Head<'a> {
            typ: &'a str,
            alg: &'a str,
            kid: &'a str,
        }
        let head = |kind: Signed| serde_json::to_vec(&Head { typ: kind.typ(), alg: algorithm.as_str(), kid });
        // Three texts always make an object.
        Self(Signed::ALL.map(|kind| URL_SAFE_NO_PAD.encode(head(kind).unwrap_or_default())))
    }

    pub(super) fn of(&self, kind: Signed) -> &str {
        match (kind, &self.0) {
            (Signed::AccessToken, [head, ..]) | (Signed::IdToken, [_, head, _]) | (Signed::LogoutToken, [.., head]) => {
                head
            }
        }
    }
}
