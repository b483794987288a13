//! The `WWW-Authenticate` header of a refusal (RFC 6750 §3, RFC 9728 §5.1).

use http::{HeaderValue, header};

use super::credentials::Flaw;
use crate::{
    problem::{Problem, catalogue},
    quoted::quoted,
};

/// What every challenge of a service says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Challenge {
    /// The name of what is guarded.
    pub realm: String,
    /// Where RFC 9728 metadata tells which server issues tokens.
    pub resource_metadata: Option<String>,
}

impl Challenge {
    /// 401: no token was sent. Without an error code, as RFC 6750 §3.1 asks.
    pub fn missing(&self) -> Problem {
        Problem::new(&catalogue::UNAUTHORIZED)
            .detail("Send an access token in the `Authorization: Bearer` header.")
            .header(header::WWW_AUTHENTICATE, self.value(&[]))
    }

    /// 401: the token is not valid, whatever the reason.
    pub fn invalid_token(&self) -> Problem {
        let detail = "The access token is not valid, has expired or was revoked. Renew it.";
        Problem::new(&catalogue::UNAUTHORIZED)
            .detail(detail)
            .header(header::WWW_AUTHENTICATE, self.value(&[("error", "invalid_token"), ("error_description", detail)]))
    }

    /// 400: the request carries credentials in more than one way.
    pub fn invalid_request(&self) -> Problem {
        let detail = "The request has more than one Authorization header. Send one.";
        Problem::new(&catalogue::BAD_REQUEST).detail(detail).header(
            header::WWW_AUTHENTICATE,
            self.value(&[("error", "invalid_request"), ("error_description", detail)]),
        )
    }

    /// 403: the token is valid, and lacks this scope.
    pub fn insufficient_scope(&self, needed: &str) -> Problem {
        let detail = format!("The access token lacks the scope {needed}. Ask for a token that has it.");
        let value = self.value(&[("error", "insufficient_scope"), ("error_description", &detail), ("scope", needed)]);
        Problem::new(&catalogue::FORBIDDEN).detail(detail).header(header::WWW_AUTHENTICATE, value)
    }

    pub(super) fn refuse(&self, flaw: Flaw) -> Problem {
        match flaw {
            Flaw::Missing => self.missing(),
            Flaw::Malformed => self.invalid_token(),
            Flaw::Several => self.invalid_request(),
        }
    }

    /// The header, with these members between the realm and the metadata.
    pub fn value(&self, members: &[(&str, &str)]) -> HeaderValue {
        let mut text = format!("Bearer realm={}", quoted(&self.realm));
        let metadata = self.resource_metadata.as_deref().map(|address| ("resource_metadata", address));
        for (name, value) in members.iter().copied().chain(metadata) {
            text.push_str(&format!(", {name}={}", quoted(value)));
        }
        // Quoted strings hold nothing that a header cannot.
        HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("Bearer"))
    }
}
