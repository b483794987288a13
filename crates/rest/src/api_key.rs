//! API keys of services: in `X-API-Key`, or as a bearer token that begins with the prefix of keys. Never stores a key.
//!
//! A key is looked up by its SHA-256 digest, so neither the table nor the time of a comparison tells anything about keys.
//! The layer belongs around [`crate::BearerLayer`]: what carries no key goes on to it, and a caller found here passes it.
//!
//! ```
//! use std::sync::Arc;
//! use axum::{Extension, Router, body::Body, routing::get};
//! use http::Request;
//! use tower::ServiceExt;
//! use std::net::IpAddr;
//! use valetkey_rest::api_key::{ApiKeyLayer, Holder, Keys, digest};
//! use valetkey_rest::bearer::{Caller, Challenge, Unverifiable, async_trait};
//!
//! struct OneKey([u8; 32]);
//!
//! #[async_trait]
//! impl Keys for OneKey {
//!     async fn find(&self, digest: &[u8; 32], _: Option<IpAddr>) -> Result<Holder, Unverifiable> {
//!         let billing = Caller { client: "billing".into(), ..Caller::default() };
//!         Ok(if *digest == self.0 { Holder::Known(billing) } else { Holder::Nobody })
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let keys = Arc::new(OneKey(digest("vk_ak_secret")));
//! let app = Router::new()
//!     .route("/", get(|Extension(caller): Extension<Arc<Caller>>| async move { caller.client.clone() }))
//!     .layer(ApiKeyLayer::new(keys, "vk_ak_", Challenge::default()));
//!
//! let answer = app.oneshot(Request::get("/").header("x-api-key", "vk_ak_secret").body(Body::empty()).unwrap()).await;
//!
//! assert_eq!(answer.unwrap().status(), 200);
//! # }
//! ```

use std::net::IpAddr;

use http::{HeaderMap, HeaderName, header};

use crate::bearer::{Caller, Unverifiable, async_trait};

mod layer;
#[cfg(test)]
mod tests;

pub use layer::{AddressOf, ApiKeyLayer, ApiKeyService};

/// The header that carries a key.
pub const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Bytes of a key at most.
const MAX_KEY: usize = 512;
/// What stands before a bearer token.
const SCHEME: &[u8] = b"bearer ";

/// Who has a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holder {
    /// This one.
    Known(Caller),
    /// Someone who must not use it from where the request came.
    Misplaced,
    /// Nobody, or nobody any more.
    Nobody,
}

/// Knows keys by their digests.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Who has this key, and may use it from there. The address is known if [`ApiKeyLayer::seen_from`] told where it is.
    async fn find(&self, digest: &[u8; 32], from: Option<IpAddr>) -> Result<Holder, Unverifiable>;
}

/// The digest that a key is known by. A key has 256 random bits, so no salt and no slow hash is needed.
pub fn digest(key: &str) -> [u8; 32] {
    let mut digest = [0; 32];
    digest.copy_from_slice(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, key.as_bytes()).as_ref());
    digest
}

/// What a request says about keys.
#[derive(Debug, PartialEq, Eq)]
enum Presented<'a> {
    /// Nothing: someone else may know the caller.
    Nothing,
    /// A key.
    Key(&'a str),
    /// Something that cannot be a key.
    Malformed,
    /// Credentials in two places.
    Several,
}

fn presented<'a>(headers: &'a HeaderMap, prefix: &str) -> Presented<'a> {
    let mut lines = headers.get_all(X_API_KEY).iter();
    let Some(line) = lines.next() else { return bearer(headers, prefix) };
    if lines.next().is_some() || headers.contains_key(header::AUTHORIZATION) {
        return Presented::Several;
    }
    line.to_str().map_or(Presented::Malformed, |key| sound(key.trim(), prefix))
}

/// A bearer token that begins with the prefix of keys is a key. Two headers are the bearer layer's to refuse.
fn bearer<'a>(headers: &'a HeaderMap, prefix: &str) -> Presented<'a> {
    let Some(line) = headers.get(header::AUTHORIZATION) else { return Presented::Nothing };
    let Some((scheme, token)) = line.as_bytes().split_at_checked(SCHEME.len()) else { return Presented::Nothing };
    // Most tokens are none: a look at how they begin says so.
    if !scheme.eq_ignore_ascii_case(SCHEME) || !token.trim_ascii_start().starts_with(prefix.as_bytes()) {
        return Presented::Nothing;
    }
    if headers.get_all(header::AUTHORIZATION).iter().count() > 1 {
        return Presented::Several;
    }
    line.to_str().map_or(Presented::Nothing, |text| sound(text[SCHEME.len()..].trim(), prefix))
}

fn sound<'a>(key: &'a str, prefix: &str) -> Presented<'a> {
    let secret = key.strip_prefix(prefix).unwrap_or_default();
    let word = secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if !secret.is_empty() && word && key.len() <= MAX_KEY { Presented::Key(key) } else { Presented::Malformed }
}
