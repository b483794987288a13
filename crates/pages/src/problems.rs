//! The pages behind the `type` link of an error. Takes plain words, so that any crate can bring its own kinds.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Brand, View, prose, respond};

/// One kind of problem, explained.
#[derive(Debug, Clone, Template)]
#[template(path = "problem.html")]
pub struct ProblemPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// Where `/problems` is served, without a slash at the end.
    pub origin: String,
    /// The kind.
    pub problem: ProblemEntry,
}

/// All kinds of problem.
#[derive(Debug, Clone, Template)]
#[template(path = "problems.html")]
pub struct ProblemIndex {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The kinds, in the order to show.
    pub problems: Vec<ProblemEntry>,
}

/// The words of one kind of problem. Backticks in them are set as code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemEntry {
    /// The last segment of its address.
    pub slug: String,
    /// The short summary.
    pub title: String,
    /// The status it comes with.
    pub status: u16,
    /// What has happened.
    pub meaning: String,
    /// What to do next.
    pub remedy: String,
}

impl ProblemEntry {
    fn meaning_html(&self) -> String {
        prose::html(&self.meaning)
    }

    fn remedy_html(&self) -> String {
        prose::html(&self.remedy)
    }
}

impl ProblemPage {
    /// A body as a client meets it, with the members in the order of the wire.
    pub(crate) fn example(&self) -> String {
        let ProblemEntry { slug, title, status, meaning, .. } = &self.problem;
        let text = |text: &str| serde_json::Value::from(text).to_string();
        [
            "{".to_owned(),
            format!("  \"type\": {},", text(&format!("{}/problems/{slug}", self.origin))),
            format!("  \"title\": {},", text(title)),
            format!("  \"status\": {status},"),
            format!("  \"detail\": {},", text(meaning)),
            "  \"instance\": \"urn:uuid:019a6c1e-7d2b-7c44-9f0e-3b5d8a21c6f4\"".to_owned(),
            "}".to_owned(),
        ]
        .join("\n")
    }
}

/// Answers with the page of one kind.
pub fn page(view: &ProblemPage) -> Response {
    respond::html(StatusCode::OK, view)
}

/// Answers with the list of all kinds.
pub fn index(view: &ProblemIndex) -> Response {
    respond::html(StatusCode::OK, view)
}

impl View for ProblemPage {
    fn samples() -> Vec<Self> {
        let page = |problem| Self { brand: Arc::default(), origin: "https://id.example".into(), problem };
        ProblemIndex::samples().remove(0).problems.into_iter().map(page).collect()
    }
}

impl View for ProblemIndex {
    fn samples() -> Vec<Self> {
        let entry = |status, slug: &str, title: &str, meaning: &str, remedy: &str| ProblemEntry {
            slug: slug.into(),
            title: title.into(),
            status,
            meaning: meaning.into(),
            remedy: remedy.into(),
        };
        let problems = vec![
            entry(
                400,
                "token-in-url",
                "Token in the URL",
                "The URL carries a token. URLs end up in logs and browser histories, so a token in one is not accepted.",
                "Send the token in the `Authorization: Bearer` header, and treat the one in the URL as leaked: revoke it.",
            ),
            entry(
                404,
                "not-found",
                "Not found",
                "Nothing that you can see lives at this address.",
                "Check the path and the identifier. What belongs to someone else is reported as not found too.",
            ),
            entry(
                500,
                "internal-error",
                "Internal error",
                "The server could not finish the request. The reason is in its log.",
                "Try again. If it stays, tell the operator the `instance` of the answer.",
            ),
        ];
        vec![Self { brand: Arc::default(), problems }]
    }
}
