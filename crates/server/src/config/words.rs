//! Settings that are one word out of a few. A wrong word is answered with the right ones.

use super::value::{Kind, Value};
use valetkey_resources::suggest::nearest;

macro_rules! words {
    ($($(#[doc = $about:literal])+ $Name:ident { $($(#[doc = $doc:literal])+ $Variant:ident = $word:literal,)+ })+) => { $(
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $Name { $($(#[doc = $doc])+ $Variant,)+ }

        impl Value for $Name {
            const KIND: Kind = Kind::Text;

            fn parse(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok(Self::$Variant),)+
                    other => Err(not_one_of(other, &[$($word),+])),
                }
            }

            fn show(&self) -> String {
                match self { $(Self::$Variant => $word,)+ }.to_owned()
            }
        }
    )+ };
}

words! {
    /// Whether clients are asked for a certificate.
    ClientCertificates {
        /// They are not asked.
        Off = "off",
        /// They are asked, here or by a trusted proxy, and may decline.
        Optional = "optional",
    }
    /// How an access token looks.
    AccessFormat {
        /// Sealed: only this server can read it.
        Opaque = "opaque",
        /// Signed, as RFC 9068 says.
        Jwt = "jwt",
    }
    /// How a revocation is learnt when several servers share a database.
    Introspection {
        /// The database is asked each time.
        Strict = "strict",
        /// The window in memory is trusted.
        Fast = "fast",
    }
    /// The algorithm of new signing keys.
    SigningAlgorithm {
        /// ECDSA on P-256 with SHA-256.
        Es256 = "es256",
        /// RSA PKCS#1 v1.5 with SHA-256.
        Rs256 = "rs256",
        /// Ed25519.
        EdDsa = "eddsa",
    }
    /// What becomes of limits while Redis is away.
    WithoutRedis {
        /// Each node counts alone.
        Open = "open",
        /// Nobody is let in uncounted.
        Closed = "closed",
    }
    /// Who may come in to an account through another provider.
    LinkingRule {
        /// Whoever has verified the same e-mail address there.
        VerifiedEmail = "verified_email",
        /// Whoever an operator has linked.
        Admin = "admin",
    }
    /// How log lines look.
    LogFormat {
        /// Pretty on a terminal, JSON elsewhere.
        Auto = "auto",
        /// For people.
        Pretty = "pretty",
        /// One JSON object on each line.
        Json = "json",
    }
}

/// A choice that may be left to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// The server decides.
    Auto,
    /// Yes.
    On,
    /// No.
    Off,
}

impl Value for Switch {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "true" | "1" => Ok(Self::On),
            "false" | "0" => Ok(Self::Off),
            other => Err(not_one_of(other, &["auto", "true", "false"])),
        }
    }

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto",
            Self::On => "true",
            Self::Off => "false",
        }
        .to_owned()
    }
}

fn not_one_of(found: &str, words: &[&'static str]) -> String {
    match nearest(found, words.iter().copied()) {
        Some(word) => format!("`{found}` is not known; did you mean `{word}`?"),
        None => format!("`{found}` is not known; choose one of `{}`", words.join("`, `")),
    }
}
