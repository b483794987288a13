//! A listening server for one test, and short ways to ask it.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use example_resource_server::{World, app};
use reqwest::{Method, RequestBuilder, StatusCode, header::HeaderMap};
use serde_json::{Value, json};
use valetkey_rest::{
    bearer::{Caller, Challenge, Unverifiable, Verify, async_trait},
    rate_limit::Quota,
};

/// Tokens are `<client>.<scope>.<scope>…`; `ada.…` speaks for a user.
struct Tokens;

#[async_trait]
impl Verify for Tokens {
    async fn verify(&self, token: &str) -> Result<Option<Caller>, Unverifiable> {
        let mut words = token.split('.').map(str::to_owned);
        let client = words.next().unwrap_or_default();
        let scopes = words.map(|scope| scope.replace('_', ":")).collect();
        Ok((client != "bad").then(|| Caller {
            subject: (client == "ada").then(|| "ada".into()),
            client,
            scopes,
            ..Caller::default()
        }))
    }
}

pub struct Server {
    origin: String,
    http: reqwest::Client,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{} {}", self.status, self.body))
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The fields and codes of a problem.
    pub fn errors(&self) -> Vec<(String, String)> {
        let errors = self.json()["errors"].as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        errors.iter().map(|error| (text(&error["field"]), text(&error["code"]))).collect()
    }
}

impl Server {
    pub async fn start() -> Self {
        Self::with_limit(10_000).await
    }

    pub async fn with_limit(limit: u64) -> Self {
        let counter = Mutex::new(0_u64);
        let world = World {
            problems: "https://id.example".into(),
            verify: Arc::new(Tokens),
            challenge: Challenge { realm: "shop".into(), resource_metadata: None },
            quota: Quota { limit, window: Duration::from_secs(60) },
            origins: vec!["https://app.example".into()],
            cursor_key: [1; 32],
            clock: Arc::new(|| Duration::from_secs(1_800_000_000)),
            // Ids that grow, though the clock stands still.
            random: Arc::new(move |bytes| {
                let mut counter = counter.lock().unwrap();
                *counter += 1;
                bytes[..8].copy_from_slice(&(*counter << 32).to_be_bytes());
            }),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app(world)).await });
        Self { origin, http: reqwest::Client::new() }
    }

    /// A request without a token.
    pub fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.origin))
    }

    /// A request of a client that may do everything.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).bearer_auth("app.read_users.write_users")
    }

    pub async fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path)).await
    }

    pub async fn post(&self, body: &Value) -> Answer {
        send(self.request(Method::POST, "/api/users").json(body)).await
    }

    /// The path of a new user.
    pub async fn user(&self, name: &str) -> String {
        let made = self.post(&json!({"name": name, "email": format!("{name}@example.com")})).await;
        assert_eq!(made.status, 201, "{}", made.body);
        made.header("location").to_owned()
    }
}

pub async fn send(request: RequestBuilder) -> Answer {
    let answer = request.send().await.unwrap();
    Answer { status: answer.status(), headers: answer.headers().clone(), body: answer.text().await.unwrap() }
}
