//! The page where a person signs in, and the one they see who are signed in already. Knows nothing of passwords.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Brand, Language, View, respond, view::spoken};

/// Asks for username and password. Posts `csrf`, `request` or `next`, `username` and `password` to `/login`.
#[derive(Debug, Clone, Template)]
#[template(path = "sign_in.html")]
pub struct SignInPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// Comes back as `csrf`.
    pub csrf: String,
    /// What to go on with afterwards; opaque, comes back as `request`.
    pub request: Option<String>,
    /// The same where no app asked; comes back as `next`.
    pub next: Option<String>,
    /// What stands in the field: a `login_hint`, or what was typed before.
    pub username: String,
    /// The client that asked, if one did.
    pub client_name: Option<String>,
    /// The redirect URI of that client: who has consented before is sent there by this very form.
    pub leads_to: Option<String>,
    /// Does the app expect someone else than who is signed in now?
    pub is_someone_else: bool,
    /// What went wrong the last time.
    pub fault: Option<SignInFault>,
}

/// Why a person is still not signed in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInFault {
    /// No such user, or another password: one text for both, so that nobody learns which users exist.
    Wrong,
    /// Too many attempts.
    Throttled {
        /// How long to wait.
        seconds: u64,
    },
    /// The form was older than its token.
    Expired,
}

impl SignInPage {
    fn fault_text(&self) -> Option<String> {
        Some(match self.fault? {
            SignInFault::Wrong => self.language.say("sign-in-wrong"),
            SignInFault::Throttled { seconds } => {
                self.language.fill("sign-in-throttled", &[("wait", &self.language.wait(seconds))])
            }
            SignInFault::Expired => self.language.say("sign-in-expired"),
        })
    }

    fn is_wrong(&self) -> bool {
        self.fault == Some(SignInFault::Wrong)
    }
}

/// Answers with the page. A fault has a status of its own, by which browsers know not to keep the password.
pub fn page(view: &SignInPage) -> Response {
    let status = match view.fault {
        None => StatusCode::OK,
        Some(SignInFault::Wrong) => StatusCode::FORBIDDEN,
        Some(SignInFault::Throttled { .. }) => StatusCode::TOO_MANY_REQUESTS,
        Some(SignInFault::Expired) => StatusCode::BAD_REQUEST,
    };
    let response = respond::html_leading_on(status, view, view.leads_to.as_deref());
    match view.fault {
        Some(SignInFault::Throttled { seconds }) => respond::asking_to_wait(response, seconds),
        _ => response,
    }
}

/// Says that one is signed in already, where there is nothing to go on with. Its button posts `csrf` to `/logout`.
#[derive(Debug, Clone, Template)]
#[template(path = "signed_in.html")]
pub struct SignedInPage {
    /// The look of the house.
    pub brand: Arc<Brand>,
    /// The language of the reader.
    pub language: Language,
    /// Comes back as `csrf`.
    pub csrf: String,
    /// Who is signed in.
    pub username: String,
}

/// Answers with the page for those who are signed in.
pub fn signed_in(view: &SignedInPage) -> Response {
    respond::html(StatusCode::OK, view)
}

spoken!(SignInPage, SignedInPage);

impl View for SignInPage {
    fn samples() -> Vec<Self> {
        let plain = Self {
            brand: Arc::default(),
            language: Language::English,
            csrf: "c5rf".into(),
            request: None,
            next: None,
            username: String::new(),
            client_name: None,
            leads_to: None,
            is_someone_else: false,
            fault: None,
        };
        let asked = Self {
            request: Some("r3qu3st".into()),
            username: "ada@example.org".into(),
            client_name: Some("Harbour Photos".into()),
            leads_to: Some("https://photos.example/callback".into()),
            ..plain.clone()
        };
        let someone_else = Self { is_someone_else: true, ..asked.clone() };
        let device = Self { next: Some("device WDJB-MJHT".into()), ..plain.clone() };
        let faults = [SignInFault::Wrong, SignInFault::Throttled { seconds: 30 }, SignInFault::Expired];
        let failed = faults.map(|fault| Self { fault: Some(fault), ..asked.clone() });
        [plain, asked, device, someone_else].into_iter().chain(failed).collect()
    }
}

impl View for SignedInPage {
    fn samples() -> Vec<Self> {
        let (brand, csrf, username) = (Arc::default(), "c5rf".into(), "ada@example.org".into());
        vec![Self { brand, language: Language::English, csrf, username }]
    }
}
