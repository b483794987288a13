//! The declared API from outside: the shop, on both engines.

mod actions;
mod by_hand;
mod conditions;
mod declared;
mod handlers;
mod idempotency;
mod lists;
mod orders;
mod patches;
mod payments;
mod prepared;
mod races;
mod recent;
mod refusals;
mod search;
mod sizes;
mod slow_handlers;
mod surface;
mod users;
mod versions;
mod who;

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use crate::app::App;
use crate::house::{House, Registered};
use crate::person::Person;

/// Every scope of the shop.
pub const SCOPES: &str = "read:users write:users read:orders write:orders read:payments write:payments";

/// Someone who calls the API with a token.
#[derive(Clone)]
pub struct Caller {
    pub http: reqwest::Client,
    pub origin: String,
    pub token: String,
}

impl Caller {
    /// A client that speaks for itself, with every scope.
    pub async fn client(house: &House) -> Self {
        Self::client_with(house, "till", SCOPES).await
    }

    /// The same, with these scopes.
    pub async fn client_with(house: &House, id: &str, scope: &str) -> Self {
        let client = register(house, id, scope);
        Self::with(house, house.token(&client).await)
    }

    /// A user who allowed an app everything in the shop.
    pub async fn user(house: &House, name: &str) -> Self {
        let id = format!("app-of-{name}");
        let arguments = ["client", "add", "--name", &id, "--id", &id, "--redirect-uri", crate::app::CALLBACK];
        let made = house.json(&[&arguments[..], &["--scope", &format!("openid {SCOPES}")]].concat());
        let secret = made["client_secret"].as_str().unwrap().to_owned();
        let app = App { client: Registered { id, secret } };
        let scope = format!("openid {SCOPES}");
        let tokens = app.tokens(house, &Person::new(house, name), &[("scope", &scope)]).await;
        Self::with(house, tokens.access)
    }

    pub fn with(house: &House, token: String) -> Self {
        let origin = house.api.clone().unwrap_or_else(|| house.origin.clone());
        Self { http: house.http.clone(), origin, token }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.origin)).bearer_auth(&self.token)
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    pub fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        self.request(Method::POST, path).json(body)
    }

    pub fn put(&self, path: &str, body: &Value) -> RequestBuilder {
        self.request(Method::PUT, path).json(body)
    }

    pub fn patch(&self, path: &str, body: &Value) -> RequestBuilder {
        let patch = self.request(Method::PATCH, path).header("content-type", "application/merge-patch+json");
        patch.body(body.to_string())
    }

    pub fn delete(&self, path: &str) -> RequestBuilder {
        self.request(Method::DELETE, path)
    }

    /// Makes something, and answers it.
    pub async fn make(&self, path: &str, body: Value) -> Value {
        sent(self.post(path, &body), 201).await
    }

    /// Makes a user of the shop, and answers its path.
    pub async fn make_user(&self, name: &str) -> String {
        let made = self.make("/api/users", json!({ "name": name, "email": format!("{name}@example.org") })).await;
        self_link(&made)
    }

    /// Makes an order, and answers its path.
    pub async fn make_order(&self, body: Value) -> String {
        self_link(&self.make("/api/orders", body).await)
    }

    pub async fn read(&self, path: &str) -> Value {
        sent(self.get(path), 200).await
    }

    /// One member of each row of a list.
    pub async fn column(&self, path: &str, member: &str) -> Vec<Value> {
        let list = self.read(path).await;
        list["data"].as_array().unwrap().iter().map(|row| row[member].clone()).collect()
    }
}

pub fn register(house: &House, id: &str, scope: &str) -> Registered {
    let made =
        house.json(&["client", "add", "--name", id, "--id", id, "--grant", "client_credentials", "--scope", scope]);
    Registered { id: id.to_owned(), secret: made["client_secret"].as_str().unwrap().to_owned() }
}

pub fn self_link(resource: &Value) -> String {
    resource["links"]["self"].as_str().unwrap_or_else(|| panic!("{resource}")).to_owned()
}

/// Sends a request that must be answered with this status, and reads the JSON.
pub async fn sent(request: RequestBuilder, status: u16) -> Value {
    let answer = status_of(request, status).await;
    let body = answer.text().await.unwrap();
    serde_json::from_str(&body).unwrap_or_else(|_| panic!("no JSON: {body}"))
}

/// Sends a request that must be answered with this status.
pub async fn status_of(request: RequestBuilder, status: u16) -> Response {
    let answer = request.send().await.unwrap();
    let seen = answer.status();
    if seen != status {
        panic!("{seen} instead of {status}: {}", answer.text().await.unwrap());
    }
    answer
}

/// The pairs of field and code in the errors of a problem, sorted.
pub fn errors(problem: &Value) -> Vec<(String, String)> {
    let errors = problem["errors"].as_array().unwrap_or_else(|| panic!("{problem}"));
    let text = |error: &Value, name: &str| error[name].as_str().unwrap().to_owned();
    let mut pairs: Vec<_> = errors.iter().map(|error| (text(error, "field"), text(error, "code"))).collect();
    pairs.sort();
    pairs
}

/// The same pairs, written down.
pub fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(field, code)| ((*field).to_owned(), (*code).to_owned())).collect()
}
