//! What the issuer says of a token (RFC 7662 §2.2).

use std::time::Duration;

use serde::Deserialize;

use crate::bearer::{Caller, confirmation::Confirmation};

#[derive(Debug, Deserialize)]
pub(super) struct Answer {
    active: bool,
    #[serde(default)]
    scope: String,
    client_id: Option<String>,
    sub: Option<String>,
    exp: Option<i64>,
    nbf: Option<i64>,
    token_type: Option<String>,
    token_use: Option<String>,
    aud: Option<Audience>,
    api_version: Option<String>,
    cnf: Option<Confirmation>,
    auth_time: Option<i64>,
    acr: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Several(Vec<String>),
}

impl Audience {
    fn names(&self, wanted: &str) -> bool {
        match self {
            Self::One(name) => name == wanted,
            Self::Several(names) => names.iter().any(|name| name == wanted),
        }
    }
}

impl Answer {
    /// The caller, if the token is good here.
    pub(super) fn into_caller(self, now: Duration, audience: Option<&str>) -> Option<Caller> {
        let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        // A refresh token is active too, and opens nothing here: the issuer must call it a token of access.
        let for_access = self.token_type.is_some_and(|kind| kind.eq_ignore_ascii_case("bearer"))
            || self.token_use.is_some_and(|usage| usage == "access_token");
        let in_time = self.exp.is_none_or(|exp| exp > now) && self.nbf.is_none_or(|nbf| nbf <= now);
        let for_us = audience.is_none_or(|wanted| self.aud.is_some_and(|aud| aud.names(wanted)));
        if !(self.active && for_access && in_time && for_us) {
            return None;
        }
        let client = self.client_id?;
        Some(Caller {
            subject: self.sub.filter(|sub| *sub != client),
            client,
            scopes: self.scope.split_ascii_whitespace().map(str::to_owned).collect(),
            version_pin: self.api_version,
            expires_at: self.exp,
            key_binding: self.cnf.map(Confirmation::into_binding),
            authenticated_at: self.auth_time,
            acr: self.acr,
        })
    }
}
