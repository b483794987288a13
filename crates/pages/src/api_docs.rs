//! `/api/docs`: the declared API, to read and to try. Owns layout and words; what is declared comes in as plain text.
//!
//! The page is a whole reference without script. The script under `static/docs` makes a form of each operation, from what
//! stands in the page, and takes every word it shows from there too.

use std::sync::Arc;

use askama::Template;
use askama::filters::HtmlSafeOutput;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

use crate::{Brand, Language, ScopeRow, respond, view::spoken};

mod operation;
mod resource;
mod samples;
#[cfg(test)]
mod tests;
mod version;

pub use operation::{DocsAnswer, DocsBody, DocsOperation, DocsParameter, DocsPlace};
pub use resource::{DocsField, DocsGroup, DocsResource};
pub use version::{DocsChange, DocsChangeKind, DocsState, DocsVersion};

/// Where the page is, which is also where its sign-in comes back to.
pub const PATH: &str = "/api/docs";

/// The reference.
#[derive(Debug, Clone, Template)]
#[template(path = "api_docs.html")]
pub struct ApiDocsPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader. What the declaration says stays in its own.
    pub language: Language,
    /// The issuer of tokens, which is also where the API is.
    pub issuer: String,
    /// The path that all addresses begin with.
    pub prefix: String,
    /// What the API is called.
    pub title: String,
    /// What it is for.
    pub description: String,
    /// What a client can be allowed to do.
    pub scopes: Vec<ScopeRow>,
    /// In the order of the declaration.
    pub resources: Vec<DocsResource>,
    /// From the newest.
    pub versions: Vec<DocsVersion>,
    /// A client that may be used by anyone; none outside a demonstration.
    pub demonstration: Option<DocsDemonstration>,
}

/// Who can try the API of a demonstration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocsDemonstration {
    /// A public client whose codes are sent to this page.
    pub client_id: String,
    /// Someone who can sign in.
    pub user: String,
}

impl ApiDocsPage {
    /// Where codes for the page are sent.
    pub fn redirect_uri(&self) -> String {
        format!("{}{PATH}", self.issuer)
    }

    /// The version that this page is about, with what its readers must know first.
    fn warning(&self) -> Option<HtmlSafeOutput<String>> {
        let shown = self.versions.iter().find(|version| version.is_shown)?;
        let newest = self.versions.iter().find(|version| version.state == DocsState::Active);
        shown.warning(self.language, newest.map(|newest| newest.number))
    }

    /// Where people should go from here, if not to this one.
    fn successor(&self) -> Option<&str> {
        let newest = self.versions.iter().find(|version| version.state == DocsState::Active && !version.is_shown)?;
        newest.address.as_deref()
    }

    fn client_id(&self) -> &str {
        self.demonstration.as_ref().map_or("", |demonstration| &demonstration.client_id)
    }

    /// Every scope, as a client asks for them.
    fn scope(&self) -> String {
        self.scopes.iter().map(|scope| scope.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// What an operator runs, so that this page can sign people in.
    fn register_page(&self) -> String {
        format!(
            "valetkey client add --name \"API docs\" --public \\\n  --redirect-uri {} \\\n  --scope \"{}\"",
            self.redirect_uri(),
            self.scope()
        )
    }

    /// What an operator runs for a service that speaks for itself.
    fn register_service(&self) -> String {
        format!(
            "valetkey client add --name \"My service\" \\\n  --grant client_credentials --scope \"{}\"",
            self.scope()
        )
    }

    /// How that service gets a token. The secret stays a shell variable.
    fn ask_for_token(&self) -> String {
        format!(
            "curl {}/token \\\n  -u \"$CLIENT_ID:$CLIENT_SECRET\" \\\n  -d grant_type=client_credentials \\\n  \
             -d scope=\"{}\"",
            self.issuer,
            self.scope()
        )
    }

    fn example_problem(&self) -> String {
        let Self { issuer, .. } = self;
        format!(
            "{{\n  \"type\": \"{issuer}/problems/unprocessable\",\n  \"title\": \"Unprocessable content\",\n  \
             \"status\": 422,\n  \"detail\": \"The body does not pass validation; `errors` names each field that is \
             wrong.\",\n  \"instance\": \"urn:uuid:01942f4e-7b1c-7c3a-9d2e-5f6a7b8c9d0e\",\n  \"errors\": [\n    \
             {{ \"field\": \"amount\", \"code\": \"OUT_OF_RANGE\", \"pointer\": \"/amount\" }}\n  ]\n}}"
        )
    }
}

/// Answers with the page. It may run our script, which may ask this server, and no other.
///
/// It is the same for everyone, so a browser may keep it, and asks each time whether it has changed.
pub fn page(view: &ApiDocsPage) -> Response {
    let mut response = respond::html_with_script(StatusCode::OK, view);
    if response.status() == StatusCode::OK {
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("Accept-Language"));
    }
    response
}

spoken!(ApiDocsPage);
