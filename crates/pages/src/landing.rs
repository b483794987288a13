//! The page at `/`: what runs here and where to go next. Shows only the doors that the server names.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Accent, Brand, View, respond};

/// The landing page.
#[derive(Debug, Clone, Template)]
#[template(path = "landing.html")]
pub struct Landing {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The issuer of tokens, as it stands in the metadata.
    pub issuer: String,
    /// The version of the server.
    pub version: String,
    /// Where a visitor can go.
    pub doors: Vec<Door>,
    /// Commands to try in order; none hides the block.
    pub try_it: Vec<Step>,
    /// Whether the users and clients here are for demonstration.
    pub demo: bool,
}

/// A place to go: documentation, metadata, the account page, the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Door {
    /// What it is called.
    pub title: String,
    /// What one finds there, in one sentence.
    pub text: String,
    /// Its address.
    pub href: String,
}

impl Door {
    /// Names a place.
    pub fn new(title: impl Into<String>, text: impl Into<String>, href: impl Into<String>) -> Self {
        Self { title: title.into(), text: text.into(), href: href.into() }
    }
}

/// A command to try, with a sentence about what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What the command does.
    pub title: String,
    /// The command, ready to copy.
    pub command: String,
}

impl Step {
    /// The client credentials grant. The secret stays a shell variable: a page that anyone can read does not show it.
    pub fn client_credentials(issuer: &str, client_id: &str, scope: &str) -> Self {
        let command = format!(
            "curl {issuer}/token \\\n  -d grant_type=client_credentials \\\n  -d client_id={client_id} \\\n  \
             -d client_secret=\"$CLIENT_SECRET\" \\\n  -d scope=\"{scope}\""
        );
        Self { title: "Ask for an access token".into(), command }
    }

    /// A first request with the token from the step before.
    pub fn call(url: &str) -> Self {
        let command = format!("curl {url} \\\n  -H \"Authorization: Bearer $ACCESS_TOKEN\"");
        Self { title: "Call the API with it".into(), command }
    }
}

/// Answers with the landing page.
pub fn page(view: &Landing) -> Response {
    respond::html(StatusCode::OK, view)
}

impl View for Landing {
    fn samples() -> Vec<Self> {
        let issuer = "http://127.0.0.1:8080";
        let demonstration = Self {
            brand: Arc::default(),
            issuer: issuer.into(),
            version: "0.1.0".into(),
            doors: vec![
                Door::new("API reference", "Every resource, field and scope of the API served here.", "/api/docs"),
                Door::new("Your account", "Sessions, approved applications and sign-in methods.", "/account"),
                Door::new(
                    "Server metadata",
                    "Endpoints and capabilities, for OAuth and OpenID Connect clients.",
                    "/.well-known/openid-configuration",
                ),
                Door::new("Connect a device", "Enter the code that a television or terminal shows you.", "/device"),
                Door::new(
                    "OpenAPI document",
                    "The same reference as JSON, for generators and tools.",
                    "/api/openapi.json",
                ),
                Door::new("Errors", "What each problem means, and what to do about it.", "/problems"),
            ],
            try_it: vec![
                Step::client_credentials(issuer, "demo-service", "orders:read"),
                Step::call("http://127.0.0.1:8080/api/orders"),
            ],
            demo: true,
        };
        let links = vec![("Terms".into(), "/terms".into()), ("Privacy".into(), "/privacy".into())];
        let brand =
            Brand { name: "Harbour Foods".into(), links, accent: Accent::new(0x0b, 0x7a, 0x6f), ..Brand::default() };
        let branded = Self {
            brand: Arc::new(brand),
            issuer: "https://id.harbour.example".into(),
            doors: demonstration.doors[..2].to_vec(),
            try_it: Vec::new(),
            demo: false,
            ..demonstration.clone()
        };
        vec![demonstration, branded]
    }
}
