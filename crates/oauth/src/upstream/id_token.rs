//! Is an id_token of a provider good? Its signature by the provider's key, and each claim that OpenID Connect Core
//! §3.1.3.7 names.

use std::time::Duration;

use aws_lc_rs::digest;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};

use super::UpstreamRefusal;
use crate::model::SecretDigest;
use crate::moment::{earlier, later};

/// By how much clocks may differ.
const LEEWAY: Duration = Duration::from_secs(60);
/// A token is made for this sign-in: not long before it began.
const AHEAD: Duration = Duration::from_secs(5 * 60);
/// Longer ones are not worth reading.
const LONGEST: usize = 32 * 1024;

/// The claims of a token or of userinfo.
pub(super) type Claims = Map<String, Value>;

/// What a good token must say.
pub(super) struct Expected<'a> {
    pub issuer: &'a str,
    pub client_id: &'a str,
    pub nonce: &'a str,
    pub access_token: Option<&'a str>,
    pub began_at: Timestamp,
    pub now: Timestamp,
}

/// The id of the key that a token names.
pub(super) fn key_id(token: &str) -> Result<Option<String>, UpstreamRefusal> {
    if token.len() > LONGEST {
        return Err(UpstreamRefusal::Untrusted("the id_token is too long"));
    }
    // An unknown algorithm, and `none` is one, is no header at all.
    let header = decode_header(token).map_err(|_| UpstreamRefusal::Untrusted("the id_token has no sound header"))?;
    Ok(header.kid)
}

/// Judges a token. Answers what it says.
pub(super) fn verify(token: &str, keys: &JwkSet, expected: &Expected<'_>) -> Result<Claims, UpstreamRefusal> {
    let untrusted = UpstreamRefusal::Untrusted;
    let header = decode_header(token).map_err(|_| untrusted("the id_token has no sound header"))?;
    if header.crit.is_some() {
        return Err(untrusted("the id_token has extensions that are not known"));
    }
    let key = key(keys, header.kid.as_deref(), header.alg)
        .ok_or(untrusted("no key of the provider signs id_tokens like this one"))?;
    let mut validation = Validation::new(header.alg);
    // Each claim is compared below, and times with the clock that we were given.
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_nbf = false;
    validation.validate_aud = false;
    let key = DecodingKey::from_jwk(key).map_err(|_| untrusted("the key of the provider cannot be read"))?;
    let claims = decode::<Claims>(token, &key, &validation)
        .map_err(|_| untrusted("the signature of the id_token is wrong"))?
        .claims;
    let broken = broken(&claims, expected).or_else(|| wrong_hash(&claims, header.alg, expected.access_token));
    broken.map_or(Ok(claims), |why| Err(untrusted(why)))
}

/// The rule that the claims break.
fn broken(claims: &Claims, expected: &Expected<'_>) -> Option<&'static str> {
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    if text("iss") != Some(expected.issuer) {
        return Some("the id_token is of another issuer");
    }
    let audience: Vec<_> = match claims.get("aud") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !audience.contains(&expected.client_id) {
        return Some("the id_token is for another client");
    }
    let presenter = claims.get("azp");
    if presenter.is_some_and(|azp| azp != expected.client_id) || (presenter.is_none() && audience.len() > 1) {
        return Some("the id_token was issued to another client");
    }
    let moment = |name: &str| claims.get(name).and_then(seconds);
    let (now, latest) = (expected.now, later(expected.now, LEEWAY));
    if moment("exp").is_none_or(|end| later(end, LEEWAY) <= now) {
        return Some("the id_token has expired");
    }
    let made = moment("iat");
    if made.is_none_or(|made| made > latest || later(made, LEEWAY) < earlier(expected.began_at, AHEAD)) {
        return Some("the id_token was made at another time");
    }
    if claims.contains_key("nbf") && moment("nbf").is_none_or(|begin| begin > latest) {
        return Some("the id_token is not good yet");
    }
    let nonce = text("nonce").map(SecretDigest::of);
    if !nonce.is_some_and(|nonce| nonce.matches(&SecretDigest::of(expected.nonce))) {
        return Some("the id_token was made for another sign-in");
    }
    if text("sub").is_none_or(|subject| !is_subject(subject)) {
        return Some("the id_token names nobody");
    }
    None
}

/// `at_hash` ties the access token to the id_token, where the provider says it.
fn wrong_hash(claims: &Claims, algorithm: Algorithm, access_token: Option<&str>) -> Option<&'static str> {
    let stated = claims.get("at_hash")?;
    let token = access_token.unwrap_or_default().as_bytes();
    let hash = match algorithm {
        Algorithm::RS384 | Algorithm::PS384 | Algorithm::ES384 => digest::digest(&digest::SHA384, token),
        Algorithm::RS512 | Algorithm::PS512 | Algorithm::EdDSA => digest::digest(&digest::SHA512, token),
        _ => digest::digest(&digest::SHA256, token),
    };
    let half = URL_SAFE_NO_PAD.encode(&hash.as_ref()[..hash.as_ref().len() / 2]);
    (stated != half.as_str()).then_some("the access token is not the one that the id_token speaks of")
}

/// The key of this id that may sign with this algorithm. Without an id there must be one such key and no other.
fn key<'a>(keys: &'a JwkSet, kid: Option<&str>, algorithm: Algorithm) -> Option<&'a Jwk> {
    let mut fitting = keys
        .keys
        .iter()
        .filter(|key| kid.is_none_or(|kid| key.common.key_id.as_deref() == Some(kid)) && may_sign(key, algorithm));
    let first = fitting.next()?;
    (kid.is_some() || fitting.next().is_none()).then_some(first)
}

/// The algorithm is the key's: what it says, else what its kind allows. Never a shared secret, and never none.
fn may_sign(key: &Jwk, algorithm: Algorithm) -> bool {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    if key.common.public_key_use.as_ref().is_some_and(|usage| *usage != PublicKeyUse::Signature) {
        return false;
    }
    let by_kind: &[Algorithm] = match &key.algorithm {
        AlgorithmParameters::RSA(_) => &[RS256, RS384, RS512, PS256, PS384, PS512],
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => &[ES256],
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P384 => &[ES384],
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => &[EdDSA],
        _ => &[],
    };
    let stated = match key.common.key_algorithm {
        None => None,
        Some(KeyAlgorithm::RS256) => Some(RS256),
        Some(KeyAlgorithm::RS384) => Some(RS384),
        Some(KeyAlgorithm::RS512) => Some(RS512),
        Some(KeyAlgorithm::PS256) => Some(PS256),
        Some(KeyAlgorithm::PS384) => Some(PS384),
        Some(KeyAlgorithm::PS512) => Some(PS512),
        Some(KeyAlgorithm::ES256) => Some(ES256),
        Some(KeyAlgorithm::ES384) => Some(ES384),
        Some(KeyAlgorithm::EdDSA) => Some(EdDSA),
        Some(_) => return false,
    };
    by_kind.contains(&algorithm) && stated.is_none_or(|stated| stated == algorithm)
}

/// A moment in seconds since 1970; some providers write a fraction.
pub(super) fn seconds(value: &Value) -> Option<Timestamp> {
    let whole = value.as_i64().or_else(|| {
        let number = value.as_f64().filter(|number| number.abs() < 1e12)?;
        #[expect(clippy::cast_possible_truncation, reason = "bounded above; the fraction is not needed")]
        Some(number as i64)
    })?;
    Timestamp::from_second(whole).ok()
}

/// Core §2: at most 255 characters.
fn is_subject(subject: &str) -> bool {
    (1..=255).contains(&subject.len()) && !subject.chars().any(char::is_control)
}

#[cfg(test)]
mod tests;
