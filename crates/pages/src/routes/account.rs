//! `/account`: a person sees who has access and where they are signed in, and ends what they do not want.

use axum::extract::State;
use axum::response::Response;
use axum::{Extension, Form};
use http::HeaderMap;
use serde::Deserialize;
use valetkey_oauth::Refusal;
use valetkey_oauth::accounts::{
    self, AppAccess, Browser, NewPassword, NewPasswordRefusal, SignInChange, SignInRefusal,
};
use valetkey_oauth::model::{Alert, AlertKind, ClientId, Secret, Session, SessionId, SignIn, SignInId, User};
use valetkey_oauth::ports::Unlinking;
use valetkey_oauth::upstream::LinkRow;

use super::afterwards::Afterwards;
use super::{Pages, go, language, refuse};
use crate::account::{
    self, AccountNotice, AccountPage, AlertRow, AppRow, LinkedRow, PasswordFault, SessionRow, SignInRow,
};
use crate::{Language, agent};

/// What one of the forms sends.
#[derive(Default, Deserialize)]
pub(super) struct Sent {
    #[serde(default)]
    csrf: String,
    withdraw: Option<String>,
    end_session: Option<SessionId>,
    unlink: Option<String>,
    end: Option<SignInId>,
    end_all: Option<String>,
    change_password: Option<String>,
    #[serde(default)]
    current_password: String,
    #[serde(default)]
    new_password: String,
    #[serde(default)]
    new_password_again: String,
}

/// What the page says about what was just done.
#[derive(Default)]
struct Said {
    notice: Option<AccountNotice>,
    fault: Option<PasswordFault>,
}

impl From<AccountNotice> for Said {
    fn from(notice: AccountNotice) -> Self {
        Self { notice: Some(notice), fault: None }
    }
}

pub(super) async fn get(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
) -> Response {
    match &browser.sign_in {
        None => go(&Afterwards::Account.sign_in(), None),
        Some(sign_in) => show(&pages, &browser, sign_in, &headers, Said::default()).await,
    }
}

pub(super) async fn post(
    State(pages): State<Pages>,
    Extension(browser): Extension<Browser>,
    headers: HeaderMap,
    Form(sent): Form<Sent>,
) -> Response {
    let Some(sign_in) = &browser.sign_in else { return go(&Afterwards::Account.sign_in(), None) };
    if !pages.is_personal_form(&browser, &headers, &sent.csrf) {
        return show(&pages, &browser, sign_in, &headers, AccountNotice::Expired.into()).await;
    }
    if sent.change_password.is_some() && pages.passwords {
        return change_password(&pages, &browser, sign_in, &headers, sent).await;
    }
    match end(&pages, sign_in, sent).await {
        Ok(said) => show(&pages, &browser, sign_in, &headers, said).await,
        Err(refusal) => refuse(refusal),
    }
}

async fn end(pages: &Pages, sign_in: &SignIn, sent: Sent) -> Result<Said, Refusal> {
    let (authority, user) = (pages.authority(), sign_in.user);
    if let Some(client) = sent.withdraw {
        accounts::withdraw(authority, user, &ClientId::new(client)).await?;
        Ok(AccountNotice::Withdrawn.into())
    } else if let Some(session) = sent.end_session {
        accounts::end_session(authority, user, session).await?;
        Ok(AccountNotice::SessionEnded.into())
    } else if let Some(issuer) = sent.unlink {
        Ok(match pages.upstream.unlink(user, &issuer, pages.passwords).await? {
            Unlinking::Unlinked | Unlinking::Unknown => AccountNotice::Unlinked.into(),
            Unlinking::LastWay => AccountNotice::LastWay.into(),
        })
    } else if let Some(other) = sent.end {
        accounts::end_sign_in(authority, user, other).await?;
        Ok(AccountNotice::Ended.into())
    } else if sent.end_all.is_some() {
        accounts::end_others(authority, sign_in).await?;
        Ok(AccountNotice::EndedAll.into())
    } else {
        Ok(Said::default())
    }
}

async fn change_password(
    pages: &Pages,
    browser: &Browser,
    sign_in: &SignIn,
    headers: &HeaderMap,
    sent: Sent,
) -> Response {
    let typed = NewPassword {
        current: Secret::new(sent.current_password),
        new: Secret::new(sent.new_password),
        again: Secret::new(sent.new_password_again),
        address: browser.address.clone(),
    };
    let fault = match pages.desk.change_password(sign_in, typed).await {
        Ok(cookie) => {
            let said = AccountNotice::PasswordChanged.into();
            let mut response = show(pages, browser, sign_in, headers, said).await;
            response.extensions_mut().insert(SignInChange::Set(cookie));
            return response;
        }
        Err(NewPasswordRefusal::Differ) => PasswordFault::Differ,
        Err(NewPasswordRefusal::Weak) => PasswordFault::Weak,
        Err(NewPasswordRefusal::Overtaken) => PasswordFault::Wrong,
        Err(NewPasswordRefusal::Refused(refusal)) => return refuse(refusal),
        Err(NewPasswordRefusal::Current(refusal)) => match refusal {
            SignInRefusal::Wrong | SignInRefusal::Password(_) => PasswordFault::Wrong,
            SignInRefusal::Throttled(wait) => PasswordFault::Throttled { seconds: wait.as_secs() + 1 },
            SignInRefusal::Before(refusal) => return refuse(refusal),
            SignInRefusal::Store(error) => return refuse(error),
        },
    };
    show(pages, browser, sign_in, headers, Said { notice: None, fault: Some(fault) }).await
}

async fn show(pages: &Pages, browser: &Browser, sign_in: &SignIn, headers: &HeaderMap, said: Said) -> Response {
    match view(pages, browser, sign_in, language(headers, None), said).await {
        Ok(view) => account::page(&view),
        Err(refusal) => refuse(refusal),
    }
}

async fn view(
    pages: &Pages,
    browser: &Browser,
    sign_in: &SignIn,
    language: Language,
    said: Said,
) -> Result<AccountPage, Refusal> {
    let authority = pages.authority();
    let person = accounts::person(authority, sign_in.user).await?;
    let mut overview = accounts::overview(authority, sign_in.user).await?;
    // This browser is among those shown, however old its sign-in is.
    if overview.has_more_sign_ins && overview.sign_ins.iter().all(|other| other.id != sign_in.id) {
        overview.sign_ins.push(sign_in.clone());
    }
    let mut alerts = Vec::new();
    for alert in accounts::alerts_of(authority, sign_in.user).await? {
        alerts.extend(alert_row(pages, language, alert).await?);
    }
    Ok(AccountPage {
        brand: pages.brand.clone(),
        language,
        csrf: pages.personal_csrf(browser),
        has_password: pages.passwords && person.as_ref().is_some_and(User::has_password),
        username: person.map_or_else(String::new, |person| person.username),
        notice: said.notice,
        alerts,
        apps: overview.apps.into_iter().map(|app| app_row(pages, language, app)).collect(),
        links: pages.upstream.links_of(sign_in.user).await?.into_iter().map(linked_row).collect(),
        sign_ins: overview.sign_ins.into_iter().map(|other| sign_in_row(language, sign_in, other)).collect(),
        has_more_sign_ins: overview.has_more_sign_ins,
        password_fault: said.fault,
        least_password: accounts::SHORTEST as u64,
    })
}

/// An alert in words, if it is one for people.
async fn alert_row(pages: &Pages, language: Language, alert: Alert) -> Result<Option<AlertRow>, Refusal> {
    let client = match &alert.client {
        Some(client) => accounts::client_name(pages.authority(), client).await?,
        None => String::new(),
    };
    let (from, count) = (place(language, alert.address), alert.failures.unwrap_or_default().to_string());
    let text = match alert.kind {
        // The last one there was: nobody used it before.
        AlertKind::RefreshReused if alert.generation == alert.current_generation => {
            language.fill("account-alert-refresh-late", &[("client", &client)])
        }
        AlertKind::RefreshReused => language.fill("account-alert-refresh-reused", &[("client", &client)]),
        AlertKind::CodeReplayed => language.fill("account-alert-code-replayed", &[("client", &client)]),
        AlertKind::SignInFailures => {
            language.fill("account-alert-sign-in-failures", &[("count", &count), ("address", &from)])
        }
        AlertKind::PasswordChanged => language.fill("account-alert-password-changed", &[("address", &from)]),
        AlertKind::LinkMade => language.fill("account-alert-link-made", &[("address", &from)]),
        AlertKind::LinkRemoved => language.say("account-alert-link-removed"),
        AlertKind::KeyMade | AlertKind::KeyRemoved => return Ok(None),
    };
    Ok(Some(AlertRow { when: alert.at, text }))
}

fn app_row(pages: &Pages, language: Language, app: AppAccess) -> AppRow {
    AppRow {
        client_name: app.name,
        client_id: app.consent.client.to_string(),
        scopes: app.consent.scope.names().map(|name| pages.scope(name)).collect(),
        since: app.consent.given_at,
        sessions: app.sessions.into_iter().map(|session| session_row(language, session)).collect(),
    }
}

fn session_row(language: Language, session: Session) -> SessionRow {
    SessionRow {
        id: session.id.to_string(),
        agent: agent::words(language, session.origin.agent.as_deref()),
        address: place(language, session.origin.address),
        since: session.created_at,
        last_used: session.used_at,
    }
}

fn linked_row(link: LinkRow) -> LinkedRow {
    LinkedRow { issuer: link.issuer, name: link.name, since: link.made_at, last_used: link.used_at }
}

fn sign_in_row(language: Language, current: &SignIn, other: SignIn) -> SignInRow {
    SignInRow {
        id: other.id.to_string(),
        agent: agent::words(language, other.agent.as_deref()),
        address: place(language, other.address),
        since: other.authenticated_at,
        last_used: other.seen_at,
        current: other.id == current.id,
    }
}

fn place(language: Language, address: Option<String>) -> String {
    address.unwrap_or_else(|| language.say("account-alert-elsewhere"))
}
