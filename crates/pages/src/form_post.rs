//! The page that carries an answer to the client as a form (OAuth 2.0 Form Post Response Mode).

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Brand, Language, View, respond, view::spoken};

/// Posts its fields to the redirect URI: by script where there is one, else by a button.
#[derive(Debug, Clone, Template)]
#[template(path = "form_post.html")]
pub struct FormPostPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// The redirect URI.
    pub action: String,
    /// Names and values, such as `code` and `state`.
    pub fields: Vec<(String, String)>,
}

impl FormPostPage {
    /// The part of the address that tells a person where they go.
    fn host(&self) -> &str {
        let rest = self.action.split_once("://").map_or(self.action.as_str(), |(_, rest)| rest);
        rest.split(['/', '?', '#']).next().unwrap_or(rest)
    }
}

/// Answers with the page. It may run a script, and only ours.
pub fn page(view: &FormPostPage) -> Response {
    respond::html_posting_to(StatusCode::OK, view, &view.action)
}

spoken!(FormPostPage);

impl View for FormPostPage {
    fn samples() -> Vec<Self> {
        let fields = [("code", "vk_ac_x1y2"), ("state", "\"><b>'&"), ("iss", "https://id.example")];
        vec![Self {
            brand: Arc::default(),
            language: Language::English,
            action: "https://photos.example/callback".into(),
            fields: fields.map(|(name, value)| (name.into(), value.into())).to_vec(),
        }]
    }
}
