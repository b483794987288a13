//! Secrets that cannot print themselves, and the digests that are stored in their place.

use std::fmt;

use aws_lc_rs::digest;
use subtle::ConstantTimeEq;
use zeroize::{Zeroizing, optimization_barrier};

use crate::ports::Random;

/// 62 symbols: clients that percent-encode Basic credentials and clients that do not send the same bytes.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// 43 symbols of 62 carry 256 bits.
const LENGTH: usize = 43;

/// A value that must not reach a log. `Debug` and `Display` hide it; [`Secret::expose`] is easy to search for.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Takes a value in.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// Makes a fresh secret of 256 bits behind `prefix`.
    pub fn generate(prefix: &str, random: &dyn Random) -> Self {
        let mut text = String::with_capacity(prefix.len() + LENGTH);
        text.push_str(prefix);
        let mut pool = Zeroizing::new([0u8; 64]);
        while text.len() < prefix.len() + LENGTH {
            random.fill(&mut pool[..]);
            // Bytes of 248 and above would favour the first symbols; they are drawn again.
            for byte in pool.iter().filter(|byte| **byte < 248) {
                if text.len() < prefix.len() + LENGTH {
                    text.push(char::from(ALPHABET[usize::from(*byte % 62)]));
                }
            }
        }
        Self::new(text)
    }

    /// The value itself, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// What may be stored in the secret's place.
    pub fn digest(&self) -> SecretDigest {
        SecretDigest::of(&self.0)
    }
}

impl Drop for Secret {
    /// Leaves nothing behind. All of it is written over at once: byte by byte, as it is done for keys, a signed token took a
    /// microsecond.
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.0).into_bytes();
        bytes.clear();
        bytes.resize(bytes.capacity(), 0);
        optimization_barrier(&bytes[..]);
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// SHA-256 of a secret. Secrets have 256 bits of their own, so no slow hash is needed.
#[derive(Clone, Copy)]
pub struct SecretDigest([u8; 32]);

impl SecretDigest {
    /// Digests a presented value.
    pub fn of(value: &str) -> Self {
        let mut bytes = [0; 32];
        bytes.copy_from_slice(digest::digest(&digest::SHA256, value.as_bytes()).as_ref());
        Self(bytes)
    }

    /// Reads a stored digest; `None` if the length is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The bytes to store.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Equality that takes the same time wherever the first difference stands.
    pub fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Debug for SecretDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[digest]")
    }
}
