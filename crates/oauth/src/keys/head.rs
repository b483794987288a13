//! What our signed texts begin with (RFC 7515 §4): one head for each kind of text and each key, written once. A text with any
//! other is not ours, whatever algorithm or extension it names.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::model::Algorithm;

/// What is signed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SignedToken {
    /// RFC 9068.
    Access,
    /// OpenID Connect Core §2.
    Id,
    /// OpenID Connect Back-Channel Logout §2.4.
    Logout,
}

impl SignedToken {
    fn typ(self) -> &'static str {
        match self {
            Self::Access => "at+jwt",
            Self::Id => "JWT",
            Self::Logout => "logout+jwt",
        }
    }
}

/// The heads under one key.
pub(super) struct Heads {
    access: String,
    id: String,
    logout: String,
}

impl Heads {
    pub(super) fn new(algorithm: Algorithm, kid: &str) -> Self {
        let head = |kind: SignedToken| {
            // Ids and names of algorithms are base64 and words: nothing to escape.
            let (typ, alg) = (kind.typ(), algorithm.as_str());
            URL_SAFE_NO_PAD.encode(format!(r#"{{"typ":"{typ}","alg":"{alg}","kid":"{kid}"}}"#))
        };
        Self { access: head(SignedToken::Access), id: head(SignedToken::Id), logout: head(SignedToken::Logout) }
    }

    pub(super) fn of(&self, kind: SignedToken) -> &str {
        match kind {
            SignedToken::Access => &self.access,
            SignedToken::Id => &self.id,
            SignedToken::Logout => &self.logout,
        }
    }
}
