//! Keys as the store sees them: wrapped, numbered, dated. What they can do is known in `keys`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A signature algorithm of JOSE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Algorithm {
    /// ECDSA on P-256: small and fast, the default.
    #[serde(rename = "ES256")]
    Es256,
    /// RSA PKCS#1 v1.5: what every OpenID Connect client understands.
    #[serde(rename = "RS256")]
    Rs256,
    /// Ed25519.
    #[serde(rename = "EdDSA")]
    EdDsa,
}

impl Algorithm {
    /// Each one has a key at all times.
    pub const ALL: [Self; 3] = [Self::Es256, Self::Rs256, Self::EdDsa];

    /// The JOSE name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Es256 => "ES256",
            Self::Rs256 => "RS256",
            Self::EdDsa => "EdDSA",
        }
    }
}

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyPurpose {
    /// Seals opaque tokens.
    Seal,
    /// Signs tokens; its public half is published.
    Sign(Algorithm),
}

impl KeyPurpose {
    /// Each one has a current key at all times.
    pub const ALL: [Self; 4] =
        [Self::Seal, Self::Sign(Algorithm::Es256), Self::Sign(Algorithm::Rs256), Self::Sign(Algorithm::EdDsa)];

    /// The word in the store and in commands.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Seal => "seal",
            Self::Sign(algorithm) => algorithm.as_str(),
        }
    }

    /// Reads the word in the store.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.as_str().eq_ignore_ascii_case(word))
    }
}

/// A key at rest. The secret half is wrapped by the root key, which the store never sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// `kid` on the wire.
    pub id: String,
    /// What it is for.
    pub purpose: KeyPurpose,
    /// Counts up within a purpose; two nodes that rotate at once make one successor.
    pub generation: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is used; before that it is only published.
    pub active_from: Timestamp,
    /// The secret half, wrapped.
    pub wrapped: Vec<u8>,
}
