//! `response_mode`: how the answer of the authorization endpoint travels to the app.

use serde::{Deserialize, Serialize};

/// How parameters reach the redirect URI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ResponseMode {
    /// In the query of a redirect.
    #[default]
    Query,
    /// In the body of a POST that the browser makes.
    FormPost,
}

impl ResponseMode {
    /// Every mode that works. Metadata advertises exactly these.
    pub const ALL: [Self; 2] = [Self::Query, Self::FormPost];

    /// The value on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Query => "query",
            Self::FormPost => "form_post",
        }
    }

    /// Reads the value on the wire.
    pub fn parse(value: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == value)
    }
}
