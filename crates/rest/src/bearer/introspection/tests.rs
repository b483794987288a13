//! Tokens that a listening server is asked about.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::{Value, json};

use super::{IntrospectionVerify, Introspector};
use crate::bearer::{Caller, Unverifiable, Verify};

const NOW: u64 = 1_800_000_000;

#[derive(Clone, Default)]
struct Issuer {
    says: Arc<Mutex<(u16, String)>>,
    asked: Arc<Mutex<Vec<(String, String)>>>,
    seconds: Arc<AtomicU64>,
}

impl Issuer {
    fn says(&self, status: u16, body: impl ToString) {
        *self.says.lock().unwrap() = (status, body.to_string());
    }

    fn questions(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

async fn introspect(State(issuer): State<Issuer>, headers: HeaderMap, body: String) -> Response {
    issuer.asked.lock().unwrap().push((headers["authorization"].to_str().unwrap().to_owned(), body));
    let (status, body) = issuer.says.lock().unwrap().clone();
    (StatusCode::from_u16(status).unwrap(), body).into_response()
}

async fn world(audience: Option<&str>) -> (Issuer, IntrospectionVerify) {
    let issuer = Issuer::default();
    issuer.seconds.store(NOW, Ordering::Relaxed);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}/introspect", listener.local_addr().unwrap());
    let app = Router::new().route("/introspect", post(introspect)).with_state(issuer.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    let introspector = Introspector {
        endpoint,
        client_id: "the api".into(),
        client_secret: "s:cret".into(),
        audience: audience.map(str::to_owned),
    };
    let seconds = issuer.seconds.clone();
    let clock = Arc::new(move || Duration::from_secs(seconds.load(Ordering::Relaxed)));
    (issuer, IntrospectionVerify::new(introspector, reqwest::Client::new(), clock))
}

fn active() -> Value {
    json!({"active": true, "client_id": "app", "sub": "ada", "scope": "read:x", "exp": NOW + 60, "token_type": "Bearer", "aud": "https://api.example", "auth_time": NOW - 60, "acr": "1"})
}

fn with(name: &str, value: Value) -> Value {
    let mut answer = active();
    answer[name] = value;
    answer
}

#[tokio::test]
async fn an_active_token_names_its_caller() {
    let (issuer, verify) = world(Some("https://api.example")).await;
    issuer.says(200, active());

    let caller = verify.verify("a+b").await.unwrap().unwrap();

    let expected = Caller {
        client: "app".into(),
        subject: Some("ada".into()),
        scopes: vec!["read:x".into()],
        version_pin: None,
        expires_at: Some(NOW as i64 + 60),
        key_binding: None,
        authenticated_at: Some(NOW as i64 - 60),
        acr: Some("1".into()),
    };
    assert_eq!(caller, expected);
    let asked = issuer.asked.lock().unwrap();
    assert_eq!(asked[0].0, "Basic dGhlJTIwYXBpOnMlM0FjcmV0");
    assert_eq!(asked[0].1, "token=a%2Bb&token_type_hint=access_token");
}

#[tokio::test]
async fn what_is_not_good_here_is_not_good() {
    let (issuer, verify) = world(Some("https://api.example")).await;
    for answer in [
        json!({"active": false}),
        with("active", json!(false)),
        with("exp", json!(NOW)),
        with("nbf", json!(NOW + 1)),
        with("aud", json!(["https://other.example"])),
        with("aud", Value::Null),
        with("token_type", Value::Null),
        with("token_type", json!("refresh_token")),
        with("client_id", Value::Null),
    ] {
        issuer.says(200, &answer);

        assert_eq!(verify.verify("t").await, Ok(None), "{answer}");
    }
}

#[tokio::test]
async fn an_issuer_that_does_not_know_us_or_does_not_answer_is_told_apart() {
    let (issuer, verify) = world(None).await;
    for (status, body) in [(401, ""), (403, ""), (404, ""), (302, ""), (200, "<html>"), (200, "{}")] {
        issuer.says(status, body);
        assert!(matches!(verify.verify("t").await, Err(Unverifiable::Failed(_))), "{status} {body}");
    }
    for status in [429, 500, 503] {
        issuer.says(status, "");
        assert!(matches!(verify.verify("t").await, Err(Unverifiable::Unavailable(_))), "{status}");
    }
    issuer.says(200, "x".repeat(300 * 1024));
    assert!(matches!(verify.verify("t").await, Err(Unverifiable::Failed(_))));
}

#[tokio::test]
async fn nothing_is_believed_twice_unless_a_time_is_given() {
    let (issuer, verify) = world(None).await;
    issuer.says(200, active());

    verify.verify("t").await.unwrap().unwrap();
    issuer.says(200, json!({"active": false}));

    assert_eq!(verify.verify("t").await, Ok(None));
}

#[tokio::test]
async fn a_good_answer_is_believed_for_the_time_and_not_beyond_the_tokens_end() {
    let (issuer, verify) = world(None).await;
    let verify = verify.cached_for(Duration::from_secs(30));
    issuer.says(200, with("exp", json!(NOW + 40)));
    verify.verify("t").await.unwrap().unwrap();
    issuer.seconds.store(NOW + 29, Ordering::Relaxed);
    assert!(verify.verify("t").await.unwrap().is_some());
    assert_eq!(issuer.questions(), 1);

    issuer.seconds.store(NOW + 30, Ordering::Relaxed);
    assert!(verify.verify("t").await.unwrap().is_some());
    assert_eq!(issuer.questions(), 2);
    issuer.seconds.store(NOW + 40, Ordering::Relaxed);

    assert_eq!(verify.verify("t").await, Ok(None));
    assert_eq!(issuer.questions(), 3);
    assert!(verify.verify("other").await.unwrap().is_none());
}
