//! What a person sees when a page is missing or broken. Programs get a problem instead; which of both is not decided here.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Brand, View, respond};

/// A page that says what is wrong and leads home.
#[derive(Debug, Clone, Template)]
#[template(path = "error_page.html")]
pub struct ErrorPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The status to answer with.
    pub status: StatusCode,
    /// What is wrong, in a few words.
    pub title: String,
    /// What it means and what to do next.
    pub text: String,
    /// Stands in the log too, so that the operator finds the reason.
    pub request_id: Option<String>,
    /// Where "back to the start" leads.
    pub home: String,
}

impl ErrorPage {
    /// Says what is wrong; home is `/`.
    pub fn new(brand: Arc<Brand>, status: StatusCode, title: impl Into<String>, text: impl Into<String>) -> Self {
        Self { brand, status, title: title.into(), text: text.into(), request_id: None, home: "/".into() }
    }

    /// No page has this address.
    pub fn not_found(brand: Arc<Brand>) -> Self {
        let text = "There is nothing at this address. It may have moved, or the link may be incomplete.";
        Self::new(brand, StatusCode::NOT_FOUND, "This page does not exist", text)
    }

    /// The server failed; the reason stays in the log.
    pub fn internal(brand: Arc<Brand>, request_id: impl Into<String>) -> Self {
        let text = "The server could not finish this request. Please try again in a moment. \
                    If it stays, tell the operator the request id below.";
        Self::new(brand, StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side", text)
            .request_id(request_id)
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

impl View for ErrorPage {
    fn samples() -> Vec<Self> {
        let id = "019a6c1e-7d2b-7c44-9f0e-3b5d8a21c6f4";
        vec![Self::not_found(Arc::default()), Self::internal(Arc::default(), id)]
    }
}
