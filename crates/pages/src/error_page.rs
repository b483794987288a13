//! What a person sees when a page is missing or broken. Programs get a problem instead; which of both is not decided here.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Brand, Language, View, respond, view::spoken};

mod trouble;

pub use trouble::Trouble;

/// A page that says what is wrong and leads home.
#[derive(Debug, Clone, Template)]
#[template(path = "error_page.html")]
pub struct ErrorPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// The status to answer with.
    pub status: StatusCode,
    /// What is wrong, as far as a person has to know.
    pub trouble: Trouble,
    /// What is wrong, in English, for whoever makes the app that led here.
    pub detail: Option<String>,
    /// Stands in the log too, so that the operator finds the reason.
    pub request_id: Option<String>,
    /// Where "back to the start" leads.
    pub home: String,
}

impl ErrorPage {
    /// Says what is wrong; home is `/`.
    pub fn new(brand: Arc<Brand>, language: Language, status: StatusCode, trouble: Trouble) -> Self {
        Self { brand, language, status, trouble, detail: None, request_id: None, home: "/".into() }
    }

    /// Adds a sentence for developers.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// Names the request.
    #[must_use]
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.request_id = Some(id.into());
        self
    }
}

/// Answers with the page, and with its status.
pub fn page(view: &ErrorPage) -> Response {
    respond::html(view.status, view)
}

spoken!(ErrorPage);

impl View for ErrorPage {
    fn samples() -> Vec<Self> {
        let page = |(status, trouble)| Self::new(Arc::default(), Language::English, status, trouble);
        let id = "019a6c1e-7d2b-7c44-9f0e-3b5d8a21c6f4";
        let explained = page((StatusCode::BAD_REQUEST, Trouble::App))
            .detail("No app is registered under this client_id. Check the link that brought you here.");
        let others = [
            (StatusCode::NOT_FOUND, Trouble::NotFound),
            (StatusCode::BAD_REQUEST, Trouble::SignOut),
            (StatusCode::BAD_REQUEST, Trouble::Expired),
            (StatusCode::BAD_REQUEST, Trouble::Unreadable),
            (StatusCode::METHOD_NOT_ALLOWED, Trouble::Method),
            (StatusCode::PAYLOAD_TOO_LARGE, Trouble::TooLarge),
            (StatusCode::TOO_MANY_REQUESTS, Trouble::TooMany),
            (StatusCode::SERVICE_UNAVAILABLE, Trouble::Unavailable),
        ];
        let internal = page((StatusCode::INTERNAL_SERVER_ERROR, Trouble::Internal)).request_id(id);
        others.map(page).into_iter().chain([explained.request_id(id), internal]).collect()
    }
}
