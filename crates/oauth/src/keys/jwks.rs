//! Public keys as JSON (RFC 7517) and their thumbprints (RFC 7638).

use aws_lc_rs::digest;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

/// The public half of a signing key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Jwk {
    kty: &'static str,
    kid: String,
    alg: &'static str,
    #[serde(rename = "use")]
    usage: &'static str,
    #[serde(flatten)]
    point: Point,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Point {
    Curve { crv: &'static str, x: String, y: String },
    Edwards { crv: &'static str, x: String },
    Rsa { n: String, e: String },
}

impl Jwk {
    /// From an uncompressed point: 0x04, x, y.
    pub(super) fn p256(kid: &str, point: &[u8]) -> Self {
        let (x, y) = point.split_at(1).1.split_at(32);
        Self::new("EC", "ES256", kid, Point::Curve { crv: "P-256", x: encode(x), y: encode(y) })
    }

    pub(super) fn ed25519(kid: &str, point: &[u8]) -> Self {
        Self::new("OKP", "EdDSA", kid, Point::Edwards { crv: "Ed25519", x: encode(point) })
    }

    pub(super) fn rsa(kid: &str, modulus: &[u8], exponent: &[u8]) -> Self {
        Self::new("RSA", "RS256", kid, Point::Rsa { n: encode(modulus), e: encode(exponent) })
    }

    fn new(kty: &'static str, alg: &'static str, kid: &str, point: Point) -> Self {
        Self { kty, kid: kid.to_owned(), alg, usage: "sig", point }
    }

    /// SHA-256 over the required members in lexicographic order.
    pub fn thumbprint(&self) -> String {
        let members = match &self.point {
            Point::Curve { crv, x, y } => format!(r#"{{"crv":"{crv}","kty":"EC","x":"{x}","y":"{y}"}}"#),
            Point::Edwards { crv, x } => format!(r#"{{"crv":"{crv}","kty":"OKP","x":"{x}"}}"#),
            Point::Rsa { n, e } => format!(r#"{{"e":"{e}","kty":"RSA","n":"{n}"}}"#),
        };
        encode(digest::digest(&digest::SHA256, members.as_bytes()).as_ref())
    }
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
