//! Tokens of any kind, verified by the server that issued them (RFC 7662). Needs the feature `introspection`.
//!
//! Each request costs a question, and a token that was revoked is refused at once. A cache saves questions and lets a
//! revoked token live that much longer; there is none unless a time is given.
//!
//! ```no_run
//! use std::{sync::Arc, time::{SystemTime, UNIX_EPOCH}};
//! use valetkey_rest::bearer::{BearerLayer, Challenge, introspection::{Introspector, IntrospectionVerify}};
//!
//! let introspector = Introspector {
//!     endpoint: "https://id.example/introspect".into(),
//!     client_id: "api".into(),
//!     client_secret: "vk_cs_secret".into(),
//!     audience: None,
//! };
//! let clock = Arc::new(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
//! let verify = IntrospectionVerify::new(introspector, reqwest::Client::new(), clock);
//! let layer = BearerLayer::new(Arc::new(verify), Challenge { realm: "api".into(), resource_metadata: None });
//! ```

use std::{fmt, time::Duration};

use base64::{Engine, engine::general_purpose::STANDARD};
use http::header;

use super::{Caller, Unverifiable, Verify, async_trait, fetch::fetch};
use crate::{Clock, form::encode_component};

mod answer;
mod cache;
#[cfg(test)]
mod tests;

use answer::Answer;
use cache::Cache;

/// Whom to ask, and as whom. Its `Debug` does not show the secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Introspector {
    /// The introspection endpoint.
    pub endpoint: String,
    /// The client that this service is there.
    pub client_id: String,
    /// Its secret.
    pub client_secret: String,
    /// The `aud` that good tokens have; none if the issuer does not say.
    pub audience: Option<String>,
}

/// Asks the issuer about each token.
pub struct IntrospectionVerify {
    introspector: Introspector,
    credentials: String,
    http: reqwest::Client,
    clock: Clock,
    cache: Option<Cache>,
}

impl IntrospectionVerify {
    /// Asks with `http`, which decides about proxies, certificates and redirects.
    pub fn new(introspector: Introspector, http: reqwest::Client, clock: Clock) -> Self {
        // RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
        let (id, secret) = (encode_component(&introspector.client_id), encode_component(&introspector.client_secret));
        let credentials = format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")));
        Self { introspector, credentials, http, clock, cache: None }
    }

    /// Believes a good answer for so long, and never beyond the token's end.
    #[must_use]
    pub fn cached_for(mut self, time: Duration) -> Self {
        self.cache = Some(Cache::new(time));
        self
    }

    async fn ask(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        let form = format!("token={}&token_type_hint=access_token", encode_component(token));
        let request = self
            .http
            .post(&self.introspector.endpoint)
            .header(header::AUTHORIZATION, &self.credentials)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json")
            .body(form);
        let (status, body) = fetch(request).await?;
        match status {
            200 => {}
            429 => return Err(Unverifiable::Unavailable("the issuer wants fewer questions".into())),
            401 | 403 => return Err(Unverifiable::Failed("the issuer does not accept our credentials".into())),
            other => return Err(Unverifiable::Failed(format!("the introspection endpoint answered {other}"))),
        }
        let answer: Answer = serde_json::from_slice(&body)
            .map_err(|error| Unverifiable::Failed(format!("the introspection cannot be read: {error}")))?;
        Ok(answer.into_caller((self.clock)(), self.introspector.audience.as_deref()))
    }
}

#[async_trait]
impl Verify for IntrospectionVerify {
    async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        let now = (self.clock)();
        if let Some(caller) = self.cache.as_ref().and_then(|cache| cache.find(token, now)) {
            return Ok(Some(caller));
        }
        let caller = self.ask(token).await?;
        if let (Some(cache), Some(caller)) = (&self.cache, &caller) {
            cache.keep(token, caller, now);
        }
        Ok(caller)
    }
}

impl fmt::Debug for Introspector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Introspector").field("endpoint", &self.endpoint).field("client_id", &self.client_id).finish()
    }
}

impl fmt::Debug for IntrospectionVerify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntrospectionVerify").field("introspector", &self.introspector).finish_non_exhaustive()
    }
}
