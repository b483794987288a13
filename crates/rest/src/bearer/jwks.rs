//! JWT access tokens (RFC 9068), verified here with the keys that their issuer publishes. Needs the feature `jwks`.
//!
//! Keys are kept, and fetched again when a token names one that is not among them, but at most every ten seconds: a
//! stranger who invents key ids must not make us knock at the issuer's door without end. A token cannot be taken back
//! before it expires; where that matters, use introspection.
//!
//! ```no_run
//! use std::{sync::Arc, time::{SystemTime, UNIX_EPOCH}};
//! use valetkey_rest::bearer::{BearerLayer, Challenge, jwks::{JwksVerify, Trust}};
//!
//! let trust = Trust {
//!     issuer: "https://id.example".into(),
//!     audience: "https://api.example".into(),
//!     jwks_uri: "https://id.example/jwks".into(),
//! };
//! let clock = Arc::new(|| SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
//! let verify = JwksVerify::new(trust, reqwest::Client::new(), clock);
//! let layer = BearerLayer::new(Arc::new(verify), Challenge { realm: "api".into(), resource_metadata: None });
//! ```

use std::{fmt, time::Duration};

use jsonwebtoken::{DecodingKey, Validation, decode, decode_header, jwk::Jwk};

use super::{Caller, Unverifiable, Verify, async_trait};
use crate::Clock;

mod claims;
mod keys;
#[cfg(test)]
mod tests;

use claims::Claims;
use keys::Keys;

/// By how much clocks may differ.
const LEEWAY: Duration = Duration::from_secs(5);

/// Whose tokens are good, and for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trust {
    /// The `iss` of good tokens.
    pub issuer: String,
    /// The `aud` of good tokens: this service.
    pub audience: String,
    /// Where the issuer publishes its keys.
    pub jwks_uri: String,
}

/// Verifies JWT access tokens.
pub struct JwksVerify {
    trust: Trust,
    keys: Keys,
    clock: Clock,
}

impl JwksVerify {
    /// Fetches keys with `http`, which decides about proxies, certificates and redirects.
    pub fn new(trust: Trust, http: reqwest::Client, clock: Clock) -> Self {
        let keys = Keys::new(trust.jwks_uri.clone(), http);
        Self { trust, keys, clock }
    }

    fn read(&self, token: &str, jwk: &Jwk) -> Option<Claims> {
        let algorithm = keys::algorithm(jwk)?;
        let key = DecodingKey::from_jwk(jwk).ok()?;
        // The algorithm is the key's, never the token's choice.
        let mut validation = Validation::new(algorithm);
        validation.set_issuer(&[&self.trust.issuer]);
        validation.set_audience(&[&self.trust.audience]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        // Times are compared below, with the clock that we were given.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        decode::<Claims>(token, &key, &validation).ok().map(|token| token.claims)
    }
}

#[async_trait]
impl Verify for JwksVerify {
    async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        let Ok(header) = decode_header(token) else { return Ok(None) };
        // RFC 9068 §4: an id_token is no access token, though the same key signed it. Extensions we do not know are critical.
        let typ = header.typ.unwrap_or_default().to_ascii_lowercase();
        let sound = matches!(typ.as_str(), "at+jwt" | "application/at+jwt") && header.crit.is_none();
        let Some(kid) = header.kid.filter(|_| sound) else { return Ok(None) };
        let now = (self.clock)();
        let Some(jwk) = self.keys.find(&kid, now).await? else { return Ok(None) };
        Ok(self.read(token, &jwk).filter(|claims| claims.hold_at(now, LEEWAY)).map(Claims::into_caller))
    }
}

impl fmt::Debug for JwksVerify {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JwksVerify").field("trust", &self.trust).finish_non_exhaustive()
    }
}
