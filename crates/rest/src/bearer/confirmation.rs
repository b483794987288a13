//! `cnf` (RFC 7800): the key that a token is bound to.

use serde::Deserialize;
use serde_json::Value;

/// What a token says of the key that must come with it.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Confirmation(Value);

impl Confirmation {
    /// The thumbprint of the certificate. A key of another kind is not known here: its text is no thumbprint, so that
    /// nobody can show it.
    pub(super) fn into_binding(self) -> String {
        let kinds = self.0.as_object().map_or(0, serde_json::Map::len);
        match self.0.get("x5t#S256").and_then(Value::as_str) {
            Some(thumbprint) if kinds == 1 => thumbprint.to_owned(),
            _ => self.0.to_string(),
        }
    }
}
