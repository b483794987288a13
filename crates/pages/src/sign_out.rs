//! The pages around signing out: the question, because a link alone must not sign anyone out, and the answer.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Brand, Language, View, respond, view::spoken};

/// Asks whether to sign out. Posts `csrf` and `request` to `/logout`.
#[derive(Debug, Clone, Template)]
#[template(path = "sign_out.html")]
pub struct SignOutPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// Comes back as `csrf`.
    pub csrf: String,
    /// What to go on with afterwards; opaque, comes back as `request`.
    pub request: Option<String>,
    /// Who is signed in.
    pub username: String,
    /// The client that asked, if one did.
    pub client_name: Option<String>,
    /// The client's `post_logout_redirect_uri`, where the form leads.
    pub leads_to: Option<String>,
}

/// Answers with the question.
pub fn page(view: &SignOutPage) -> Response {
    respond::html_leading_on(StatusCode::OK, view, view.leads_to.as_slice())
}

/// Says that one is signed out.
#[derive(Debug, Clone, Template)]
#[template(path = "signed_out.html")]
pub struct SignedOutPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
}

/// Answers that it is done.
pub fn signed_out(view: &SignedOutPage) -> Response {
    respond::html(StatusCode::OK, view)
}

spoken!(SignOutPage, SignedOutPage);

impl View for SignOutPage {
    fn samples() -> Vec<Self> {
        let own = Self {
            brand: Arc::default(),
            language: Language::English,
            csrf: "c5rf".into(),
            request: None,
            username: "ada@example.org".into(),
            client_name: None,
            leads_to: None,
        };
        let asked = Self {
            request: Some("r3qu3st".into()),
            client_name: Some("Harbour Photos".into()),
            leads_to: Some("https://photos.example/bye".into()),
            ..own.clone()
        };
        vec![own, asked]
    }
}

impl View for SignedOutPage {
    fn samples() -> Vec<Self> {
        vec![Self { brand: Arc::default(), language: Language::English }]
    }
}
