//! The root key: wraps every other key, and lives anywhere but in the store.

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use zeroize::Zeroizing;

use super::KeyError;
use crate::model::SecretDigest;
use crate::ports::Random;

const NONCE: usize = 12;

/// 32 bytes that open all other keys.
pub struct RootKey(Zeroizing<[u8; 32]>);

impl RootKey {
    /// Makes a fresh one.
    pub fn generate(random: &dyn Random) -> Self {
        let mut bytes = Zeroizing::new([0; 32]);
        random.fill(&mut bytes[..]);
        Self(bytes)
    }

    /// Takes the bytes in.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Reads base64, plain or URL-safe, with or without padding.
    pub fn parse(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        let bytes = Zeroizing::new(
            STANDARD
                .decode(text)
                .or_else(|_| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')))
                .map_err(|_| KeyError::MalformedRoot)?,
        );
        let bytes: [u8; 32] = bytes.as_slice().try_into().map_err(|_| KeyError::MalformedRoot)?;
        Ok(Self(Zeroizing::new(bytes)))
    }

    /// The form in which it is kept in a file.
    pub fn to_base64(&self) -> Zeroizing<String> {
        Zeroizing::new(STANDARD.encode(&self.0[..]))
    }

    /// Wraps the secret half of a key. `label` binds it to its purpose and generation.
    pub fn wrap(&self, label: &str, secret: &[u8], random: &dyn Random) -> Result<Vec<u8>, KeyError> {
        let mut nonce = [0; NONCE];
        random.fill(&mut nonce);
        let mut sealed = secret.to_vec();
        self.cipher()?
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(label), &mut sealed)
            .map_err(|_| KeyError::Crypto("wrap"))?;
        Ok([&nonce[..], &sealed].concat())
    }

    /// Opens what [`RootKey::wrap`] made.
    pub fn unwrap(&self, label: &str, wrapped: &[u8]) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let (nonce, sealed) = wrapped.split_at_checked(NONCE).ok_or(KeyError::WrongRoot)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| KeyError::WrongRoot)?;
        let mut opened = Zeroizing::new(sealed.to_vec());
        let length =
            self.cipher()?.open_in_place(nonce, Aad::from(label), &mut opened).map_err(|_| KeyError::WrongRoot)?.len();
        opened.truncate(length);
        Ok(opened)
    }

    /// A key of its own for one use. It stays the same as long as the root key does.
    pub(crate) fn derive(&self, purpose: &str) -> Result<Zeroizing<[u8; 32]>, KeyError> {
        derive(&self.0[..], purpose)
    }

    /// A digest that nobody makes without this key: for what is short enough to be found by trying.
    pub fn digest(&self, purpose: &str, value: &str) -> Result<SecretDigest, KeyError> {
        let key = derive(&self.0[..], purpose)?;
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key[..]), value.as_bytes());
        SecretDigest::from_bytes(tag.as_ref()).ok_or(KeyError::Crypto("digest"))
    }

    fn cipher(&self) -> Result<LessSafeKey, KeyError> {
        let key = derive(&self.0[..], "valetkey wrap v1")?;
        Ok(LessSafeKey::new(UnboundKey::new(&AES_256_GCM_SIV, &key[..]).map_err(|_| KeyError::Crypto("root cipher"))?))
    }
}

impl fmt::Debug for RootKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[root key]")
    }
}

struct Length32;

impl KeyType for Length32 {
    fn len(&self) -> usize {
        32
    }
}

/// HKDF-SHA-256: one key for each use, so that what one use reveals says nothing of another.
pub(super) fn derive(key: &[u8], purpose: &str) -> Result<Zeroizing<[u8; 32]>, KeyError> {
    let mut derived = Zeroizing::new([0; 32]);
    Salt::new(HKDF_SHA256, &[])
        .extract(key)
        .expand(&[purpose.as_bytes()], Length32)
        .and_then(|okm| okm.fill(&mut derived[..]))
        .map_err(|_| KeyError::Crypto("derive"))?;
    Ok(derived)
}
