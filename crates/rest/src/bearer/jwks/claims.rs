//! The claims of an access token that say who calls.

use std::time::Duration;

use serde::Deserialize;

use crate::bearer::{Caller, confirmation::Confirmation};

#[derive(Debug, Deserialize)]
pub(super) struct Claims {
    sub: String,
    client_id: String,
    exp: i64,
    nbf: Option<i64>,
    #[serde(default)]
    scope: String,
    api_version: Option<String>,
    cnf: Option<Confirmation>,
    auth_time: Option<i64>,
    acr: Option<String>,
}

impl Claims {
    /// Whether the token has begun and has not ended. Its end is exact; only its beginning forgives clocks.
    pub(super) fn hold_at(&self, now: Duration, leeway: Duration) -> bool {
        let seconds = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
        self.exp > seconds(now) && self.nbf.is_none_or(|nbf| nbf <= seconds(now + leeway))
    }

    pub(super) fn into_caller(self) -> Caller {
        // RFC 9068 §2.2: a client that speaks for itself is its own subject.
        let subject = (self.sub != self.client_id).then_some(self.sub);
        Caller {
            client: self.client_id,
            subject,
            scopes: self.scope.split_ascii_whitespace().map(str::to_owned).collect(),
            version_pin: self.api_version,
            expires_at: Some(self.exp),
            key_binding: self.cnf.map(Confirmation::into_binding),
            authenticated_at: self.auth_time,
            acr: self.acr,
        }
    }
}
