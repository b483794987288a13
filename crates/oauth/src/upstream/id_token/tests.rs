//! Signatures and keys; the claims are tried out against the whole server.

use aws_lc_rs::encoding::AsDer;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, RsaKeyPair};
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::json;

use super::*;

const NOW: i64 = 1_800_000_000;

fn rsa() -> EncodingKey {
    let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
    let der: aws_lc_rs::encoding::Pkcs8V1Der<'_> = pair.as_der().unwrap();
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(der.as_ref()));
    EncodingKey::from_rsa_pem(pem.as_bytes()).unwrap()
}

fn ec() -> EncodingKey {
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    EncodingKey::from_ec_der(pair.to_pkcs8v1().unwrap().as_ref())
}

/// The published form; without `alg` where a provider leaves it away.
fn public(key: &EncodingKey, kid: &str, algorithm: Algorithm, says_alg: bool) -> Jwk {
    let mut jwk = Jwk::from_encoding_key(key, algorithm).unwrap();
    jwk.common.key_id = Some(kid.to_owned());
    if !says_alg {
        jwk.common.key_algorithm = None;
    }
    jwk
}

fn token(key: &EncodingKey, kid: Option<&str>, algorithm: Algorithm) -> String {
    let mut header = Header::new(algorithm);
    header.kid = kid.map(str::to_owned);
    let claims = json!({
        "iss": "https://id.example", "aud": ["me"], "sub": "7", "nonce": "n", "iat": NOW, "exp": NOW as f64 + 60.5,
    });
    encode(&header, &claims, key).unwrap()
}

fn judge(token: &str, keys: Vec<Jwk>) -> Result<Claims, UpstreamRefusal> {
    let now = Timestamp::from_second(NOW).unwrap();
    let expected =
        Expected { issuer: "https://id.example", client_id: "me", nonce: "n", access_token: None, began_at: now, now };
    verify(token, &JwkSet { keys }, &expected)
}

#[test]
fn an_rsa_key_signs_with_what_it_says_or_with_any_of_its_family() {
    let key = rsa();

    for algorithm in [Algorithm::RS256, Algorithm::RS512, Algorithm::PS256] {
        let good = token(&key, Some("1"), algorithm);
        assert!(judge(&good, vec![public(&key, "1", algorithm, true)]).is_ok(), "{algorithm:?}");
        assert!(judge(&good, vec![public(&key, "1", algorithm, false)]).is_ok(), "{algorithm:?}");
    }
    let other = token(&key, Some("1"), Algorithm::PS256);
    assert!(judge(&other, vec![public(&key, "1", Algorithm::RS256, true)]).is_err(), "the key says another");
}

#[test]
fn a_token_without_a_key_id_is_good_where_there_is_no_choice() {
    let (key, other, curve) = (rsa(), rsa(), ec());
    let nameless = token(&key, None, Algorithm::RS256);
    let public = |key: &EncodingKey, kid: &str| public(key, kid, Algorithm::RS256, true);
    let curve = self::public(&curve, "3", Algorithm::ES256, true);

    assert!(judge(&nameless, vec![curve.clone(), public(&key, "1")]).is_ok());
    assert!(judge(&nameless, vec![public(&key, "1"), public(&other, "2")]).is_err());
    assert!(judge(&nameless, vec![curve]).is_err());
    assert!(judge(&nameless, Vec::new()).is_err());
}

#[test]
fn a_key_for_encryption_signs_nothing() {
    let key = rsa();
    let mut jwk = public(&key, "1", Algorithm::RS256, false);
    jwk.common.public_key_use = Some(PublicKeyUse::Encryption);

    assert!(judge(&token(&key, Some("1"), Algorithm::RS256), vec![jwk]).is_err());
}

#[test]
fn a_public_key_is_no_shared_secret() {
    let key = ec();
    let jwk = public(&key, "1", Algorithm::ES256, false);
    let shared = EncodingKey::from_secret(&serde_json::to_vec(&jwk).unwrap());

    assert!(judge(&token(&shared, Some("1"), Algorithm::HS256), vec![jwk]).is_err());
}

#[test]
fn what_is_no_token_at_all_is_refused_without_an_accident() {
    for text in ["", ".", "..", "a.b.c", "eyJhbGciOiJub25lIn0.e30.", &"x".repeat(40_000)] {
        assert!(key_id(text).is_err(), "{}", &text[..text.len().min(40)]);
        assert!(judge(text, Vec::new()).is_err());
    }
}
