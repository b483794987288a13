//! Sealed cursors: a place in a list that only this server reads, bound to the query it came from.
//!
//! A client cannot look inside, change it, or use it in another context: another query, another caller, another version.
//! The cipher is AES-256-GCM-SIV, whose nonce may repeat without harm beyond showing that two equal texts are equal. So
//! the nonce is a keyed digest of what is sealed: no randomness is needed, and the same place always gives the same
//! cursor, which lets caches and ETags of lists work. The digest is keyed because a bare one would let anyone test guesses.
//!
//! ```
//! use valetkey_rest::page::cursor::CursorKey;
//!
//! let key = CursorKey::new([7; 32]);
//! let cursor = key.seal(b"GET /orders?sort=-amount as ada", b"amount=12,id=9");
//!
//! assert_eq!(key.open(b"GET /orders?sort=-amount as ada", &cursor).unwrap(), b"amount=12,id=9");
//! assert_eq!(key.open(b"GET /orders?sort=-amount as eve", &cursor), None);
//! ```

use std::fmt;

use aws_lc_rs::{
    aead::{AES_256_GCM_SIV, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    hmac,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

/// Characters of a cursor at most, which is what the head of a request may have: rows that are sorted by long texts have long
/// cursors. A longer one is not decoded.
pub const MAX_LENGTH: usize = 16_384;

/// The key that cursors are sealed with. Its `Debug` shows nothing of it.
pub struct CursorKey {
    // None only if the cipher refused a key of its own length; then nothing opens.
    cipher: Option<LessSafeKey>,
    nonces: hmac::Key,
}

impl CursorKey {
    /// Takes 32 secret, random bytes. All servers of one service share them.
    pub fn new(key: [u8; 32]) -> Self {
        let root = hmac::Key::new(hmac::HMAC_SHA256, &key);
        // Two keys from one, so that neither use says anything about the other.
        let sealing = hmac::sign(&root, b"cursor: seal");
        let nonces = hmac::sign(&root, b"cursor: nonce");
        Self {
            cipher: UnboundKey::new(&AES_256_GCM_SIV, sealing.as_ref()).ok().map(LessSafeKey::new),
            nonces: hmac::Key::new(hmac::HMAC_SHA256, nonces.as_ref()),
        }
    }

    /// Seals a place for this context. Text for a URL: letters, digits, `-` and `_`.
    pub fn seal(&self, context: &[u8], content: &[u8]) -> String {
        let nonce = self.nonce(context, content);
        let mut sealed = Vec::with_capacity(NONCE_LEN + content.len() + AES_256_GCM_SIV.tag_len());
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(content);
        let tag = self.cipher.as_ref().and_then(|cipher| {
            let nonce = Nonce::assume_unique_for_key(nonce);
            cipher.seal_in_place_separate_tag(nonce, Aad::from(context), &mut sealed[NONCE_LEN..]).ok()
        });
        // An empty cursor opens nowhere; sealing fails for contents of many gigabytes only.
        let Some(tag) = tag else { return String::new() };
        sealed.extend_from_slice(tag.as_ref());
        URL_SAFE_NO_PAD.encode(sealed)
    }

    /// What was sealed for this very context; none for anything else.
    pub fn open(&self, context: &[u8], text: &str) -> Option<Vec<u8>> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let mut sealed = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (nonce, body) = sealed.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let content = self.cipher.as_ref()?.open_in_place(nonce, Aad::from(context), body).ok()?;
        Some(content.to_vec())
    }

    fn nonce(&self, context: &[u8], content: &[u8]) -> [u8; NONCE_LEN] {
        let mut digest = hmac::Context::with_key(&self.nonces);
        // The length keeps context and content apart.
        digest.update(&(context.len() as u64).to_be_bytes());
        digest.update(context);
        digest.update(content);
        let tag = digest.sign();
        let mut nonce = [0; NONCE_LEN];
        nonce.copy_from_slice(&tag.as_ref()[..NONCE_LEN]);
        nonce
    }
}

impl fmt::Debug for CursorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CursorKey")
    }
}
