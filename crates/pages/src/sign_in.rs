//! The page where a person signs in, and the one they see who are signed in already. Knows nothing of passwords.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use http::StatusCode;

use crate::{Brand, Language, View, respond, view::spoken};

/// Asks for username and password. Posts `csrf`, `request` or `next`, `username` and `password` to `/login`; a button for
/// each provider posts the first two to `/login/{id}`.
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
    /// Where the forms lead beside this server: to the redirect URI of that client, for who has consented before is sent
    /// there by this very form, and to providers.
    pub leads_to: Vec<String>,
    /// Does the app expect someone else than who is signed in now?
    pub is_someone_else: bool,
    /// What went wrong the last time.
    pub fault: Option<SignInFault>,
    /// May one sign in with a password?
    pub passwords: bool,
    /// Others through whom one may sign in.
    pub providers: Vec<ProviderButton>,
}

/// A button that leads to another provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderButton {
    /// Stands in the address.
    pub id: String,
    /// What people call it.
    pub name: String,
}

/// Why a person is still not signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// The person said no at this provider, or was not let in there.
    Denied(String),
    /// What this provider answered cannot be used.
    Failed(String),
    /// This provider cannot be reached.
    Unreachable(String),
    /// This provider was to ask for a fresh sign-in, and did not.
    NotFresh(String),
    /// No account belongs to the person whom this provider knows.
    NoAccount(String),
}

impl SignInPage {
    fn fault_text(&self) -> Option<String> {
        Some(match self.fault.as_ref()? {
            SignInFault::Wrong => self.language.say("sign-in-wrong"),
            SignInFault::Throttled { seconds } => {
                self.language.fill("sign-in-throttled", &[("wait", &self.language.wait(*seconds))])
            }
            SignInFault::Expired => self.language.say("sign-in-expired"),
            SignInFault::Denied(provider) => self.language.fill("sign-in-denied", &[("provider", provider)]),
            SignInFault::Failed(provider) => self.language.fill("sign-in-failed", &[("provider", provider)]),
            SignInFault::Unreachable(provider) => self.language.fill("sign-in-unreachable", &[("provider", provider)]),
            SignInFault::NotFresh(provider) => self.language.fill("sign-in-not-fresh", &[("provider", provider)]),
            SignInFault::NoAccount(provider) => self.language.fill("sign-in-no-account", &[("provider", provider)]),
        })
    }

    fn is_wrong(&self) -> bool {
        self.fault == Some(SignInFault::Wrong)
    }
}

/// Answers with the page. A fault has a status of its own, by which browsers know not to keep the password.
pub fn page(view: &SignInPage) -> Response {
    let status = match &view.fault {
        None => StatusCode::OK,
        Some(SignInFault::Wrong | SignInFault::Denied(_) | SignInFault::NotFresh(_) | SignInFault::NoAccount(_)) => {
            StatusCode::FORBIDDEN
        }
        Some(SignInFault::Failed(_) | SignInFault::Unreachable(_)) => StatusCode::BAD_GATEWAY,
        Some(SignInFault::Throttled { .. }) => StatusCode::TOO_MANY_REQUESTS,
        Some(SignInFault::Expired) => StatusCode::BAD_REQUEST,
    };
    let response = respond::html_leading_on(status, view, &view.leads_to);
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
            leads_to: Vec::new(),
            is_someone_else: false,
            fault: None,
            passwords: true,
            providers: Vec::new(),
        };
        let asked = Self {
            request: Some("r3qu3st".into()),
            username: "ada@example.org".into(),
            client_name: Some("Harbour Photos".into()),
            leads_to: vec!["https://photos.example/callback".into()],
            ..plain.clone()
        };
        let someone_else = Self { is_someone_else: true, ..asked.clone() };
        let device = Self { next: Some("device WDJB-MJHT".into()), ..plain.clone() };
        let faults = [SignInFault::Wrong, SignInFault::Throttled { seconds: 30 }, SignInFault::Expired];
        let failed = faults.map(|fault| Self { fault: Some(fault), ..asked.clone() });
        let button = |id: &str, name: &str| ProviderButton { id: id.into(), name: name.into() };
        let providers = vec![button("corp", "Example Corp"), button("university", "Universität am Meer")];
        let several = Self { providers, ..asked.clone() };
        let elsewhere = Self { passwords: false, ..several.clone() };
        let faults = [
            SignInFault::Denied,
            SignInFault::Failed,
            SignInFault::Unreachable,
            SignInFault::NotFresh,
            SignInFault::NoAccount,
        ];
        let refused = faults.map(|fault| Self { fault: Some(fault("Example Corp".into())), ..several.clone() });
        let all = [plain, asked, device, someone_else, several, elsewhere].into_iter();
        all.chain(failed).chain(refused).collect()
    }
}

impl View for SignedInPage {
    fn samples() -> Vec<Self> {
        let (brand, csrf, username) = (Arc::default(), "c5rf".into(), "ada@example.org".into());
        vec![Self { brand, language: Language::English, csrf, username }]
    }
}
