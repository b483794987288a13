//! Signing keys: parsed once, used many times. Signs JWS and checks what they signed.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, ED25519, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey,
};
use jiff::Timestamp;
use zeroize::Zeroizing;

use super::head::{Heads, SignedToken};
use super::{Jwk, KeyError};
use crate::model::Algorithm;

enum Pair {
    Es256(EcdsaKeyPair),
    Rs256(Box<RsaKeyPair>),
    EdDsa(Ed25519KeyPair),
}

impl Pair {
    fn jwk(&self, id: &str) -> Jwk {
        match self {
            Self::Es256(pair) => Jwk::p256(id, pair.public_key().as_ref()),
            Self::EdDsa(pair) => Jwk::ed25519(id, pair.public_key().as_ref()),
            Self::Rs256(pair) => {
                let public = pair.public_key();
                let (modulus, exponent) = (public.modulus(), public.exponent());
                Jwk::rsa(id, modulus.big_endian_without_leading_zero(), exponent.big_endian_without_leading_zero())
            }
        }
    }
}

/// One signing key, ready for use.
pub struct SigningKey {
    pub(super) active_from: Timestamp,
    id: String,
    heads: Heads,
    pair: Pair,
    /// Signature nonces are the library's own affair, not ours.
    system: SystemRandom,
}

impl SigningKey {
    /// The secret half of a new key, as PKCS#8. A new thread makes it: what the library draws there, the system has seeded
    /// just now, also in a machine that was copied while it ran.
    pub(super) fn generate(algorithm: Algorithm) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let failed = || KeyError::Crypto("generate");
        let thread = std::thread::Builder::new().spawn(move || Self::draw(algorithm)).map_err(|_| failed())?;
        thread.join().unwrap_or_else(|_| Err(failed()))
    }

    fn draw(algorithm: Algorithm) -> Result<Zeroizing<Vec<u8>>, KeyError> {
        let system = SystemRandom::new();
        let failed = |_| KeyError::Crypto("generate");
        let der = match algorithm {
            Algorithm::Es256 => EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &system)
                .map_err(failed)?
                .as_ref()
                .to_vec(),
            Algorithm::EdDsa => Ed25519KeyPair::generate_pkcs8(&system).map_err(failed)?.as_ref().to_vec(),
            Algorithm::Rs256 => {
                let pair = RsaKeyPair::generate(KeySize::Rsa2048).map_err(failed)?;
                AsDer::<Pkcs8V1Der<'_>>::as_der(&pair).map_err(failed)?.as_ref().to_vec()
            }
        };
        Ok(Zeroizing::new(der))
    }

    pub(super) fn new(active_from: Timestamp, algorithm: Algorithm, pkcs8: &[u8]) -> Result<Self, KeyError> {
        let bad = |_| KeyError::Crypto("stored key");
        let pair = match algorithm {
            Algorithm::Es256 => {
                Pair::Es256(EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8).map_err(bad)?)
            }
            Algorithm::Rs256 => Pair::Rs256(Box::new(RsaKeyPair::from_pkcs8(pkcs8).map_err(bad)?)),
            Algorithm::EdDsa => Pair::EdDsa(Ed25519KeyPair::from_pkcs8(pkcs8).map_err(bad)?),
        };
        let id = pair.jwk("").thumbprint();
        Ok(Self { active_from, heads: Heads::new(algorithm, &id), id, pair, system: SystemRandom::new() })
    }

    /// `kid`: the thumbprint of the public half (RFC 7638).
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The algorithm is a property of the key; a token cannot choose another.
    pub fn algorithm(&self) -> Algorithm {
        match self.pair {
            Pair::Es256(_) => Algorithm::Es256,
            Pair::Rs256(_) => Algorithm::Rs256,
            Pair::EdDsa(_) => Algorithm::EdDsa,
        }
    }

    /// The public half, as published.
    pub fn jwk(&self) -> Jwk {
        self.pair.jwk(&self.id)
    }

    /// What signed texts of this kind begin with.
    pub(crate) fn head(&self, kind: SignedToken) -> &str {
        self.heads.of(kind)
    }

    /// Signs.
    pub fn sign(&self, message: &[u8]) -> Result<Vec<u8>, KeyError> {
        let failed = |_| KeyError::Crypto("sign");
        match &self.pair {
            Pair::Es256(pair) => Ok(pair.sign(&self.system, message).map_err(failed)?.as_ref().to_vec()),
            Pair::EdDsa(pair) => Ok(pair.sign(message).as_ref().to_vec()),
            Pair::Rs256(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &self.system, message, &mut signature).map_err(failed)?;
                Ok(signature)
            }
        }
    }

    /// Did this key sign that?
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        match &self.pair {
            Pair::Es256(pair) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, pair.public_key()).verify(message, signature)
            }
            Pair::EdDsa(pair) => UnparsedPublicKey::new(&ED25519, pair.public_key()).verify(message, signature),
            Pair::Rs256(pair) => {
                UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, pair.public_key()).verify(message, signature)
            }
        }
        .is_ok()
    }
}
