//! The page where a person decides what a client may do for them. Shows the question; what the answer means is not known here.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Brand, Language, ScopeRow, View, respond, view::spoken};

/// Asks for consent. Posts `csrf`, `request` and `decision` (`approve`, `deny` or `switch`) to `/consent`.
#[derive(Debug, Clone, Template)]
#[template(path = "consent.html")]
pub struct ConsentPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// Comes back as `csrf`.
    pub csrf: String,
    /// What is decided about; opaque, comes back as `request`.
    pub request: String,
    /// Who asks.
    pub client_name: String,
    /// The host of the redirect URI, in ASCII, so that a person who was lured here can notice. None where an app on the
    /// device has a scheme of its own.
    pub client_host: Option<String>,
    /// Who is asked.
    pub username: String,
    /// What is asked for.
    pub scopes: Vec<ScopeRow>,
    /// The redirect URI, where both answers lead.
    pub leads_to: String,
    /// Whether the person never consented to this client before.
    pub is_first_time: bool,
}

impl ConsentPage {
    /// What is different from the last time.
    fn history(&self) -> String {
        self.language.say(match (self.is_first_time, self.scopes.iter().any(|scope| scope.is_new)) {
            (true, _) => "consent-first",
            (false, true) => "consent-more",
            (false, false) => "consent-again",
        })
    }

    /// Marks are for what is new since the last time; on the first, all is.
    fn marks(&self, scope: &ScopeRow) -> bool {
        scope.is_new && !self.is_first_time
    }
}

/// Answers with the page, whose form may lead to the client.
pub fn page(view: &ConsentPage) -> Response {
    respond::html_leading_to(StatusCode::OK, view, &view.leads_to)
}

spoken!(ConsentPage);

impl View for ConsentPage {
    fn samples() -> Vec<Self> {
        let first = Self {
            brand: Arc::default(),
            language: Language::English,
            csrf: "c5rf".into(),
            request: "r3qu3st".into(),
            client_name: "Harbour Photos".into(),
            client_host: Some("photos.example".into()),
            username: "ada@example.org".into(),
            scopes: ScopeRow::samples(),
            leads_to: "https://photos.example/callback".into(),
            is_first_time: true,
        };
        let more = Self { is_first_time: false, ..first.clone() };
        let app = Self {
            client_name: "Rechnungs- und Belegverwaltungsassistent für kleine und mittlere Unternehmen".into(),
            client_host: None,
            leads_to: "com.example.app:/callback".into(),
            username: "a.very.long.address.of.someone@subdomain.department.example.org".into(),
            scopes: vec![ScopeRow::new("reports:export:everything_of_the_department", "")],
            is_first_time: false,
            ..first.clone()
        };
        let bare = Self { scopes: Vec::new(), ..first.clone() };
        vec![first, more, app, bare]
    }
}
