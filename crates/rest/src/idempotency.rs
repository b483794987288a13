//! `Idempotency-Key`: a request that is sent again is not done again. Owns the header, the fingerprint and the refusals.
//!
//! A service with a database keeps the answer in the transaction that does the work, and needs [`IdempotencyKey`] and
//! [`fingerprint`] alone. [`IdempotencyLayer`] is for those whose work is elsewhere: it claims the key, runs the request
//! and keeps the answer in a [`Store`]. A repeat gets that answer with 200 and `Idempotent-Replayed: true`.
//!
//! ```
//! use http::{HeaderMap, HeaderValue, Method};
//! use valetkey_rest::idempotency::{IdempotencyKey, fingerprint};
//!
//! let mut headers = HeaderMap::new();
//! headers.insert("idempotency-key", HeaderValue::from_static("8e03978e-40d5-43dd-bc93-6894a57f9324"));
//! let key = IdempotencyKey::from_headers(&headers).unwrap().unwrap();
//!
//! assert_eq!(key.as_str(), "8e03978e-40d5-43dd-bc93-6894a57f9324");
//! assert_ne!(fingerprint(&Method::POST, "/orders", b"1"), fingerprint(&Method::POST, "/orders", b"2"));
//! ```

use aws_lc_rs::digest;
use http::{HeaderName, HeaderValue, Method, header};
use serde_json::{Map, Value};

use crate::problem::{FieldError, Problem, catalogue};

mod canonical;
mod key;
mod layer;
mod memory;
mod store;
#[cfg(test)]
mod tests;

pub use key::IdempotencyKey;
pub use layer::{IdempotencyLayer, IdempotencyService};
pub use memory::MemoryStore;
pub use store::{Claim, KeptAnswer, Slot, Store};

/// The header of the request.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// The header of an answer that was kept: `true`.
pub const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// What a request asks for, so that a key cannot be used for something else. The media type is left out on purpose, and
/// in JSON neither white space nor the order of members counts.
pub fn fingerprint(method: &Method, path: &str, body: &[u8]) -> [u8; 32] {
    of_parts(method, path, &canonical::canonical(body))
}

/// The same for a body that was read already, which is an object.
pub fn fingerprint_of(method: &Method, path: &str, members: &Map<String, Value>) -> [u8; 32] {
    of_parts(method, path, &canonical::object(members))
}

fn of_parts(method: &Method, path: &str, body: &[u8]) -> [u8; 32] {
    let mut digest = digest::Context::new(&digest::SHA256);
    // Lengths keep the parts apart: no body can pass for the end of a path.
    for part in [method.as_str().as_bytes(), path.as_bytes(), body] {
        digest.update(&(part.len() as u64).to_be_bytes());
        digest.update(part);
    }
    let mut fingerprint = [0; 32];
    fingerprint.copy_from_slice(digest.finish().as_ref());
    fingerprint
}

/// 422: the key belongs to another request.
pub fn key_reused() -> Problem {
    Problem::new(&catalogue::IDEMPOTENCY_KEY_REUSED)
}

/// 409: the first request under this key is not answered yet.
pub fn still_running() -> Problem {
    Problem::new(&catalogue::IDEMPOTENCY_IN_PROGRESS).header(header::RETRY_AFTER, HeaderValue::from_static("1"))
}

/// 400: this is only done under a key.
pub fn key_required() -> Problem {
    Problem::new(&catalogue::IDEMPOTENCY_KEY_REQUIRED).field(FieldError::required("Idempotency-Key"))
}
