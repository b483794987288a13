//! An app that people use: it asks for a code, redeems it, and refreshes what it got.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::RequestBuilder;
use serde_json::Value;

use crate::house::{House, Registered};
use crate::person::{self, Person};
use crate::token::succeeds;

pub const CALLBACK: &str = "https://app.example/cb";
pub const VERIFIER: &str = "the-verifier-of-an-app.has_between~43-and-128-characters";
pub const SCOPE: &str = "openid profile email read:orders write:orders";

/// A confidential client with one redirect URI.
#[derive(Clone)]
pub struct App {
    pub client: Registered,
}

/// What the token endpoint gave.
#[derive(Clone, Debug)]
pub struct Tokens {
    pub access: String,
    pub refresh: String,
    pub body: Value,
}

impl Tokens {
    pub fn read(body: Value) -> Self {
        let text = |name: &str| body[name].as_str().unwrap_or_else(|| panic!("no {name}: {body}")).to_owned();
        Self { access: text("access_token"), refresh: text("refresh_token"), body }
    }
}

impl App {
    /// Registers one.
    pub fn new(house: &House, id: &str) -> Self {
        let name = format!("The {id}");
        let made =
            house.json(&["client", "add", "--name", &name, "--id", id, "--redirect-uri", CALLBACK, "--scope", SCOPE]);
        let secret = made["client_secret"].as_str().unwrap().to_owned();
        Self { client: Registered { id: id.to_owned(), secret } }
    }

    /// What it sends to `/authorize`. A value given in `more` takes the place of the usual one; an empty one removes it.
    pub fn request<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, String)> {
        let usual = [
            ("response_type", "code".to_owned()),
            ("client_id", self.client.id.clone()),
            ("redirect_uri", CALLBACK.to_owned()),
            ("code_challenge", challenge(VERIFIER)),
            ("code_challenge_method", "S256".to_owned()),
            ("state", "s1".to_owned()),
        ];
        let kept = usual.into_iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
        let added =
            more.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| (*name, (*value).to_owned()));
        kept.chain(added).collect()
    }

    /// The link to `/authorize` with which it sends people here.
    pub fn link(&self, more: &[(&str, &str)]) -> String {
        let parameters = self.request(more);
        let borrowed: Vec<_> = parameters.iter().map(|(name, value)| (*name, value.as_str())).collect();
        person::link("/authorize", &borrowed)
    }

    /// Redeems a code.
    pub fn redeem(&self, house: &House, code: &str) -> RequestBuilder {
        self.redeem_with(house, &[("code", code)])
    }

    /// The same, with some parameters changed.
    pub fn redeem_with(&self, house: &House, more: &[(&str, &str)]) -> RequestBuilder {
        let usual = [("grant_type", "authorization_code"), ("redirect_uri", CALLBACK), ("code_verifier", VERIFIER)];
        let kept = usual.into_iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
        house.post("/token", &self.client, &kept.chain(more.iter().copied()).collect::<Vec<_>>())
    }

    /// Uses a refresh token.
    pub fn refresh(&self, house: &House, token: &str) -> RequestBuilder {
        house.post("/token", &self.client, &[("grant_type", "refresh_token"), ("refresh_token", token)])
    }

    /// The whole way: someone allows it, and it redeems its code.
    pub async fn tokens(&self, house: &House, person: &Person, more: &[(&str, &str)]) -> Tokens {
        let answer = person.allow(self, more).await;
        Tokens::read(succeeds(self.redeem(house, answer.code())).await)
    }

    /// Is this token good?
    pub async fn is_active(&self, house: &House, token: &str) -> bool {
        house.introspect(&self.client, token).await["active"] == true
    }
}

/// What belongs to a verifier: base64url of its SHA-256.
pub fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()))
}

/// What userinfo says to a token.
pub async fn userinfo(house: &House, token: &str) -> (u16, Value) {
    let answer = house.get("/userinfo").bearer_auth(token).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}
