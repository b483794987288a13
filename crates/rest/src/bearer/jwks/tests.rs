//! Tokens signed here, verified with keys from a listening server.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use aws_lc_rs::{
    encoding::AsDer,
    rsa::KeySize,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, RsaKeyPair},
};
use axum::{Router, extract::State, response::IntoResponse, routing::get};
use base64::{Engine, engine::general_purpose::STANDARD};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, jwk::Jwk};
use serde_json::{Value, json};

use super::{JwksVerify, Trust};
use crate::bearer::{Caller, Unverifiable, Verify};

const NOW: u64 = 1_800_000_000;

struct Issuer {
    published: Arc<Mutex<Value>>,
    fetches: Arc<AtomicUsize>,
    seconds: Arc<AtomicU64>,
    verify: JwksVerify,
}

impl Issuer {
    async fn new(keys: &[Value]) -> Self {
        let published = Arc::new(Mutex::new(json!({"keys": keys})));
        let fetches = Arc::new(AtomicUsize::new(0));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let jwks_uri = format!("http://{}/jwks", listener.local_addr().unwrap());
        let app = Router::new().route("/jwks", get(publish)).with_state((published.clone(), fetches.clone()));
        tokio::spawn(async move { axum::serve(listener, app).await });
        let seconds = Arc::new(AtomicU64::new(NOW));
        let clock = seconds.clone();
        let trust = Trust { issuer: "https://id.example".into(), audience: "https://api.example".into(), jwks_uri };
        let verify = JwksVerify::new(
            trust,
            reqwest::Client::new(),
            Arc::new(move || Duration::from_secs(clock.load(Ordering::Relaxed))),
        );
        Self { published, fetches, seconds, verify }
    }

    async fn ask(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        self.verify.verify(token).await
    }

    fn fetches(&self) -> usize {
        self.fetches.load(Ordering::SeqCst)
    }
}

async fn publish(
    State((published, fetches)): State<(Arc<Mutex<Value>>, Arc<AtomicUsize>)>,
) -> axum::response::Response {
    fetches.fetch_add(1, Ordering::SeqCst);
    let set = published.lock().unwrap().clone();
    if set.is_null() { http::StatusCode::BAD_GATEWAY.into_response() } else { axum::Json(set).into_response() }
}

struct Key {
    algorithm: Algorithm,
    kid: &'static str,
    secret: EncodingKey,
}

impl Key {
    fn ed(kid: &'static str) -> Self {
        let pair = Ed25519KeyPair::generate().unwrap();
        let der = pair.to_pkcs8v1().unwrap();
        Self { algorithm: Algorithm::EdDSA, kid, secret: EncodingKey::from_ed_der(der.as_ref()) }
    }

    fn ec(kid: &'static str) -> Self {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let der = pair.to_pkcs8v1().unwrap();
        Self { algorithm: Algorithm::ES256, kid, secret: EncodingKey::from_ec_der(der.as_ref()) }
    }

    fn rsa(kid: &'static str) -> Self {
        let pair = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
        let der: aws_lc_rs::encoding::Pkcs8V1Der<'_> = pair.as_der().unwrap();
        let pem =
            format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(der.as_ref()));
        Self { algorithm: Algorithm::RS256, kid, secret: EncodingKey::from_rsa_pem(pem.as_bytes()).unwrap() }
    }

    fn public(&self) -> Value {
        let mut jwk = Jwk::from_encoding_key(&self.secret, self.algorithm).unwrap();
        jwk.common.key_id = Some(self.kid.to_owned());
        serde_json::to_value(jwk).unwrap()
    }

    fn sign(&self, claims: &Value) -> String {
        self.sign_as("at+jwt", claims)
    }

    fn sign_as(&self, typ: &str, claims: &Value) -> String {
        let mut header = Header::new(self.algorithm);
        header.kid = Some(self.kid.to_owned());
        header.typ = Some(typ.to_owned());
        encode(&header, claims, &self.secret).unwrap()
    }
}

fn claims() -> Value {
    json!({
        "iss": "https://id.example", "aud": "https://api.example", "sub": "ada", "client_id": "app",
        "exp": NOW + 60, "iat": NOW, "jti": "1", "scope": "read:x write:x", "api_version": "2",
    })
}

fn with(name: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[name] = value;
    claims
}

#[tokio::test]
async fn a_token_of_each_algorithm_is_good() {
    let keys = [Key::ed("1"), Key::ec("2"), Key::rsa("3")];
    let issuer = Issuer::new(&keys.each_ref().map(Key::public)).await;
    for key in &keys {
        let caller = issuer.ask(&key.sign(&claims())).await.unwrap().expect(key.kid);

        assert_eq!((caller.client.as_str(), caller.subject.as_deref()), ("app", Some("ada")));
        assert!(caller.has("write:x"));
        assert_eq!((caller.version_pin.as_deref(), caller.expires_at), (Some("2"), Some(NOW as i64 + 60)));
    }
    assert_eq!(issuer.fetches(), 1);
}

#[tokio::test]
async fn a_client_that_speaks_for_itself_has_no_subject() {
    let key = Key::ed("1");
    let issuer = Issuer::new(&[key.public()]).await;

    assert_eq!(issuer.ask(&key.sign(&with("sub", json!("app")))).await.unwrap().unwrap().subject, None);
}

#[tokio::test]
async fn whatever_is_wrong_with_a_token_it_is_not_good() {
    let key = Key::ed("1");
    let issuer = Issuer::new(&[key.public()]).await;
    let mut signed_with_another_key = Key::ed("1").sign(&claims());
    let good = key.sign(&claims());
    let mut cut = good.clone();
    cut.pop();
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiYXQrand0Iiwia2lkIjoiMSJ9.e30.";
    for token in [
        key.sign(&with("iss", json!("https://evil.example"))),
        key.sign(&with("aud", json!("https://other.example"))),
        key.sign(&with("aud", Value::Null)),
        key.sign(&with("exp", json!(NOW))),
        key.sign(&with("exp", json!("soon"))),
        key.sign(&with("nbf", json!(NOW + 6))),
        key.sign(&with("client_id", Value::Null)),
        key.sign_as("JWT", &claims()),
        std::mem::take(&mut signed_with_another_key),
        cut,
        none.to_owned(),
        "vk_at_opaque".to_owned(),
        "a.b.c".to_owned(),
        String::new(),
    ] {
        assert_eq!(issuer.ask(&token).await, Ok(None), "{token}");
    }
    assert!(issuer.ask(&good).await.unwrap().is_some());
    assert!(issuer.ask(&key.sign(&with("nbf", json!(NOW + 5)))).await.unwrap().is_some());
    assert!(issuer.ask(&key.sign(&with("aud", json!(["x", "https://api.example"])))).await.unwrap().is_some());
}

#[tokio::test]
async fn the_algorithm_is_the_keys_and_not_the_tokens_choice() {
    let key = Key::rsa("1");
    let mut public = key.public();
    public["alg"] = json!("PS256");
    let mut for_encryption = Key::ed("2").public();
    for_encryption["use"] = json!("enc");
    let issuer = Issuer::new(&[public, for_encryption]).await;
    let mut header = Header::new(Algorithm::HS256);
    header.kid = Some("1".into());
    header.typ = Some("at+jwt".into());
    let forged = encode(&header, &claims(), &EncodingKey::from_secret(b"n")).unwrap();

    assert_eq!(issuer.ask(&key.sign(&claims())).await, Ok(None));
    assert_eq!(issuer.ask(&forged).await, Ok(None));
}

#[tokio::test]
async fn an_unknown_key_is_looked_for_at_most_every_ten_seconds() {
    let (old, new) = (Key::ed("old"), Key::ed("new"));
    let issuer = Issuer::new(&[old.public()]).await;
    issuer.ask(&old.sign(&claims())).await.unwrap().unwrap();
    *issuer.published.lock().unwrap() = json!({"keys": [old.public(), new.public()]});

    for _ in 0..50 {
        assert_eq!(issuer.ask(&new.sign(&claims())).await, Ok(None));
    }
    assert_eq!(issuer.fetches(), 1);
    issuer.seconds.fetch_add(10, Ordering::Relaxed);

    assert!(issuer.ask(&new.sign(&claims())).await.unwrap().is_some());
    assert_eq!(issuer.fetches(), 2);
}

#[tokio::test]
async fn known_keys_serve_on_while_the_issuer_is_away_but_not_for_ever() {
    let key = Key::ed("1");
    let issuer = Issuer::new(&[key.public()]).await;
    let late = with("exp", json!(NOW + 10_000));
    issuer.ask(&key.sign(&late)).await.unwrap().unwrap();
    *issuer.published.lock().unwrap() = Value::Null;

    issuer.seconds.fetch_add(601, Ordering::Relaxed);
    assert!(issuer.ask(&key.sign(&late)).await.unwrap().is_some());
    assert_eq!(issuer.fetches(), 2);
    assert!(matches!(issuer.ask(&Key::ed("2").sign(&late)).await, Err(Unverifiable::Unavailable(_))));
    issuer.seconds.fetch_add(3_000, Ordering::Relaxed);
    assert!(matches!(issuer.ask(&key.sign(&late)).await, Err(Unverifiable::Unavailable(_))));
}

#[tokio::test]
async fn a_withdrawn_key_opens_nothing_after_ten_minutes() {
    let key = Key::ed("1");
    let issuer = Issuer::new(&[key.public()]).await;
    let late = key.sign(&with("exp", json!(NOW + 10_000)));
    issuer.ask(&late).await.unwrap().unwrap();
    *issuer.published.lock().unwrap() = json!({"keys": []});

    issuer.seconds.fetch_add(600, Ordering::Relaxed);

    assert_eq!(issuer.ask(&late).await, Ok(None));
}

#[tokio::test]
async fn many_first_requests_make_one_fetch() {
    let key = Key::ed("1");
    let issuer = Arc::new(Issuer::new(&[key.public()]).await);
    let token = key.sign(&claims());
    let tasks: Vec<_> = (0..32)
        .map(|_| {
            let (issuer, token) = (issuer.clone(), token.clone());
            tokio::spawn(async move { issuer.ask(&token).await })
        })
        .collect();
    for task in tasks {
        assert!(task.await.unwrap().unwrap().is_some());
    }

    assert_eq!(issuer.fetches(), 1);
}
