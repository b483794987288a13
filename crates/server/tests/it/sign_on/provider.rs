//! Another OpenID Connect provider: a real listener that knows one person, and lies where a test tells it to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Map, Value, json};
use tokio::net::TcpListener;
use url::Url;

pub const CLIENT: &str = "valetkey at corp";
pub const SECRET: &str = "s3cr3t/of+corp & more";

/// Who signs id_tokens, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Signature {
    #[default]
    Sound,
    /// A key of its own under the id of the published one.
    Foreign,
    /// A key that is not published.
    Unpublished,
    /// `alg: none`, without a signature.
    None,
    /// The published key, used as a shared secret.
    Shared,
    /// The signature of another token.
    Torn,
}

/// What the provider does.
#[derive(Clone, Default)]
pub struct Manner {
    /// Who is there.
    pub person: Map<String, Value>,
    /// Put over the claims of the id_token; null takes one away.
    pub claims: Map<String, Value>,
    /// Put over the discovery document.
    pub metadata: Map<String, Value>,
    /// The claims of the person stand in the id_token, and not only at userinfo.
    pub talks: bool,
    /// Put over what userinfo says.
    pub userinfo: Map<String, Value>,
    pub signature: Signature,
    /// `iss` of the answer; none if empty.
    pub iss: Option<String>,
    /// The token endpoint answers with this error.
    pub error: Option<String>,
}

struct Code {
    nonce: String,
    challenge: String,
    redirect_uri: String,
}

struct Inner {
    issuer: String,
    key: EncodingKey,
    other: EncodingKey,
    jwk: Jwk,
    manner: Mutex<Manner>,
    codes: Mutex<HashMap<String, Code>>,
    calls: Mutex<Vec<&'static str>>,
}

#[derive(Clone)]
pub struct Provider(Arc<Inner>);

impl Provider {
    /// Listens, and knows this person.
    pub async fn knowing(person: Value) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let (key, jwk) = key("main");
        let manner = Manner { person: object(person), iss: Some(issuer.clone()), ..Manner::default() };
        let provider = Self(Arc::new(Inner {
            issuer,
            key,
            other: self::key("other").0,
            jwk,
            manner: Mutex::new(manner),
            codes: Mutex::default(),
            calls: Mutex::default(),
        }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/jwks", get(jwks))
            .route("/authorize", get(authorize))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        provider
    }

    pub fn issuer(&self) -> &str {
        &self.0.issuer
    }

    /// Changes what it does from now on.
    pub fn behave(&self, change: impl FnOnce(&mut Manner)) {
        change(&mut self.0.manner.lock().unwrap());
    }

    /// What was asked of it so far, by endpoint.
    pub fn calls(&self, endpoint: &str) -> usize {
        self.0.calls.lock().unwrap().iter().filter(|call| **call == endpoint).count()
    }

    /// Lets the person in who follows this address. Answers where they are sent, with the parameters there.
    pub fn let_in(&self, address: &str) -> (String, Vec<(String, String)>) {
        let asked = Asked::read(address.split_once('?').unwrap().1);
        let manner = self.manner();
        let mut answer = vec![("code".to_owned(), self.code(&asked)), ("state".to_owned(), asked.get("state"))];
        answer.extend(manner.iss.map(|iss| ("iss".to_owned(), iss)));
        (asked.get("redirect_uri"), answer)
    }

    fn code(&self, asked: &Asked) -> String {
        let mut codes = self.0.codes.lock().unwrap();
        let code = format!("code-{}", codes.len());
        let (nonce, challenge) = (asked.get("nonce"), asked.get("code_challenge"));
        assert_eq!((asked.get("response_type").as_str(), asked.get("client_id").as_str()), ("code", CLIENT));
        assert_eq!(asked.get("code_challenge_method"), "S256");
        codes.insert(code.clone(), Code { nonce, challenge, redirect_uri: asked.get("redirect_uri") });
        code
    }

    fn manner(&self) -> Manner {
        self.0.manner.lock().unwrap().clone()
    }

    fn called(&self, endpoint: &'static str) {
        self.0.calls.lock().unwrap().push(endpoint);
    }

    fn id_token(&self, manner: &Manner, nonce: &str) -> String {
        let now = now();
        let hash = digest(&SHA256, b"access");
        let mut claims = object(json!({
            "iss": self.0.issuer,
            "aud": CLIENT,
            "sub": manner.person["sub"],
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            "at_hash": URL_SAFE_NO_PAD.encode(&hash.as_ref()[..16]),
        }));
        if manner.talks {
            claims.extend(manner.person.clone());
        }
        put_over(&mut claims, &manner.claims);
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some("main".to_owned());
        match manner.signature {
            Signature::Sound => encode(&header, &claims, &self.0.key).unwrap(),
            Signature::Foreign => encode(&header, &claims, &self.0.other).unwrap(),
            Signature::Unpublished => {
                header.kid = Some("other".to_owned());
                encode(&header, &claims, &self.0.other).unwrap()
            }
            Signature::None => {
                let part = |value: Value| URL_SAFE_NO_PAD.encode(value.to_string());
                format!("{}.{}.", part(json!({ "alg": "none", "kid": "main" })), part(Value::Object(claims)))
            }
            Signature::Shared => {
                let published = serde_json::to_vec(&self.0.jwk).unwrap();
                let header = Header { kid: header.kid, ..Header::new(Algorithm::HS256) };
                encode(&header, &claims, &EncodingKey::from_secret(&published)).unwrap()
            }
            Signature::Torn => {
                let sound = encode(&header, &claims, &self.0.key).unwrap();
                claims.insert("sub".to_owned(), "someone else".into());
                let other = encode(&header, &claims, &self.0.key).unwrap();
                format!("{}.{}", sound.rsplit_once('.').unwrap().0, other.rsplit_once('.').unwrap().1)
            }
        }
    }
}

struct Asked(Vec<(String, String)>);

impl Asked {
    fn read(query: &str) -> Self {
        Self(url::form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    fn get(&self, name: &str) -> String {
        let found: Vec<_> = self.0.iter().filter(|(known, _)| known == name).collect();
        assert!(found.len() < 2, "{name} stands twice");
        found.first().map(|(_, value)| value.clone()).unwrap_or_default()
    }
}

async fn discovery(State(provider): State<Provider>) -> Json<Value> {
    provider.called("discovery");
    let issuer = &provider.0.issuer;
    let mut document = object(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "userinfo_endpoint": format!("{issuer}/userinfo"),
        "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"],
        "authorization_response_iss_parameter_supported": true,
    }));
    put_over(&mut document, &provider.manner().metadata);
    Json(Value::Object(document))
}

async fn jwks(State(provider): State<Provider>) -> Json<Value> {
    provider.called("jwks");
    Json(json!({ "keys": [provider.0.jwk] }))
}

/// Where a browser comes by itself: it is let in at once.
async fn authorize(State(provider): State<Provider>, RawQuery(query): RawQuery) -> Response {
    provider.called("authorize");
    let (back, answer) = provider.let_in(&format!("/authorize?{}", query.unwrap_or_default()));
    let location = Url::parse_with_params(&back, answer).unwrap();
    (StatusCode::FOUND, [(header::LOCATION, location.to_string())]).into_response()
}

async fn token(State(provider): State<Provider>, headers: HeaderMap, body: String) -> Response {
    provider.called("token");
    let (form, manner) = (Asked::read(&body), provider.manner());
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let methods = manner.metadata.get("token_endpoint_auth_methods_supported");
    if methods.is_some_and(|methods| methods == &json!(["client_secret_post"])) {
        assert!(!headers.contains_key("authorization"));
        assert_eq!((form.get("client_id").as_str(), form.get("client_secret").as_str()), (CLIENT, SECRET));
    } else {
        let given = headers["authorization"].to_str().unwrap().strip_prefix("Basic ").unwrap();
        let given = String::from_utf8(STANDARD.decode(given).unwrap()).unwrap().replace("%20", "+");
        assert_eq!(given, format!("{}:{}", encoded(CLIENT), encoded(SECRET)));
        assert_eq!(form.get("client_secret"), "");
    }
    let code = provider.0.codes.lock().unwrap().remove(&form.get("code"));
    let is_sound = |code: &Code| {
        let challenge = URL_SAFE_NO_PAD.encode(digest(&SHA256, form.get("code_verifier").as_bytes()));
        code.challenge == challenge && code.redirect_uri == form.get("redirect_uri")
    };
    let Some(code) = code.filter(|code| is_sound(code) && manner.error.is_none()) else {
        let error = manner.error.unwrap_or_else(|| "invalid_grant".to_owned());
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": error }))).into_response();
    };
    let id_token = provider.id_token(&manner, &code.nonce);
    Json(json!({ "access_token": "access", "token_type": "Bearer", "id_token": id_token })).into_response()
}

async fn userinfo(State(provider): State<Provider>, headers: HeaderMap) -> Json<Value> {
    provider.called("userinfo");
    assert_eq!(headers["authorization"], "Bearer access");
    let manner = provider.manner();
    let mut claims = manner.person;
    put_over(&mut claims, &manner.userinfo);
    Json(Value::Object(claims))
}

fn put_over(claims: &mut Map<String, Value>, over: &Map<String, Value>) {
    for (name, value) in over {
        if value.is_null() {
            claims.remove(name);
        } else {
            claims.insert(name.clone(), value.clone());
        }
    }
}

pub fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[expect(clippy::disallowed_methods, reason = "a provider elsewhere has a clock of its own")]
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

fn key(id: &str) -> (EncodingKey, Jwk) {
    let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
    let key = EncodingKey::from_ec_der(pair.to_pkcs8v1().unwrap().as_ref());
    let mut jwk = Jwk::from_encoding_key(&key, Algorithm::ES256).unwrap();
    jwk.common.key_id = Some(id.to_owned());
    (key, jwk)
}
